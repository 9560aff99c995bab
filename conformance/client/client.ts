import type { OperationId } from "../../openapi/operations/register.js";
import type { ContractValidator, Violation } from "../../openapi/validation/contract-validator.js";
import { fillPath } from "../../openapi/text/path-template.js";
import {
  BrokenConnectionError,
  ClauseViolation,
  NoResponseError,
  DeadlineExceededError,
  RunError,
  UnknownRouteError,
} from "./violation.js";
import { findBrokenClause } from "./answer-clauses.js";
import { describeViolation } from "./describe-violation.js";
import type { Contract } from "./contracts.js";
import type { Exchange, Fetch, RequestIntent } from "./exchange.js";
import { isClientError } from "./is-client-error.js";
import { parseBody } from "./json-text.js";
import { RateLimiter, type RateLimits } from "./rate-limiter.js";
import { getBackoffMs, getRetryPlan } from "./get-retry-plan.js";
import { type SendRequest, createRequestSender } from "./send-request.js";
import { isWrite, ReadLag } from "./read-lag.js";
import type { Recorder } from "./recorder.js";
import { mapIdsByRoute, type DocumentedRoute, type RouteTable } from "./routes.js";
import type { SecretMasker } from "./secrets.js";
import { systemTime, type TimeSource } from "./time-source.js";

/** Longest pause, in milliseconds, that a deployment may ask for; for a longer pause, the check ends. */
const maxWaitMs = 60_000;

/** Maximum number of redirects per request. */
const maxRedirects = 5;

/** Maximum number of new logins per request: another session of the user may end the new one. */
const maxRenewals = 3;

/** The sender of a request. */
export interface Caller {
  /** Shown in reports: `owner`, `key database:read`. */
  readonly name: string;
  /** The text after `Bearer `; undefined for an anonymous caller. */
  readonly credential?: string;
}

/** The caller without a credential. */
export const anonymous: Caller = { name: "anonymous" };

/** A caller with a made-up credential. */
export const callerWithUnknownCredential: Caller = { name: "nonsense", credential: "no-credential-at-all" };

/** A request as a check describes it. */
export interface CallOptions {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent unchanged, instead of `body`. */
  readonly rawBody?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly as?: Caller | undefined;
  /** `invalid` for a request with a deliberate fault; counted separately. */
  readonly intent?: RequestIntent;
  /** Whether the request is setup; see {@link Exchange.setUp}. */
  readonly setUp?: boolean;
  /** Base URL. Defaults to that of the client. */
  readonly at?: string;
  /** Whether to return 429 and 503 instead of retrying. */
  readonly impatient?: boolean;
  /** Whether to ignore the rate limit of the client, to look for a rate limit if the target file allows it. */
  readonly unpaced?: boolean;
  /** Whether to skip validation of the answer against the contract. */
  readonly unjudged?: boolean;
  /** Whether to return a refused credential instead of logging in again. */
  readonly asIs?: boolean;
}

/** An answer as checks see it. */
export interface ApiResponse {
  readonly status: number;
  /** Returns the value of a header; the name is not case-sensitive. */
  readonly header: (name: string) => string | undefined;
  /** The body as received, with numbers as they were written. */
  readonly text: string;
  /** The parsed body; `undefined` when it is empty. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- checks look into bodies that the client has validated
  readonly body: any;
  readonly exchange: Exchange;
}

export interface ClientOptions {
  /** Base URL without a trailing slash. */
  readonly baseUrl: string;
  readonly fetch: Fetch;
  /** The open document and, if the profile of the deployment is known, the strict one. */
  readonly open: Contract;
  readonly strict?: Contract;
  readonly routes: RouteTable;
  readonly recorder: Recorder;
  readonly secrets: SecretMasker;
  readonly politeness: RateLimits;
  /** How far reads may lag behind writes, in milliseconds; a read waits until this much time has passed since the last write. */
  readonly readLagMs?: number;
  /** Source of time for waiting. Defaults to the clock of the machine. */
  readonly time?: TimeSource;
  /** Time after which a request counts as unanswered, in milliseconds. */
  readonly timeoutMs: number;
  /** When the run must end, in milliseconds since 1970. */
  readonly deadline: () => number;
  /** Whether answers are validated against the contract. Defaults to true; a comparison of deployments does not need it. */
  readonly judges?: boolean | undefined;
  /** Logs in a caller again if a refusal shows that the session has ended; otherwise returns undefined. */
  readonly renew?: (as: Caller, refusal: ApiResponse) => Promise<Caller | undefined>;
  /** Returns a call of an operation with an unknown route that succeeds whenever the route is right. */
  readonly sureCall?: (operationId: OperationId) => Promise<CallOptions>;
  /** Whether another check has reported a breach of the contract; each is reported once, and this check continues. */
  readonly isReported?: (breach: string) => boolean;
}

/** State shared by the clients of a run. */
interface Shared {
  readonly pace: RateLimiter;
  readonly lag: ReadLag;
  readonly finding: Map<OperationId, Promise<ApiResponse>>;
  readonly strictIds: ReadonlyMap<string, string>;
}

/**
 * Sends requests to a deployment, records the requests and responses, and validates every response against the contract,
 * so that checks need not do so.
 */
export class Client {
  readonly #options: ClientOptions;
  readonly #open: ContractValidator;
  readonly #strict: ContractValidator | undefined;
  readonly #shared: Shared;
  readonly #send: SendRequest;

  constructor(options: ClientOptions, shared?: Shared) {
    this.#options = options;
    this.#send = createRequestSender(options.fetch);
    this.#open = options.open.validator;
    this.#strict = options.strict?.validator;
    this.#shared = shared ?? {
      pace: new RateLimiter(options.politeness, options.time),
      lag: new ReadLag(options.readLagMs ?? 0),
      finding: new Map(),
      strictIds: mapIdsByRoute(options.strict?.document ?? { paths: {} }),
    };
  }

  /** Returns a client with the same rate limit that records its exchanges elsewhere and ignores breaches already reported. */
  recordingTo(recorder: Recorder, isReported?: ClientOptions["isReported"]): Client {
    return new Client({ ...this.#options, recorder, ...(isReported && { isReported }) }, this.#shared);
  }

  /** Returns a client with the same rate limit that does not validate answers. */
  unjudging(): Client {
    return new Client({ ...this.#options, judges: false }, this.#shared);
  }

  get baseUrl(): string {
    return this.#options.baseUrl;
  }

  /** Notes that lists of databases, organizations and the like lag; reading a list then waits this long after the last write. */
  waitForLists(milliseconds: number): void {
    this.#shared.lag.listsLag(milliseconds);
  }

  /** Source of time for waiting. */
  get time(): TimeSource {
    return this.#options.time ?? systemTime;
  }

  /** Returns the path of an operation with parameters in braces; if the path is open, the one known so far. */
  pathOf(operationId: OperationId): string {
    return this.#options.routes
      .wayOf(operationId)
      .map(({ path }) => path)
      .join(" ");
  }

  /**
   * Calls an operation of the service.
   *
   * @throws ClauseViolation when the answer does not match the contract
   * @throws RunError when there is no answer
   */
  async call(operationId: OperationId, call: CallOptions = {}): Promise<ApiResponse> {
    const { routes } = this.#options;
    // concurrent requests find the route only once
    await this.#shared.finding.get(operationId)?.catch(() => undefined);
    if (routes.hasKnownWay(operationId))
      return this.#callAt(operationId, routes.route(operationId, call.path ?? {}), call);
    const found = this.#find(operationId, call);
    this.#shared.finding.set(operationId, found);
    return found.finally(() => this.#shared.finding.delete(operationId));
  }

  /**
   * Calls an operation whose route is not certain. If the first route seems to be wrong, the right one is the route that
   * accepts a call that no deployment may refuse.
   */
  async #find(operationId: OperationId, call: CallOptions): Promise<ApiResponse> {
    const { routes, sureCall } = this.#options;
    const ways = [...routes.ways(operationId).keys()];
    const callAt = (way: number, given: CallOptions) =>
      this.#callAt(operationId, routes.route(operationId, given.path ?? {}, way), given);
    const first = await callAt(0, { ...call, unjudged: true });
    let way: number | undefined = isMissingRoute(first) ? undefined : 0;
    const statuses = [first.status];
    const sure: CallOptions = way === undefined ? ((await sureCall?.(operationId)) ?? call) : call;
    for (const other of way === undefined ? ways : []) {
      if (other === 0 && sure === call) continue;
      const answer = await callAt(other, { ...sure, unjudged: true });
      statuses[other] = answer.status;
      if (isMissingRoute(answer)) continue;
      way = other;
      break;
    }
    if (way === undefined) throw new UnknownRouteError(routes.unknown(operationId, statuses));
    routes.rememberWay(operationId, way);
    if (way > 0) return callAt(way, call);
    if (call.unjudged !== true)
      this.#validate(operationId, routes.route(operationId, call.path ?? {}), first);
    return first;
  }

  async #callAt(operationId: OperationId, route: DocumentedRoute, call: CallOptions): Promise<ApiResponse> {
    const answer = await this.#exchange(operationId, route, call);
    if (call.unjudged !== true) this.#validate(operationId, route, answer);
    return answer;
  }

  async #exchange(operationId: OperationId, route: DocumentedRoute, call: CallOptions): Promise<ApiResponse> {
    const query = new URLSearchParams(
      Object.entries(call.query ?? {}).map(([name, value]): [string, string] => [name, String(value)]),
    ).toString();
    const { path = {} } = call;
    const target = fillPath(route.path, path) + (query === "" ? "" : `?${query}`);
    const method = route.method.toUpperCase();
    let { as } = call;
    for (let renewals = 0; ; renewals++) {
      const answer = await this.send(method, target, { ...call, path, as }, operationId);
      if (call.asIs === true || as === undefined || !isClientError(answer) || renewals === maxRenewals)
        return answer;
      as = await this.#options.renew?.(as, answer);
      if (as === undefined) return answer;
    }
  }

  /**
   * Sends a request to any path under the base URL. The answer is recorded but not validated.
   *
   * @param target path and query, percent-encoded
   */
  async send(
    method: string,
    target: string,
    call: CallOptions = {},
    operationId?: OperationId,
  ): Promise<ApiResponse> {
    const { retries } = this.#options.politeness;
    const writes = isWrite(method, call.body ?? call.rawBody, operationId);
    let redirects = 0;
    for (let attempt = 0; ; attempt++) {
      if (!writes) await this.#shared.lag.wait(operationId);
      const manner = attempt === 0 ? call : { ...call, isAgain: true };
      const answer = await this.#attempt(method, target, manner, operationId, !writes && attempt < retries);
      if (writes) this.#shared.lag.written(operationId);
      const onward = answer === undefined ? undefined : this.#redirected(answer, call.at);
      if (onward !== undefined && redirects++ < maxRedirects) {
        target = onward;
        attempt--;
        continue;
      }
      const trouble =
        answer === undefined
          ? { waitMs: getBackoffMs(attempt), mayBeDone: false }
          : getRetryPlan(answer, attempt);
      if (answer !== undefined && (trouble === undefined || call.impatient === true)) return answer;
      if (trouble === undefined) continue;
      const { waitMs, mayBeDone, isCanceled } = trouble;
      if (answer !== undefined && isCanceled === true) {
        // a repeated request with a token gets the same answer
        const hasToken = answer.exchange.request.body?.includes('"clientRequestToken"') === true;
        if (attempt >= retries || hasToken) return answer;
        await this.time.sleep(waitMs);
        continue;
      }
      if (mayBeDone && writes && !isRepeatable(method, call, operationId))
        throw new NoResponseError(
          `${method} ${target} returned ${answer?.status ?? ""}; the request may have been executed`,
        );
      // a limit may be reported with the status of throttling: a request that is refused every time is refused
      if (attempt >= retries && answer !== undefined && isClientError(answer) && call.intent === "invalid")
        return answer;
      if (attempt >= retries)
        throw new NoResponseError(
          `the deployment still returns ${answer?.status ?? "nothing"} after ${retries} retries` +
            (answer?.status === 429 ? "; lower `politeness.requestsPerSecond` in the target file" : ""),
        );
      if (waitMs > maxWaitMs)
        throw new RunError(
          `the deployment asks clients to wait ${Math.round(waitMs / 1000)} s, which is too long`,
        );
      await this.#shared.pace.hold(Math.min(waitMs, this.#options.deadline() - Date.now()));
    }
  }

  /** Returns the URL to which a redirect sends the same request; undefined for other answers and URLs. */
  #redirected(answer: ApiResponse, base = this.#options.baseUrl): string | undefined {
    const location = [307, 308].includes(answer.status) ? answer.header("location") : undefined;
    const { url } = answer.exchange.request;
    if (location === undefined || !URL.canParse(location, url)) return undefined;
    const onward = new URL(location, url).href;
    // a credential is sent only to the deployment
    return onward.startsWith(`${base}/`) ? onward.slice(base.length) : undefined;
  }

  /** Sends a request once; returns undefined if the connection broke and the request may be sent again. */
  async #attempt(
    method: string,
    target: string,
    call: CallOptions,
    operationId: OperationId | undefined,
    maySendAgain: boolean,
  ): Promise<ApiResponse | undefined> {
    try {
      const sendOnce = () => this.#sendOnce(method, target, call, operationId);
      return await (call.unpaced === true ? sendOnce() : this.#shared.pace.run(sendOnce));
    } catch (error) {
      if (maySendAgain && error instanceof BrokenConnectionError && call.impatient !== true) return undefined;
      throw error;
    }
  }

  async #sendOnce(
    method: string,
    target: string,
    call: CallOptions,
    operationId?: OperationId,
  ): Promise<ApiResponse> {
    const { baseUrl, recorder, timeoutMs, deadline } = this.#options;
    if (Date.now() >= deadline()) throw new DeadlineExceededError("the run reached its time limit");
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
      recorder.add(exchange, call);
      return exchange;
    };
    try {
      const { status, text, ...answer } = await this.#send(url, {
        method,
        headers,
        body,
        timeoutMs: Math.max(1, Math.min(timeoutMs, deadline() - startedAt)),
      });
      const exchange = record({ answer: { status, headers: answer.headers, body: text } });
      return {
        status,
        header: (name) => answer.headers[name.toLowerCase()],
        text,
        body: parseBody(text),
        exchange,
      };
    } catch (error) {
      const failure = describeFailure(error, timeoutMs);
      record({ answer: undefined, failure });
      if (Date.now() >= deadline()) throw new DeadlineExceededError("the run reached its time limit");
      const isBroken = !(error instanceof Error && error.name === "TimeoutError");
      throw new (isBroken ? BrokenConnectionError : NoResponseError)(
        `${method} ${url} got no response: ${failure}`,
      );
    }
  }

  /** Validates an answer against the open document and, if it is known, the strict one. */
  #validate(operationId: OperationId, route: DocumentedRoute, answer: ApiResponse): void {
    if (this.#options.judges === false) return;
    const parts = { status: answer.status, header: answer.header, body: answer.body as unknown };
    const strictId = this.#shared.strictIds.get(`${route.method} ${route.path}`);
    const violations = [
      ...this.#open.validateResponse(route.documentId, { ...parts, header: openHeader(answer) }),
      ...(strictId === undefined ? [] : (this.#strict?.validateResponse(strictId, parts) ?? [])),
    ];
    const breachOf = ({ in: place, pointer, keyword }: Violation) =>
      `${operationId} ${answer.status} ${place} ${pointer.replaceAll(/\d+/g, "*")} ${keyword ?? ""}`;
    const first = violations.find((violation) => this.#options.isReported?.(breachOf(violation)) !== true);
    if (first === undefined) return;
    // invalid JSON has no more than this to report
    const isJson = typeof answer.body !== "string" || answer.text.startsWith('"');
    throw new ClauseViolation(
      isJson ? findBrokenClause(operationId, answer.status, first) : "GEN-06",
      `a response from ${operationId} that matches the contract`,
      describeViolation(answer.status, first),
      undefined,
      breachOf(first),
    );
  }
}

/** Whether an answer may be that of an unknown path or method; also 401 and 403, if credentials are checked first. */
function isMissingRoute({ status }: ApiResponse): boolean {
  return [401, 403, 404, 405, 501].includes(status);
}

/** Returns the headers of an answer as the open document describes them. */
const openHeader =
  (answer: ApiResponse) =>
  (name: string): string | undefined =>
    name === "content-type" ? parseMediaType(answer.header(name)) : answer.header(name);

/** Whether a setup request may be sent twice, because the second time has no further effect. */
function isRepeatable(method: string, { setUp }: CallOptions, operationId: OperationId | undefined): boolean {
  return setUp === true && (method === "PUT" || method === "DELETE" || operationId === "batchWriteItems");
}

function describeFailure(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return `no response within ${timeoutMs} ms`;
  const cause = error.cause instanceof Error ? error.cause : undefined;
  const code = (cause as { code?: string } | undefined)?.code;
  return [error.message, cause?.message, code].filter((part) => part !== undefined && part !== "").join(": ");
}

/**
 * Returns the media type of the open document that corresponds to the media type of a response. Bodies are JSON (part 4),
 * but the specification names no media type: a missing media type and any type with a JSON suffix count as JSON.
 */
export function parseMediaType(header: string | undefined): string | undefined {
  if (header === undefined) return "application/json";
  const type = header.split(";")[0]?.trim() ?? "";
  return /^[^/]+\/([^/]+\+)?json$/i.test(type) ? "application/json" : header;
}
