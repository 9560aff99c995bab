import type { OperationId } from "../../openapi/service.js";
import type { Exchange } from "./exchange.js";

/** How often an operation was called, and how long its answers took. */
export interface OperationCount {
  /** Requests meant to be accepted that were. */
  accepted: number;
  /** Requests with a deliberate fault that were refused, or ignored where the contract says so. */
  invalid: number;
  /** Milliseconds of every answer, in order. */
  readonly durations: number[];
}

/** Keeps the exchanges of the check under way, and the counts of the run. */
export class Recorder {
  readonly counts = new Map<OperationId, OperationCount>();
  #exchanges: Exchange[] = [];
  #kept: Exchange[] = [];
  #number = 0;
  #dropped = 0;
  readonly #keep: number;

  /** @param keep how many exchanges of the run are kept for `exchanges.har`, the newest ones */
  constructor(keep = 20_000) {
    this.#keep = keep;
  }

  next(): number {
    return ++this.#number;
  }

  add(exchange: Exchange): void {
    this.#exchanges.push(exchange);
    this.#kept.push(exchange);
    if (this.#kept.length > this.#keep * 2) {
      this.#dropped += this.#kept.length - this.#keep;
      this.#kept = this.#kept.slice(-this.#keep);
    }
    const { operationId } = exchange;
    if (operationId === undefined) return;
    let count = this.counts.get(operationId);
    if (count === undefined)
      this.counts.set(operationId, (count = { accepted: 0, invalid: 0, durations: [] }));
    if (exchange.answer === undefined) return;
    count.durations.push(exchange.durationMs);
    if (exchange.intent === "invalid") count.invalid++;
    else if (exchange.answer.status < 400) count.accepted++;
  }

  /** The exchanges since the last call of {@link Recorder.forget}. */
  get recent(): readonly Exchange[] {
    return this.#exchanges;
  }

  /** Starts a new example. */
  forget(): void {
    this.#exchanges = [];
  }

  /** Counts the exchanges so far as set-up of what follows. */
  settle(): void {
    this.#exchanges = this.#exchanges.map((exchange) =>
      exchange.setUp ? exchange : { ...exchange, setUp: true },
    );
  }

  /** Number of requests so far. */
  get total(): number {
    return this.#number;
  }

  /** The newest exchanges of the run, and how many older ones were let go. */
  get kept(): { readonly exchanges: readonly Exchange[]; readonly dropped: number } {
    const surplus = Math.max(0, this.#kept.length - this.#keep);
    return { exchanges: this.#kept.slice(surplus), dropped: this.#dropped + surplus };
  }
}
