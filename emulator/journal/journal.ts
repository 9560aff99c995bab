import { getCallerId } from "../access/caller.js";
import type { OperationId } from "../../openapi/operations/register.js";
import type { JournalEntry, RecordedExchange } from "./recorded-exchange.js";
import type { CompletedRequest } from "../request/completed-request.js";
import { emulatorLimits } from "../memory/limits.js";
import { listUnknownFields } from "./list-unknown-fields.js";
import { toJournalEntry } from "./to-journal-entry.js";
import { redactPath } from "./redact.js";
import { tryTo } from "../../openapi/text/try-to.js";

/** Selects entries of the journal. */
export interface JournalFilter {
  readonly operationId?: OperationId;
  readonly status?: number;
  /** Entries after this sequence number. */
  readonly since?: number;
  /** At most this many entries, the newest ones. */
  readonly limit?: number;
}

/** Limits of a journal. */
export interface JournalLimits {
  readonly entries: number;
  readonly bytes: number;
}

/** The size of all journals of an emulator, in bytes. */
export interface JournalBudget {
  bytes: number;
}

/** Default number of requests that the journal keeps. Keeping more makes every request slower. */
export const defaultJournalEntryCount = 250;
/** Maximum number of requests that the journal can keep. */
export const maxJournalEntries = 100_000;
const maxBytes = 8 * 1024 * 1024;
/** Approximate size of an entry without its bodies. */
const entryOverheadBytes = 1024;

/** The newest requests and responses of a namespace, in a ring buffer with a maximum number of entries and a maximum size. */
export class Journal {
  /** Whether requests are recorded or reported to `onRequest`. */
  readonly isOn: boolean;
  /** Whether the journal keeps any entries. */
  isKept: boolean;
  readonly #onRequest: ((request: CompletedRequest) => void) | undefined;
  readonly #limits: JournalLimits;
  readonly #budget: JournalBudget;
  /** A ring buffer: the last position is followed by the first. A map would make every request some microseconds slower. */
  #ring: (RecordedExchange | undefined)[] = [];
  /** The sizes of the entries, so that dropping an entry does not load it into the cache again. */
  #sizes: number[] = [];
  /** Position of the oldest entry. */
  #first = 0;
  #count = 0;
  #bytes = 0;
  #dropped = 0;
  #sequence = 0;

  /**
   * @param entries the number of requests to keep; 0 for none
   * @param budget the size of the journals of all namespaces
   */
  constructor({
    entries = defaultJournalEntryCount,
    bytes = maxBytes,
    budget = { bytes: 0 },
    onRequest,
  }: Partial<JournalLimits> & {
    readonly budget?: JournalBudget;
    readonly onRequest?: ((request: CompletedRequest) => void) | undefined;
  } = {}) {
    this.isKept = entries > 0;
    this.isOn = this.isKept || onRequest !== undefined;
    this.#onRequest = onRequest;
    this.#limits = { entries, bytes };
    this.#budget = budget;
  }

  /** Number of older entries that are no longer kept. */
  get dropped(): number {
    return this.#dropped;
  }

  /** The sequence number of the newest entry so far; 0 if there was none. */
  get newest(): number {
    return this.#sequence;
  }

  record(exchange: RecordedExchange): void {
    this.#onRequest?.(toCompletedRequest(exchange));
    if (!this.isKept) return;
    this.#sequence += 1;
    exchange.sequence = this.#sequence;
    const { entries, bytes } = this.#limits;
    if (this.#count === entries) this.#drop();
    const place = (this.#first + this.#count) % entries;
    const size = getSize(exchange);
    this.#ring[place] = exchange;
    this.#sizes[place] = size;
    this.#count += 1;
    this.#add(size);
    while (this.#bytes > bytes || (this.#budget.bytes > emulatorLimits.journalBytes && this.#count > 0))
      this.#drop();
  }

  /** Returns the entries that match a filter, oldest first, with credentials redacted. */
  entries(filter: JournalFilter = {}): JournalEntry[] {
    return this.select(filter).map(toJournalEntry);
  }

  select({ operationId, status, since = 0, limit = Infinity }: JournalFilter = {}): RecordedExchange[] {
    const oldestFirst = [...this.#ring.slice(this.#first), ...this.#ring.slice(0, this.#first)];
    const matching = oldestFirst.filter(
      (entry): entry is RecordedExchange =>
        entry !== undefined &&
        entry.sequence > since &&
        (operationId === undefined || entry.operationId === operationId) &&
        (status === undefined || entry.status === status),
    );
    return matching.slice(Math.max(0, matching.length - limit));
  }

  /** Deletes all entries. The sequence numbers continue, so that clients that poll for newer entries miss none. */
  clear(): void {
    this.#ring = [];
    this.#sizes = [];
    this.#first = 0;
    this.#count = 0;
    this.#add(-this.#bytes);
    this.#dropped = 0;
  }

  /** Deletes all entries and stops recording. */
  close(): void {
    this.clear();
    this.isKept = false;
  }

  /** Deletes all entries, and restarts the sequence numbers. */
  reset(): void {
    this.clear();
    this.#sequence = 0;
  }

  #add(bytes: number): void {
    this.#bytes += bytes;
    this.#budget.bytes += bytes;
  }

  /** Drops the oldest entry. */
  #drop(): void {
    this.#add(-(this.#sizes[this.#first] ?? 0));
    this.#ring[this.#first] = undefined;
    this.#first = (this.#first + 1) % this.#limits.entries;
    this.#count -= 1;
    this.#dropped += 1;
  }
}

function getSize({ requestBody, requestHeaders, responseBody, path }: RecordedExchange): number {
  const bodies = (requestBody?.keptLength ?? 0) + (responseBody?.keptLength ?? 0);
  let bytes = entryOverheadBytes + path.length + bodies;
  // Headers of in-process requests are not counted.
  if (!(requestHeaders instanceof Headers)) for (const text of requestHeaders) bytes += text.length;
  return bytes;
}

/** An exchange for `onRequest`. Costly fields are getters, because most logs read only a few. */
function toCompletedRequest(exchange: RecordedExchange): CompletedRequest {
  const { method, namespace, status, durationMs, operationId, caller, faults } = exchange;
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
    faults,
    get unknownFields() {
      return listUnknownFields(exchange);
    },
  };
}

/** Returns the message of an error in any of the error formats. */
function getDetail({ responseBody }: RecordedExchange): string | undefined {
  if (responseBody === null) return undefined;
  return tryTo(() => {
    const { detail, message } = JSON.parse(responseBody.toString()) as Readonly<Record<string, unknown>>;
    const text = detail ?? message;
    return typeof text === "string" ? text : undefined;
  });
}
