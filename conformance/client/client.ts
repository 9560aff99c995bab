import type { OperationId } from "../../openapi/operations/register.js";
import type { Violation } from "../../openapi/validation/violation.js";
import { fillPath } from "../../openapi/text/path-template.js";
import {
  BrokenConnectionError,
  ClauseViolation,
  NoResponseError,
  DeadlineExceededError,
  RunError,
  UnknownRouteError,
} from "./violation.js";
import { findBrokenClause } from "./find-broken-clause.js";
import { describeViolation } from "./describe-violation.js";
import type { Contract } from "./contracts.js";
import { getElapsedMs } from "./get-elapsed-ms.js";
import type { Exchange, Fetch, RequestIntent } from "./exchange.js";
import { isClientError } from "./is-client-error.js";
import { parseBody } from "./json-text.js";
import { isWrite } from "./is-write.js";
import { RateLimiter, type RateLimits } from "./rate-limiter.js";
import { getBackoffMs, getRetryPlan, type RetryPlan } from "./get-retry-plan.js";
import { type SendRequest, createRequestSender } from "./send-request.js";
import { ReadLag } from "./read-lag.js";
import type { Recorder } from "./recorder.js";
import { mapIdsByRoute, type DocumentedRoute, type RouteTable } from "./routes.js";
import type { SecretMasker } from "./secrets.js";
import { systemTime, type TimeSource } from "./time-source.js";

/** Longest pause, in milliseconds, that a deployment may ask for; for a longer pause, the check ends. */
const maxWaitMs = 60_000;

/** Maximum number of redirects per request. */
const maxRedirects = 5;

/** Maximum number of new logins per request, because another session of the user may end the new session. */
const maxRenewals = 3;

/** The sender of a request. */
export interface Caller {
  /** Shown in reports: `owner`, `key database:read`. */
  readonly name: string;
  /** The text after `Bearer `; undefined for an anonymous caller. */
  readonly credential?: string;
}

export const anonymous: Caller = { name: "anonymous" };

/** A caller with a made-up credential. */
export const callerWithUnknownCredential: Caller = {
  name: "unknown credential",
  credential: "no-credential-at-all",
};

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
  /** Defaults to `valid`. */
  readonly intent?: RequestIntent;
  /** Whether the request is setup; see {@link Exchange.setUp}. */
  readonly setUp?: boolean;
  /** Base URL. Defaults to that of the client. */
  readonly at?: string;
  /** Whether to return responses such as 429 and 503 instead of retrying. */
  readonly skipRetries?: boolean;
  /** Whether to ignore the client's rate limit, in order to find the deployment's rate limit. */
  readonly skipRateLimit?: boolean;
  /** Whether to skip the validation of the response against the contract. */
  readonly skipValidation?: boolean;
  /** Whether to return the refusal of a credential instead of logging in again. */
  readonly skipRenewal?: boolean;
}

/** A response as checks see it. */
export interface ApiResponse {
  readonly status: number;
  /** Returns the value of a header; the name is not case-sensitive. */
  readonly header: (name: string) => string | undefined;
  /** The body as received, with numbers as they were written. */
  readonly text: string;
  /** The parsed body; `undefined` when it is empty. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the client has validated the body
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
  /** Whether responses are validated against the contract. Defaults to true. */
  readonly validates?: boolean | undefined;
  /** Logs in a caller again if a refusal shows that the session has ended; otherwise returns undefined. */
  readonly renew?: (as: Caller, refusal: ApiResponse) => Promise<Caller | undefined>;
  /** Returns a call that succeeds whenever the route is right, for an operation whose route is not certain. */
  readonly createProbe?: (operationId: OperationId) => Promise<CallOptions>;
  /** Whether another check has reported a breach of the contract; such a breach is ignored. */
  readonly isReported?: (breach: string) => boolean;
}

/** State shared by the clients of a run. */
interface SharedState {
  readonly limiter: RateLimiter;
  /** Sends SQL definitions one after the other, because a deployment may refuse one while another one runs. */
  readonly definitions: RateLimiter;
  readonly lag: ReadLag;
  /** The calls that are finding the route of an operation. */
  readonly findingRoutes: Map<OperationId, Promise<ApiResponse>>;
  /** The ids of the operations in the strict document, by method and path. */
  readonly strictIds: ReadonlyMap<string, string>;
}

/**
 * Sends requests to a deployment, records the requests and responses, and validates every response against the contract,
 * so that checks need not do so.
 */
export class Client {
  readonly #options: ClientOptions;
  readonly #shared: SharedState;
  readonly #send: SendRequest;

  constructor(options: ClientOptions, shared?: SharedState) {
    this.#options = options;
    this.#send = createRequestSender(options.fetch);
    this.#shared = shared ?? {
      limiter: new RateLimiter(options.politeness, options.time),
      definitions: new RateLimiter({ requestsPerSecond: Infinity, concurrency: 1 }, options.time),
      lag: new ReadLag(options.readLagMs ?? 0),
      findingRoutes: new Map(),
      strictIds: mapIdsByRoute(options.strict?.document ?? { paths: {} }),
    };
  }

  /** Returns a client with the same rate limit that records its exchanges elsewhere and ignores breaches already reported. */
  withRecorder(recorder: Recorder, isReported?: ClientOptions["isReported"]): Client {
    return new Client({ ...this.#options, recorder, ...(isReported && { isReported }) }, this.#shared);
  }

  /** Returns a client with the same rate limit that does not validate responses. */
  withoutValidation(): Client {
    return new Client({ ...this.#options, validates: false }, this.#shared);
  }

  get baseUrl(): string {
    return this.#options.baseUrl;
  }

  /** Sets how long lists of databases, organizations and the like lag behind writes; such lists are then read later. */
  setListLag(milliseconds: number): void {
    this.#shared.lag.setListLag(milliseconds);
  }

  /** Source of time for waiting. */
  get time(): TimeSource {
    return this.#options.time ?? systemTime;
  }

  /** Returns the path of an operation with parameters in braces, as far as known. */
  getPath(operationId: OperationId): string {
    const routes = this.#options.routes.getAlternative(operationId);
    return routes.map(({ path }) => path).join(" ");
  }

  /**
   * Calls an operation of the service.
   *
   * @throws ClauseViolation when the response does not match the contract
   * @throws RunError when there is no response
   */
  async call(operationId: OperationId, call: CallOptions = {}): Promise<ApiResponse> {
    const { routes } = this.#options;
    const { findingRoutes } = this.#shared;
    // Concurrent requests find the route only once.
    await findingRoutes.get(operationId)?.catch(() => undefined);
    if (routes.isCertain(operationId))
      return this.#callAt(operationId, routes.getRoute(operationId, call.path ?? {}), call);
    const found = this.#callToFindRoute(operationId, call);
    findingRoutes.set(operationId, found);
    return found.finally(() => findingRoutes.delete(operationId));
  }

  /**
   * Calls an operation whose route is not certain. If the first route seems to be wrong, the right one is the route that
   * accepts a call that no deployment may refuse.
   */
  async #callToFindRoute(operationId: OperationId, call: CallOptions): Promise<ApiResponse> {
    const { routes, createProbe } = this.#options;
    const callAt = (index: number, options: CallOptions) =>
      this.#callAt(operationId, routes.getRoute(operationId, options.path ?? {}, index), options);
    const first = await callAt(0, { ...call, skipValidation: true });
    const statuses = [first.status];
    let found = isMissingRoute(first) ? undefined : 0;
    const probe = found === 0 ? undefined : await createProbe?.(operationId);
    for (const index of routes.listAlternatives(operationId).keys()) {
      if (found !== undefined) break;
      if (index === 0 && probe === undefined) continue;
      const response = await callAt(index, { ...(probe ?? call), skipValidation: true });
      statuses[index] = response.status;
      if (!isMissingRoute(response)) found = index;
    }
    if (found === undefined) throw new UnknownRouteError(routes.describeUnknownRoute(operationId, statuses));
    routes.choose(operationId, found);
    if (found > 0) return callAt(found, call);
    if (call.skipValidation !== true)
      this.#validate(operationId, routes.getRoute(operationId, call.path ?? {}), first);
    return first;
  }

  async #callAt(operationId: OperationId, route: DocumentedRoute, call: CallOptions): Promise<ApiResponse> {
    const response = await this.#exchange(operationId, route, call);
    if (call.skipValidation !== true) this.#validate(operationId, route, response);
    return response;
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
      const response = await this.send(method, target, { ...call, path, as }, operationId);
      if (
        call.skipRenewal === true ||
        as === undefined ||
        !isClientError(response) ||
        renewals === maxRenewals
      )
        return response;
      as = await this.#options.renew?.(as, response);
      if (as === undefined) return response;
    }
  }

  /**
   * Sends a request to any path under the base URL. The response is recorded but not validated.
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
    const canRepeat = !writes || isRepeatable(method, call, operationId);
    let redirects = 0;
    for (let attempt = 0; ; attempt++) {
      if (!writes) await this.#shared.lag.wait(operationId);
      const options = attempt === 0 ? call : { ...call, isRetry: true };
      const response = await this.#attempt(
        method,
        target,
        options,
        operationId,
        canRepeat && attempt < retries,
      );
      if (writes) this.#shared.lag.recordWrite(operationId);
      const location = response === undefined ? undefined : this.#getRedirectTarget(response, call.at);
      if (location !== undefined && redirects++ < maxRedirects) {
        target = location;
        attempt--;
        continue;
      }
      const plan: RetryPlan | undefined =
        response === undefined
          ? { waitMs: getBackoffMs(attempt), mayBeDone: false }
          : getRetryPlan(response, attempt);
      if (response !== undefined && (plan === undefined || call.skipRetries === true)) return response;
      if (plan === undefined) continue;
      const { waitMs, mayBeDone, isCanceled } = plan;
      if (response !== undefined && isCanceled === true) {
        // A repeated request with a token returns the same response.
        const hasToken = response.exchange.request.body?.includes('"clientRequestToken"') === true;
        if (attempt >= retries || hasToken) return response;
        await this.time.sleep(waitMs);
        continue;
      }
      if (mayBeDone && !canRepeat)
        throw new NoResponseError(
          `${method} ${target} returned ${response?.status ?? ""}; the request may have been executed`,
        );
      // A deployment may report an exceeded limit with the status for throttling. Such a request is refused every time.
      if (
        (attempt >= retries || waitMs > maxWaitMs) &&
        response !== undefined &&
        isClientError(response) &&
        (call.intent ?? "valid") !== "valid"
      )
        return response;
      if (attempt >= retries)
        throw new NoResponseError(
          `the deployment still returns ${response?.status ?? "nothing"} after ${retries} retries` +
            (response?.status === 429 ? "; lower `politeness.requestsPerSecond` in the target file" : ""),
        );
      if (waitMs > maxWaitMs)
        throw new RunError(
          `the deployment asks clients to wait ${Math.round(waitMs / 1000)} s, which is too long`,
        );
      await this.#shared.limiter.hold(Math.min(waitMs, this.#options.deadline() - Date.now()));
    }
  }

  /** Returns the target to which a redirect sends the same request; undefined for other responses and other services. */
  #getRedirectTarget(response: ApiResponse, base = this.#options.baseUrl): string | undefined {
    const location = [307, 308].includes(response.status) ? response.header("location") : undefined;
    const { url } = response.exchange.request;
    if (location === undefined || !URL.canParse(location, url)) return undefined;
    const { href } = new URL(location, url);
    // Credentials are sent only to the deployment.
    return href.startsWith(`${base}/`) ? href.slice(base.length) : undefined;
  }

  /** Sends a request once; returns undefined if the connection broke and the request may be sent again. */
  async #attempt(
    method: string,
    target: string,
    call: CallOptions,
    operationId: OperationId | undefined,
    canResend: boolean,
  ): Promise<ApiResponse | undefined> {
    try {
      const sendOnce = () => this.#sendOnce(method, target, call, operationId);
      const sendLimited = () =>
        call.skipRateLimit === true ? sendOnce() : this.#shared.limiter.run(sendOnce);
      return await (target.endsWith("/sql/execute")
        ? this.#shared.definitions.run(sendLimited)
        : sendLimited());
    } catch (error) {
      if (canResend && error instanceof BrokenConnectionError && call.skipRetries !== true) return undefined;
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
    const record = (outcome: Pick<Exchange, "answer" | "failure">): Exchange => {
      const exchange: Exchange = {
        number: recorder.takeNumber(),
        operationId,
        intent: call.intent ?? "valid",
        caller: as.name,
        setUp: call.setUp === true || operationId === undefined,
        request: { method, url, headers, body },
        startedAt,
        durationMs: getElapsedMs(started),
        ...outcome,
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

  /** Validates a response against the open document and, if it is known, the strict one. */
  #validate(operationId: OperationId, route: DocumentedRoute, answer: ApiResponse): void {
    const { open, strict, validates, isReported } = this.#options;
    if (validates === false) return;
    const parts = { status: answer.status, header: answer.header, body: answer.body as unknown };
    const isJson = typeof answer.body !== "string" || answer.text.startsWith('"');
    const strictId = this.#shared.strictIds.get(`${route.method} ${route.path}`);
    const violations = [
      ...open.validator.validateResponse(route.documentId, {
        ...parts,
        // Bodies are JSON (part 4), but the specification names no media type for responses.
        header: (name) => (name === "content-type" && isJson ? "application/json" : answer.header(name)),
      }),
      ...(strictId === undefined ? [] : (strict?.validator.validateResponse(strictId, parts) ?? [])),
    ];
    const describeBreach = ({ in: place, pointer, keyword }: Violation) =>
      `${operationId} ${answer.status} ${place} ${pointer.replaceAll(/\d+/g, "*")} ${keyword ?? ""}`;
    const first = violations.find((violation) => isReported?.(describeBreach(violation)) !== true);
    if (first === undefined) return;
    // Nothing else can be reported about invalid JSON.
    throw new ClauseViolation(
      isJson ? findBrokenClause(operationId, answer.status, first) : "GEN-06",
      `a response from ${operationId} that matches the contract`,
      describeViolation(answer.status, first),
      undefined,
      describeBreach(first),
    );
  }
}

/** Whether a path or method may be unknown: the request is refused, or the answer is the page of a web application. */
function isMissingRoute(response: ApiResponse): boolean {
  return isClientError(response) || response.status === 501 || /^\s*<(?:!doctype|html)/i.test(response.text);
}

/** Whether a setup request may be sent twice: the second time has no further effect, or starts one more session. */
function isRepeatable(method: string, { setUp }: CallOptions, operationId: OperationId | undefined): boolean {
  const isHarmless = operationId === "batchWriteItems" || operationId === "login";
  return setUp === true && (["PUT", "DELETE"].includes(method) || isHarmless);
}

function describeFailure(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return `no response within ${timeoutMs} ms`;
  const cause = error.cause instanceof Error ? error.cause : undefined;
  const code = (cause as { code?: string } | undefined)?.code;
  return [error.message, cause?.message, code].filter((part) => part !== undefined && part !== "").join(": ");
}
