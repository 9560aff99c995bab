import { inspect, isDeepStrictEqual } from "node:util";
import { formatReceivedRequest, type ReceivedRequest } from "../journal/received-request.js";
import type { OperationId } from "../../openapi/operations/register.js";
import type { JournalFilter } from "../journal/journal.js";
import type { EmulatorNamespace } from "./emulator-namespace.js";

/** The expected parts of a request. Fields of bodies that are not listed are ignored. */
export type ExpectedRequest = Readonly<
  Partial<Record<Exclude<keyof ReceivedRequest, "operationId" | "response">, unknown>>
> & { readonly response?: { readonly headers?: unknown; readonly body?: unknown } };

/** A namespace with a journal, in-process or over HTTP. Over HTTP, the matchers return promises. */
export interface RequestReceiver {
  readonly name: string;
  readonly journal: {
    readonly requests: (
      filter?: JournalFilter,
    ) => readonly ReceivedRequest[] | Promise<readonly ReceivedRequest[]>;
  };
}

/** The comparison of the received requests of an operation with the expected one. */
export interface ReceivedMatch {
  readonly count: number;
  /** The number of matching requests or the requests received instead, for a failure message. */
  readonly description: string;
  /** The expected fields of the request that matches most of them; undefined without any request. */
  readonly nearest: unknown;
}

/** Finds the requests of an operation among all requests that a namespace has received. */
export function matchReceivedRequests(
  all: readonly ReceivedRequest[],
  operationId: string,
  expected: ExpectedRequest,
): ReceivedMatch {
  const requests = all.filter((request) => request.operationId === operationId);
  const count = requests.filter((request) => isSubset(request, expected)).length;
  const [nearest] = requests
    .map((request) => ({ request, score: countMatchingLeaves(request, expected) }))
    .toSorted((a, b) => b.score - a.score);
  const times = (number: number, of: string) => `${number} ${of} ${number === 1 ? "request" : "requests"}`;
  const description =
    requests.length > 0
      ? `it received ${times(requests.length, operationId)}, ${count} of them as expected`
      : all.length === 0
        ? "it received no requests"
        : `it received no ${operationId} request, but ${times(all.length, "other")}:\n${all
            .slice(-maxLines)
            .map((one) => `  ${formatReceivedRequest(one)}`)
            .join("\n")}`;
  return { count, description, nearest: nearest && project(nearest.request, expected) };
}

const maxLines = 10;

/** Counts the expected values that a value contains. */
function countMatchingLeaves(actual: unknown, expected: unknown): number {
  if (isSubset(actual, expected)) return countLeaves(expected) + 1;
  if (!isObject(actual) || !isPlain(expected)) return 0;
  return Object.entries(expected).reduce(
    (sum, [name, value]) => sum + countMatchingLeaves(actual[name], value),
    0,
  );
}

function countLeaves(value: unknown): number {
  return isPlain(value) ? Object.values(value).reduce<number>((sum, one) => sum + countLeaves(one), 0) : 1;
}

/** Reduces a value to the expected fields. */
function project(actual: unknown, expected: unknown): unknown {
  if (!isObject(actual) || !isPlain(expected)) return actual;
  return Object.fromEntries(
    Object.keys(expected).map((name) => [name, project(actual[name], expected[name])]),
  );
}

/**
 * Whether a value matches the expected one: the listed fields of an object, and every element of a list. Asymmetric
 * matchers of all test runners have the method `asymmetricMatch`.
 */
function isSubset(actual: unknown, expected: unknown): boolean {
  if (isAsymmetric(expected)) return expected.asymmetricMatch(actual);
  if (Array.isArray(expected))
    return (
      Array.isArray(actual) &&
      actual.length === expected.length &&
      expected.every((value, index) => isSubset(actual[index], value))
    );
  if (!isPlain(expected)) return isDeepStrictEqual(actual, expected);
  return isObject(actual) && Object.entries(expected).every(([name, value]) => isSubset(actual[name], value));
}

function isAsymmetric(value: unknown): value is { readonly asymmetricMatch: (actual: unknown) => boolean } {
  return isObject(value) && typeof value.asymmetricMatch === "function";
}

type Fields = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a value is a plain object, not an asymmetric matcher, a date or the like. */
function isPlain(value: unknown): value is Fields {
  return isObject(value) && [Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null);
}

/** The `this` of a matcher, provided by the test runner. */
interface MatcherContext {
  readonly isNot: boolean;
  readonly utils: { readonly diff?: (expected: unknown, actual: unknown) => string | null | undefined };
}

interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

/** The matchers as methods of `expect`. For a namespace over HTTP, they return promises. */
export interface ReceivedMatchers<Result> {
  /** The namespace has received at least one request of this operation that has the expected fields. */
  toHaveReceived(operationId: OperationId, expected?: ExpectedRequest): Result;
  /** The namespace has received exactly this many requests of this operation that have the expected fields. */
  toHaveReceivedTimes(operationId: OperationId, times: number, expected?: ExpectedRequest): Result;
}

/**
 * Matchers for `expect.extend` of Vitest, Jest and Playwright. For a namespace over HTTP, they return promises.
 *
 *     expect(dataService).toHaveReceived("putItem", { body: { pk: "a" } });
 *     await expect(remote).toHaveReceivedTimes("login", 1);
 */
export const receivedMatchers = {
  toHaveReceived(
    this: MatcherContext,
    receiver: RequestReceiver,
    operationId: string,
    expected: ExpectedRequest = {},
  ) {
    return matchReceived(this, receiver, operationId, expected, (count) => count > 0, "");
  },
  toHaveReceivedTimes(
    this: MatcherContext,
    receiver: RequestReceiver,
    operationId: string,
    times: number,
    expected: ExpectedRequest = {},
  ) {
    return matchReceived(
      this,
      receiver,
      operationId,
      expected,
      (count) => count === times,
      ` ${times} times`,
    );
  },
};

/**
 * Reads all requests that a namespace has received.
 *
 * @throws TypeError for anything but a namespace, and a problem for an unknown operation: no request would ever match
 */
export function readReceivedRequests(
  receiver: EmulatorNamespace,
  operationId: string,
): readonly ReceivedRequest[];
export function readReceivedRequests(
  receiver: RequestReceiver,
  operationId: string,
): readonly ReceivedRequest[] | Promise<readonly ReceivedRequest[]>;
export function readReceivedRequests(
  receiver: RequestReceiver,
  operationId: string,
): readonly ReceivedRequest[] | Promise<readonly ReceivedRequest[]> {
  const journal = (receiver as Partial<RequestReceiver> | undefined)?.journal;
  if (typeof journal?.requests !== "function")
    throw new TypeError(
      `expected a namespace, such as the fixture dataService or emulator.namespace("a"), not ${inspect(receiver, { depth: 0 })}`,
    );
  const orRefuse = (all: readonly ReceivedRequest[]) => {
    if (all.some((request) => request.operationId === operationId)) return all;
    // the emulator knows the operations
    const none = journal.requests({ operationId: operationId as OperationId, limit: 1 });
    return none instanceof Promise ? none.then(() => all) : all;
  };
  const all = journal.requests();
  return all instanceof Promise ? all.then(orRefuse) : orRefuse(all);
}

function matchReceived(
  { isNot, utils }: MatcherContext,
  receiver: RequestReceiver,
  operationId: string,
  expected: ExpectedRequest,
  isEnough: (count: number) => boolean,
  times: string,
): MatcherResult | Promise<MatcherResult> {
  const requests = readReceivedRequests(receiver, operationId);
  const result = (all: readonly ReceivedRequest[]): MatcherResult => {
    const { count, description, nearest } = matchReceivedRequests(all, operationId, expected);
    const wanted = Object.keys(expected).length === 0 ? "" : ` with ${inspect(expected, { depth: null })}`;
    const difference =
      nearest === undefined || count > 0
        ? ""
        : `\nthe closest request:\n\n${utils.diff?.(expected, nearest) ?? inspect(nearest, { depth: null })}`;
    return {
      pass: isEnough(count),
      message: () =>
        `expected namespace ${receiver.name} ${isNot ? "not " : ""}to have received ${operationId}${times}${wanted}; ${description}${difference}`,
    };
  };
  return requests instanceof Promise ? requests.then(result) : result(requests);
}
