import { getCallerId } from "../access/caller.js";
import type { OperationId } from "../../openapi/operations/register.js";
import {
  TruncatedBody,
  type RecordedBody,
  decodeBody,
  type JournalEntry,
  type RecordedExchange,
} from "./recorded-exchange.js";
import type { AnsweredRequest } from "../request/answered-request.js";
import { emulatorLimits } from "../memory/limits.js";
import { toJournalEntry, listUnknownFields } from "./to-journal-entry.js";
import { redactPath } from "./redact.js";

/** Which entries are wanted. */
export interface JournalFilter {
  readonly operationId?: OperationId;
  readonly status?: number;
  /** Entries after this sequence number. */
  readonly since?: number;
  /** The newest ones, this many at most. */
  readonly limit?: number;
}

/** How much a journal keeps. */
export interface JournalBounds {
  readonly entries: number;
  readonly bytes: number;
}

/** What all journals of an emulator keep, in bytes. */
export interface JournalBudget {
  bytes: number;
}

/** Requests that the journal keeps by default: keeping more makes every request slower. */
export const defaultEntries = 250;
/** The largest number of requests that the journal can keep. */
export const maxEntries = 100_000;
const maxBytes = 8 * 1024 * 1024;
/** What an entry takes beside its bodies, roughly. */
const entryOverheadBytes = 1024;

/** The newest requests and answers of a namespace, in a ring that is bounded by number and size. */
export class Journal {
  /** Whether requests are recorded or reported to `onRequest`. */
  readonly isOn: boolean;
  /** Whether anything is remembered. */
  isKept: boolean;
  readonly #onRequest: ((request: AnsweredRequest) => void) | undefined;
  readonly #bounds: JournalBounds;
  readonly #together: JournalBudget;
  /** The place after the last one is the first again. */
  #ring: (RecordedExchange | undefined)[] = [];
  /** The sizes of the entries at their places: who drops an entry need not look at it, long after it was touched last. */
  #sizes: number[] = [];
  /** Place of the oldest entry. */
  #first = 0;
  #count = 0;
  #bytes = 0;
  #dropped = 0;
  #sequence = 0;

  /**
   * @param entries how many requests are remembered; none with 0
   * @param together what the journals of all namespaces keep
   */
  constructor({
    entries = defaultEntries,
    bytes = maxBytes,
    together = { bytes: 0 },
    onRequest,
  }: Partial<JournalBounds> & {
    readonly together?: JournalBudget;
    readonly onRequest?: ((request: AnsweredRequest) => void) | undefined;
  } = {}) {
    this.isKept = entries > 0;
    this.isOn = this.isKept || onRequest !== undefined;
    this.#onRequest = onRequest;
    this.#bounds = { entries, bytes };
    this.#together = together;
  }

  /** How many entries made room for newer ones. */
  get dropped(): number {
    return this.#dropped;
  }

  record(exchange: RecordedExchange): void {
    this.#onRequest?.(toAnsweredRequest(exchange));
    this.keep(exchange);
  }

  /** Like `record`, for requests reported elsewhere. */
  keep(exchange: RecordedExchange): void {
    if (!this.isKept) return;
    this.#sequence += 1;
    exchange.sequence = this.#sequence;
    const { entries, bytes } = this.#bounds;
    if (this.#count === entries) this.#drop();
    const place = (this.#first + this.#count) % entries;
    const size = getSize(exchange);
    this.#ring[place] = exchange;
    this.#sizes[place] = size;
    this.#count += 1;
    this.#add(size);
    while (this.#bytes > bytes || (this.#together.bytes > emulatorLimits.journalBytes && this.#count > 0))
      this.#drop();
  }

  /** The entries that a filter lets through, oldest first, as they may be shown. */
  entries(filter: JournalFilter = {}): JournalEntry[] {
    return this.select(filter).map(toJournalEntry);
  }

  select({ operationId, status, since = 0, limit = Infinity }: JournalFilter = {}): RecordedExchange[] {
    const oldestFirst = [...this.#ring.slice(this.#first), ...this.#ring.slice(0, this.#first)];
    const wanted = oldestFirst
      .filter((entry) => entry !== undefined)
      .filter(
        (entry) =>
          entry.sequence > since &&
          (operationId === undefined || entry.operationId === operationId) &&
          (status === undefined || entry.status === status),
      );
    return limit < wanted.length ? wanted.slice(wanted.length - limit) : wanted;
  }

  /** Forgets all entries; the sequence goes on, so that readers who follow it miss nothing. */
  clear(): void {
    this.#ring = [];
    this.#sizes = [];
    this.#first = 0;
    this.#count = 0;
    this.#add(-this.#bytes);
    this.#dropped = 0;
  }

  /** Forgets all entries, and keeps none from now on. */
  close(): void {
    this.clear();
    this.isKept = false;
  }

  /** As at the start. */
  reset(): void {
    this.clear();
    this.#sequence = 0;
  }

  #add(bytes: number): void {
    this.#bytes += bytes;
    this.#together.bytes += bytes;
  }

  #drop(): void {
    this.#add(-(this.#sizes[this.#first] ?? 0));
    this.#ring[this.#first] = undefined;
    this.#first = (this.#first + 1) % this.#bounds.entries;
    this.#count -= 1;
    this.#dropped += 1;
  }
}

function getSize({ requestBody, requestHeaders, responseBody, path }: RecordedExchange): number {
  let bytes = entryOverheadBytes + path.length + getKeptBytes(requestBody) + getKeptBytes(responseBody);
  // those of a program's own request need no bound
  if (!(requestHeaders instanceof Headers)) for (const text of requestHeaders) bytes += text.length;
  return bytes;
}

function getKeptBytes(body: RecordedBody): number {
  if (body === null) return 0;
  return body instanceof TruncatedBody ? body.beginning.length : body.length;
}

/** An exchange for `onRequest`. Costly fields are getters, because most logs read only a few. */
function toAnsweredRequest(exchange: RecordedExchange): AnsweredRequest {
  const { method, namespace, status, durationMs, operationId, caller } = exchange;
  return {
    method,
    get path() {
      const prefix = namespace === "" ? "" : `/ns/${namespace}`;
      return prefix + redactPath(exchange.path);
    },
    status,
    durationMs,
    operationId,
    caller: getCallerId(caller),
    get detail() {
      return status >= 400 ? getDetail(exchange) : undefined;
    },
    get unknownMembers() {
      return listUnknownFields(exchange);
    },
  };
}

/** What a refusal says, in whichever of the forms of an error. */
function getDetail({ responseBody }: RecordedExchange): string | undefined {
  if (responseBody === null) return undefined;
  try {
    const { detail, message } = JSON.parse(decodeBody(responseBody)) as Readonly<Record<string, unknown>>;
    const said = detail ?? message;
    return typeof said === "string" ? said : undefined;
  } catch {
    return undefined;
  }
}
