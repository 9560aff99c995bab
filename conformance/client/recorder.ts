import type { OperationId } from "../../openapi/operations/register.js";
import { findCreatedKind } from "./created-kinds.js";
import { truncateResponse, truncateBodies } from "./truncate-body.js";
import type { Exchange, CallBehavior } from "./exchange.js";

/** Numbers of calls of an operation. */
interface OperationCounts {
  /** Number of valid requests that were accepted. */
  accepted: number;
  /** Number of requests with a deliberate fault. */
  invalid: number;
  /** Number of all responses. */
  answered: number;
}

/** Bodies in a log, and responses in a report, are truncated to this many characters. */
export const maxKeptCharacters = 32_768;

/** Maximum number of characters of all bodies in a log, so that a long run does not exhaust the memory. */
const maxLogCharacters = 100_000_000;

/** Response bodies are truncated to this many characters; request bodies are kept, so that they can be sent again. */
const maxAnswerCharacters = 524_288;

/** The newest exchanges of a run, with truncated bodies. */
class ExchangeLog {
  #exchanges: Exchange[] = [];
  #characters = 0;
  #dropped = 0;

  /** @param max number of exchanges to keep */
  constructor(
    private readonly max: number,
    private readonly truncate: typeof truncateBodies,
  ) {}

  add(exchange: Exchange): void {
    if (this.max === 0) return;
    const truncated = this.truncate(exchange, maxKeptCharacters);
    this.#exchanges.push(truncated);
    this.#characters += countBodyCharacters(truncated);
    if (this.#exchanges.length <= this.max * 2 && this.#characters <= maxLogCharacters) return;
    const surplus = Math.max(this.#exchanges.length - this.max, this.#exchanges.length >> 1);
    this.#dropped += surplus;
    this.#exchanges = this.#exchanges.slice(surplus);
    this.#characters = this.#exchanges.reduce((sum, one) => sum + countBodyCharacters(one), 0);
  }

  /** The newest exchanges, and the number of dropped older ones. */
  get content(): { readonly exchanges: readonly Exchange[]; readonly dropped: number } {
    const surplus = Math.max(0, this.#exchanges.length - this.max);
    return { exchanges: this.#exchanges.slice(surplus), dropped: this.#dropped + surplus };
  }
}

/** Records the exchanges of the current check and the counts of the run. */
export class Recorder {
  readonly #counts = new Map<OperationId, OperationCounts>();
  readonly #parent: Recorder | undefined;
  #exchanges: Exchange[] = [];
  #setupRequests: readonly Exchange[] | undefined;
  #number = 0;
  /** A log for each operation, so that thousands of tables do not push out the session and the database. */
  readonly #creatingRequests = new Map<OperationId | undefined, ExchangeLog>();
  readonly #kept: ExchangeLog;
  readonly #onExchange: ((exchange: Exchange, behavior: CallBehavior) => void) | undefined;

  /**
   * @param keep number of exchanges to keep for `exchanges.har`, the newest ones
   * @param onExchange called with each exchange of a forked recorder
   */
  constructor(
    keep = 0,
    parent?: Recorder,
    onExchange?: (exchange: Exchange, behavior: CallBehavior) => void,
  ) {
    this.#kept = new ExchangeLog(keep, truncateBodies);
    this.#parent = parent;
    this.#onExchange = onExchange;
  }

  /** Returns a recorder for one of several concurrent checks; the counts are shared. */
  fork(): Recorder {
    return new Recorder(0, this, this.#onExchange);
  }

  get counts(): ReadonlyMap<OperationId, OperationCounts> {
    return this.#parent?.counts ?? this.#counts;
  }

  /** Returns the number of the next exchange of the run. */
  takeNumber(): number {
    this.#number++;
    return this.#parent?.takeNumber() ?? this.#number;
  }

  add(exchange: Exchange, behavior: CallBehavior = {}): void {
    this.#exchanges.push(truncateResponse(exchange, maxAnswerCharacters));
    if (this.#parent !== undefined) this.#onExchange?.(exchange, behavior);
    (this.#parent ?? this).count(exchange);
  }

  /** Counts an exchange and keeps it. */
  count(exchange: Exchange): void {
    const { operationId } = exchange;
    if (createsResource(exchange)) {
      const log =
        this.#creatingRequests.get(operationId) ?? new ExchangeLog(maxCreatingRequests, truncateResponse);
      this.#creatingRequests.set(operationId, log);
      log.add(exchange);
    }
    this.#kept.add(exchange);
    if (operationId === undefined) return;
    let count = this.#counts.get(operationId);
    if (count === undefined)
      this.#counts.set(operationId, (count = { accepted: 0, invalid: 0, answered: 0 }));
    if (exchange.answer === undefined) return;
    count.answered++;
    if (exchange.intent === "invalid") count.invalid++;
    else if (exchange.intent === "valid" && exchange.answer.status < 400) count.accepted++;
  }

  /** The exchanges since the check or its current example began. */
  get recent(): readonly Exchange[] {
    return this.#exchanges;
  }

  /** Starts a new check. */
  beginCheck(): void {
    this.#exchanges = [];
    this.#setupRequests = undefined;
  }

  /** Starts a new example. */
  beginExample(): void {
    this.#setupRequests ??= this.#exchanges;
    this.#exchanges = [];
  }

  /** The exchanges of the check before its first example, on which all examples depend. */
  get setupRequests(): readonly Exchange[] {
    return this.#setupRequests ?? [];
  }

  /** The newest exchanges of each operation that created sessions, users, keys and resources, in order of their numbers. */
  get creatingRequests(): readonly Exchange[] {
    if (this.#parent !== undefined) return this.#parent.creatingRequests;
    return [...this.#creatingRequests.values()]
      .flatMap(({ content }) => content.exchanges)
      .sort((a, b) => a.number - b.number);
  }

  /** Marks the exchanges so far as setup. */
  markSetUpDone(): void {
    this.#exchanges = this.#exchanges.map((exchange) =>
      exchange.setUp ? exchange : { ...exchange, setUp: true },
    );
  }

  /** Number of requests recorded here so far. */
  get total(): number {
    return this.#number;
  }

  /** The newest exchanges of the run, and the number of dropped older ones. */
  get kept(): ExchangeLog["content"] {
    return this.#kept.content;
  }
}

/** Operations whose responses have tokens that other requests contain. */
const sessionOperations: ReadonlySet<OperationId> = new Set([
  "login",
  "refreshSession",
  "switchOrganization",
]);

/** Maximum number of kept exchanges of an operation that created something; more than any check needs. */
const maxCreatingRequests = 3000;

function createsResource({ operationId, request, answer }: Exchange): boolean {
  if (answer === undefined || answer.status >= 300) return false;
  return operationId === undefined
    ? request.method !== "GET" && request.url.includes("/_emulator/")
    : sessionOperations.has(operationId) || findCreatedKind(operationId) !== undefined;
}

function countBodyCharacters({ request, answer }: Exchange): number {
  return (request.body?.length ?? 0) + (answer?.body.length ?? 0);
}
