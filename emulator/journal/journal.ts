import type { OperationId } from "../../openapi/service.js";
import { CutBody, type RecordedBody } from "./recorded-body.js";
import type { JournalEntry, RecordedExchange } from "./recorded-exchange.js";
import { showEntry } from "./show-entry.js";

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

/** How many requests are remembered unless another number is asked for: what lives longer costs every request more. */
export const usualEntries = 250;
/** The most that may be asked for. */
export const mostEntries = 100_000;
const mostBytes = 8 * 1024 * 1024;
/** What an entry takes beside its bodies, roughly. */
const bytesOfEntry = 1024;

/** The newest requests and answers of a namespace, in a ring that is bounded by number and size. */
export class Journal {
  /** Whether anything is recorded. */
  readonly isOn: boolean;
  readonly #bounds: JournalBounds;
  /** Oldest first from `#first` on; what lies before it is dropped. */
  #ring: (RecordedExchange | undefined)[] = [];
  #first = 0;
  #bytes = 0;
  #dropped = 0;
  #sequence = 0;

  /** @param entries how many requests are remembered; none with 0 */
  constructor({ entries = usualEntries, bytes = mostBytes }: Partial<JournalBounds> = {}) {
    this.isOn = entries > 0;
    this.#bounds = { entries, bytes };
  }

  /** How many entries made room for newer ones. */
  get dropped(): number {
    return this.#dropped;
  }

  record(exchange: RecordedExchange): void {
    this.#sequence += 1;
    exchange.sequence = this.#sequence;
    this.#ring.push(exchange);
    this.#bytes += sizeOf(exchange);
    const { entries, bytes } = this.#bounds;
    while (this.#ring.length - this.#first > entries || this.#bytes > bytes) this.#drop();
  }

  /** The entries that a filter lets through, oldest first, as they may be shown. */
  entries(filter: JournalFilter = {}): JournalEntry[] {
    return this.select(filter).map(showEntry);
  }

  select({ operationId, status, since = 0, limit = Infinity }: JournalFilter = {}): RecordedExchange[] {
    const wanted = this.#ring
      .slice(this.#first)
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
    this.#first = 0;
    this.#bytes = 0;
    this.#dropped = 0;
  }

  /** As at the start. */
  reset(): void {
    this.clear();
    this.#sequence = 0;
  }

  #drop(): void {
    const oldest = this.#ring[this.#first];
    if (oldest === undefined) return;
    this.#bytes -= sizeOf(oldest);
    this.#ring[this.#first] = undefined;
    this.#first += 1;
    this.#dropped += 1;
    // moving the rest to the front now and then costs less than doing it with every entry
    if (this.#first * 2 > this.#ring.length) {
      this.#ring = this.#ring.slice(this.#first);
      this.#first = 0;
    }
  }
}

function sizeOf({ requestBody, responseBody, path }: RecordedExchange): number {
  return bytesOfEntry + path.length + kept(requestBody) + kept(responseBody);
}

function kept(body: RecordedBody): number {
  if (body === null) return 0;
  return body instanceof CutBody ? body.beginning.length : body.length;
}
