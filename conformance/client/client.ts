import type { OpenAPIObject } from "openapi3-ts/oas31";
import type { OperationId } from "../../openapi/service.js";
import type { ContractValidator } from "../../openapi/validate.js";
import { ClauseViolation, NoAnswer, OutOfTime, RunTrouble } from "../violation.js";
import { blame } from "./blame.js";
import type { Contract } from "./contracts.js";
import type { Exchange, Fetch, Intent } from "./exchange.js";
import { readPlain } from "./json-text.js";
import { Pace, type Politeness } from "./pace.js";
import { isWrite, ReadLag } from "./read-lag.js";
import type { Recorder } from "./recorder.js";
import { fillPath, type MountedRoute, type Routes } from "./routes.js";
import type { Secrets } from "./secrets.js";

/** A deployment that asks for more patience than this ends the check. */
const longestWaitMs = 60_000;

/** Who sends a request. */
export interface Caller {
  /** Shown in reports: `owner`, `key database:read`. */
  readonly name: string;
  /** The text after `Bearer `; nothing for an anonymous caller. */
  readonly credential?: string;
}

/** Sends no credential. */
export const anonymous: Caller = { name: "anonymous" };

/** Bears a credential that nobody issued. */
export const impostor: Caller = { name: "nonsense", credential: "no-credential-at-all" };

/** One request as a check states it. */
export interface Call {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is, in place of `body`. */
  readonly rawBody?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly as?: Caller;
  /** `invalid` for a request with a deliberate fault; it is counted apart. */
  readonly intent?: Intent;
  /** Not what the check is about, see {@link Exchange.setUp}. */
  readonly setUp?: boolean;
  /** Another base URL than the client's. */
  readonly at?: string;
  /** Take 429 and 503 as they come, where a check is about them. */
  readonly impatient?: boolean;
}

/** An answer as checks look at it. */
export interface Answer {
  readonly status: number;
  /** The value of a header, by its name in any case. */
  readonly header: (name: string) => string | undefined;
  /** The body as it came: what number texts have to be read from. */
  readonly text: string;
  /** The parsed body; `undefined` when it is empty. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- checks look into bodies that the client has validated
  readonly body: any;
  readonly exchange: Exchange;
}

export interface ClientOptions {
  readonly baseUrl: string;
  readonly fetch: Fetch;
  /** The open document, and beside it the strict one where the profile of the deployment is known. */
  readonly open: Contract;
  readonly strict?: Contract;
  readonly routes: Routes;
  readonly recorder: Recorder;
  readonly secrets: Secrets;
  readonly politeness: Politeness;
  /** Milliseconds for which reads may not show a write: a read waits so long for the last one. */
  readonly readLagMs?: number;
  /** Milliseconds after which a request counts as unanswered. */
  readonly timeoutMs: number;
  /** When the run has to end, as milliseconds since 1970. */
  readonly deadline: () => number;
}

/**
 * Sends requests to a deployment, keeps them with their answers, and holds every answer against the contract,
 * so that no check can forget to.
 */
export class Client {
  readonly #options: ClientOptions;
  readonly #open: ContractValidator;
  readonly #strict: ContractValidator | undefined;
  readonly #strictIds: ReadonlyMap<string, string>;
  readonly #pace: Pace;
  readonly #lag: ReadLag;
  readonly #finding = new Map<OperationId, Promise<Answer>>();

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#open = options.open.validator;
    this.#strict = options.strict?.validator;
    this.#strictIds = idsByRoute(options.strict?.document);
    this.#pace = new Pace(options.politeness);
    this.#lag = new ReadLag(options.readLagMs ?? 0);
  }

  get baseUrl(): string {
    return this.#options.baseUrl;
  }

  /** The path of an operation here, with its parameters in braces; where it is open, as far as it is known by now. */
  pathOf(operationId: OperationId): string {
    return this.#options.routes
      .wayOf(operationId)
      .map(({ path }) => path)
      .join(" ");
  }

  /**
   * Calls an operation of the service.
   *
   * @throws ClauseViolation when the answer does not fit the contract
   * @throws RunTrouble when there is no answer
   */
  async call(operationId: OperationId, call: Call = {}): Promise<Answer> {
    const { routes } = this.#options;
    // requests side by side find out once
    await this.#finding.get(operationId)?.catch(() => undefined);
    if (routes.isSettled(operationId))
      return this.#callAt(operationId, routes.route(operationId, call.path ?? {}), call);
    const found = this.#find(operationId, call);
    this.#finding.set(operationId, found);
    return found.finally(() => this.#finding.delete(operationId));
  }

  /** Tries the known ways to an operation until one of them leads there. */
  async #find(operationId: OperationId, call: Call): Promise<Answer> {
    const { routes } = this.#options;
    for (const [way] of routes.ways(operationId).entries()) {
      const route = routes.route(operationId, call.path ?? {}, way);
      const answer = await this.#exchange(operationId, route, call);
      // an unknown path or method is no answer of the operation
      if ([404, 405].includes(answer.status)) continue;
      routes.settle(operationId, way);
      this.#validate(operationId, route, answer);
      return answer;
    }
    throw new RunTrouble(
      `none of the known paths of ${operationId} exists here: ${routes
        .ways(operationId)
        .flat()
        .map(({ method, path }) => `${method.toUpperCase()} ${path}`)
        .join(", ")}; name the right one in the target file, under \`profile\``,
    );
  }

  async #callAt(operationId: OperationId, route: MountedRoute, call: Call): Promise<Answer> {
    const answer = await this.#exchange(operationId, route, call);
    this.#validate(operationId, route, answer);
    return answer;
  }

  async #exchange(operationId: OperationId, route: MountedRoute, call: Call): Promise<Answer> {
    const query = new URLSearchParams(
      Object.entries(call.query ?? {}).map(([name, value]): [string, string] => [name, String(value)]),
    ).toString();
    const target = fillPath(route.path, call.path ?? {}) + (query === "" ? "" : `?${query}`);
    return this.send(route.method.toUpperCase(), target, call, operationId);
  }

  /**
   * Sends a request to any path under the base URL. The answer is kept, but held against nothing.
   *
   * @param target path and query, percent-encoded
   */
  async send(method: string, target: string, call: Call = {}, operationId?: OperationId): Promise<Answer> {
    const { retries } = this.#options.politeness;
    for (let attempt = 0; ; attempt++) {
      const writes = isWrite(method, call.body ?? call.rawBody, operationId);
      if (!writes) await this.#lag.wait();
      const answer = await this.#pace.run(() => this.#sendOnce(method, target, call, operationId));
      if (writes) this.#lag.written();
      const again = retryAfterMs(answer);
      if (again === undefined || call.impatient === true) return answer;
      if (attempt >= retries)
        throw new RunTrouble(
          `the deployment still answers ${answer.status} with Retry-After after ${retries} tries; ` +
            "lower `politeness.requestsPerSecond` in the target file",
        );
      if (again > longestWaitMs)
        throw new RunTrouble(`the deployment asks to be left alone for ${Math.round(again / 1000)} s`);
      await this.#pace.hold(Math.min(again, this.#options.deadline() - Date.now()));
    }
  }

  async #sendOnce(method: string, target: string, call: Call, operationId?: OperationId): Promise<Answer> {
    const { baseUrl, recorder, timeoutMs, deadline } = this.#options;
    if (Date.now() >= deadline()) throw new OutOfTime("the time of the run is up");
    const url = (call.at ?? baseUrl) + target;
    const { as = anonymous } = call;
    const body = call.rawBody ?? (call.body === undefined ? undefined : JSON.stringify(call.body));
    const headers: Record<string, string> = {
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      ...(as.credential === undefined ? {} : { Authorization: `Bearer ${as.credential}` }),
      ...call.headers,
    };
    const startedAt = Date.now();
    const started = performance.now();
    const record = (rest: Pick<Exchange, "answer" | "failure">): Exchange => {
      const exchange: Exchange = {
        number: recorder.next(),
        operationId,
        intent: call.intent ?? "valid",
        caller: as.name,
        setUp: call.setUp === true || operationId === undefined,
        request: { method, url, headers, body },
        startedAt,
        durationMs: performance.now() - started,
        ...rest,
      };
      recorder.add(exchange);
      return exchange;
    };
    try {
      const response = await this.#options.fetch(url, {
        method,
        headers,
        ...(body === undefined ? {} : { body }),
        redirect: "manual",
        signal: AbortSignal.timeout(Math.max(1, Math.min(timeoutMs, deadline() - startedAt))),
      });
      const text = await response.text();
      const kept = Object.fromEntries(response.headers);
      const exchange = record({ answer: { status: response.status, headers: kept, body: text } });
      return {
        status: response.status,
        header: (name) => kept[name.toLowerCase()],
        text,
        body: parse(text),
        exchange,
      };
    } catch (error) {
      const failure = reasonOf(error, timeoutMs);
      record({ answer: undefined, failure });
      if (Date.now() >= deadline()) throw new OutOfTime("the time of the run is up");
      throw new NoAnswer(`${method} ${url} got no answer: ${failure}`);
    }
  }

  /** Holds an answer against the open document, and the strict one where it is known. */
  #validate(operationId: OperationId, route: MountedRoute, answer: Answer): void {
    const parts = { status: answer.status, header: answer.header, body: answer.body as unknown };
    const strictId = this.#strictIds.get(`${route.method} ${route.path}`);
    const violations = [
      ...this.#open.response(route.documentId, parts),
      ...(strictId === undefined ? [] : (this.#strict?.response(strictId, parts) ?? [])),
    ];
    const [first] = violations;
    if (first === undefined) return;
    // a text where JSON was announced shows no more than that
    const isJson = typeof answer.body !== "string" || answer.text.startsWith('"');
    throw new ClauseViolation(
      isJson ? blame(operationId, answer.status, first) : "GEN-06",
      `an answer of ${operationId} that fits the contract`,
      `status ${answer.status}, ${first.in} ${first.pointer}: ${first.detail}`,
    );
  }
}

function idsByRoute(document: OpenAPIObject | undefined): ReadonlyMap<string, string> {
  const ids = new Map<string, string>();
  for (const [path, item] of Object.entries(document?.paths ?? {}))
    for (const [method, operation] of Object.entries(item as Record<string, { operationId?: string }>))
      if (operation.operationId !== undefined) ids.set(`${method} ${path}`, operation.operationId);
  return ids;
}

function parse(text: string): unknown {
  if (text === "") return undefined;
  try {
    return readPlain(text);
  } catch {
    // the validator refuses a text where the contract wants JSON
    return text;
  }
}

/** How long a deployment asks to be left alone. */
function retryAfterMs(answer: Answer): number | undefined {
  if (answer.status !== 429 && answer.status !== 503) return undefined;
  const given = answer.header("retry-after");
  if (given === undefined) return undefined;
  const seconds = /^\d+$/.test(given) ? Number(given) : (Date.parse(given) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds * 1000) : undefined;
}

function reasonOf(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return `no answer within ${timeoutMs} ms`;
  const cause = error.cause instanceof Error ? error.cause : undefined;
  const code = (cause as { code?: string } | undefined)?.code;
  return [error.message, cause?.message, code].filter((part) => part !== undefined && part !== "").join(": ");
}
