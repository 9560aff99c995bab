import { getOwnField } from "../../openapi/text/get-own-field.js";
import { isObject } from "../../openapi/text/is-object.js";
import { inspect, isDeepStrictEqual } from "node:util";
import { formatReceivedRequest, type ReceivedRequest } from "../journal/received-request.js";
import type { OperationId } from "../../openapi/operations/register.js";
import type { JournalFilter } from "../journal/journal.js";
import type { EmulatorNamespace } from "./emulator-namespace.js";
import { formatCount } from "../../openapi/text/format-count.js";

/** The expected parts of a request. Fields of bodies that are not listed are ignored. */
export type ExpectedRequest = {
  readonly [
    Name in Exclude<keyof ReceivedRequest, "operationId" | "isBodyCut" | "caller" | "response">
  ]?: Expected<ReceivedRequest[Name]>;
} & {
  /** The caller, or the id of a user or API key. */
  readonly caller?: Expected<ReceivedRequest["caller"]> | string;
  readonly response?: {
    readonly [Name in keyof ReceivedRequest["response"]]?: Expected<ReceivedRequest["response"][Name]>;
  };
};

/** A value, some fields of an object, or an asymmetric matcher of the test runner. */
type Expected<Value> = unknown extends Value
  ? unknown
  : Value extends object
    ? AsymmetricMatcher | { readonly [Name in keyof Value]?: Expected<Value[Name]> }
    : AsymmetricMatcher | Value;

interface AsymmetricMatcher {
  // Playwright's type does not have it.
  readonly asymmetricMatch?: (actual: unknown) => boolean;
}

/** A namespace with a journal, in-process or over HTTP. Over HTTP, the matchers return promises. */
export interface RequestReceiver {
  readonly name: string;
  readonly journal: {
    readonly requests: () => readonly ReceivedRequest[] | Promise<readonly ReceivedRequest[]>;
    readonly status: (filter: JournalFilter) => JournalStatus | Promise<JournalStatus>;
  };
}

interface JournalStatus {
  readonly recording: boolean;
  readonly dropped: number;
}

/** The requests in the journal of a namespace. */
interface ReceivedRequests {
  readonly requests: readonly ReceivedRequest[];
  /** Why the journal may lack requests; undefined if it has all of them. */
  readonly missing: string | undefined;
}

/** The requests that a namespace should have received. */
interface Expectation {
  readonly operationId: string;
  readonly expected: ExpectedRequest;
  /** The exact number of such requests (default: at least one). */
  readonly times?: number | undefined;
}

/**
 * Compares the requests that a namespace has received with the expected ones.
 *
 * @returns whether the expectation is met, the number of matching requests, texts for a failure message, and the expected
 *   fields of the request that is closest to them
 * @throws Error if the result depends on requests or parts of bodies that the journal does not have
 */
export function matchReceivedRequests(
  { requests: all, missing }: ReceivedRequests,
  { operationId, expected: given, times }: Expectation,
) {
  rejectUnknownFields(given);
  const expected = typeof given.caller === "string" ? { ...given, caller: { id: given.caller } } : given;
  const requests = all.filter((request) => request.operationId === operationId);
  const matching = requests.filter((request) => isSubset(request, expected));
  const count = matching.length;
  const uncertainty = missing ?? describeCutBodies(requests, operationId, expected);
  if (count < (times ?? 0) + 1 && uncertainty !== undefined) throw new Error(uncertainty);
  const [nearest] = requests
    .map((request) => ({ request, score: countMatchingLeaves(request, expected) }))
    .toSorted((a, b) => b.score - a.score);
  const listLatest = (list: readonly ReceivedRequest[], format: (request: ReceivedRequest) => string) =>
    list
      .slice(-maxListedRequests)
      .map((one) => `\n  ${format(one)}`)
      .join("");
  const listed =
    requests.length === 0
      ? listLatest(all, (one) => `${one.operationId ?? "no operation"}: ${formatReceivedRequest(one)}`)
      : listLatest(matching, (one) => `${formatReceivedRequest(one)}${formatBody(one)}`);
  const description =
    (requests.length > 0
      ? `it received ${formatCount(requests.length, `${operationId} request`)}, ${count} of them as expected`
      : all.length === 0
        ? "it received no requests"
        : `it received no ${operationId} request, but ${formatCount(all.length, "other request")}`) +
    (listed && `:${listed}`);
  return {
    pass: times === undefined ? count > 0 : count === times,
    count,
    wanted: times === undefined ? operationId : `${operationId} ${times} times`,
    description,
    nearest: nearest && project(nearest.request, expected),
  };
}

const maxListedRequests = 10;

function formatBody({ body }: ReceivedRequest): string {
  return body === undefined ? "" : ` ${inspect(body, { breakLength: Infinity, maxStringLength: 200 })}`;
}

const requestFields =
  "operationId method path query headers body isBodyCut caller faults unknownFields status response".split(
    " ",
  );

/** @throws TypeError for a field that requests do not have: no request would ever match */
function rejectUnknownFields(expected: ExpectedRequest): void {
  const unknown = isPlain(expected) && Object.keys(expected).find((name) => !requestFields.includes(name));
  if (typeof unknown !== "string") return;
  // Suggests no similar name, because it would often be wrong: `path` for the field `data` of the body.
  throw new TypeError(
    `\`${unknown}\` is not a field of a request (the fields are ${requestFields.join(", ")}); ` +
      "write fields of the body as { body: { … } }",
  );
}

/** Returns a message if a request could match, but the journal keeps only the beginning of its body. */
function describeCutBodies(
  requests: readonly ReceivedRequest[],
  operationId: string,
  { body, response, ...others }: ExpectedRequest,
): string | undefined {
  if (body === undefined && response?.body === undefined) return undefined;
  const cut = requests.filter((request) => request.isBodyCut && isSubset(request, others));
  return cut.length === 0
    ? undefined
    : `the journal keeps only the first 64 KiB of a body, and ${formatCount(cut.length, `${operationId} request`)} had a longer body: ` +
        "compare other fields, such as path and status";
}

/** Counts the expected values that a value contains. */
function countMatchingLeaves(actual: unknown, expected: unknown): number {
  if (!isPlain(expected)) return isSubset(actual, expected) ? 1 : 0;
  const fields = isObject(actual) ? actual : {};
  return Object.entries(expected).reduce(
    (sum, [name, value]) => sum + countMatchingLeaves(getOwnField(fields, name), value),
    0,
  );
}

/** Reduces a value to the expected fields. */
function project(actual: unknown, expected: unknown): unknown {
  if (!isObject(actual) || !isPlain(expected)) return actual;
  return Object.fromEntries(
    Object.keys(expected).map((name) => [name, project(getOwnField(actual, name), expected[name])]),
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
  return (
    isObject(actual) &&
    Object.entries(expected).every(([name, value]) => isSubset(getOwnField(actual, name), value))
  );
}

function isAsymmetric(value: unknown): value is Required<AsymmetricMatcher> {
  return isObject(value) && typeof value.asymmetricMatch === "function";
}

/** Whether a value is a plain object rather than, for example, an asymmetric matcher or a date. */
function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return isObject(value) && [Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null);
}

/** The `this` of a matcher, provided by the test runner. */
interface MatcherContext {
  readonly isNot: boolean;
  readonly utils: { readonly diff?: (expected: unknown, actual: unknown) => string | null | undefined };
}

/** The matchers as methods of `expect`. For a namespace over HTTP, they return promises. */
export interface ReceivedRequestMatchers<Result> {
  /** The namespace has received at least one request with the expected fields for this operation. */
  toHaveReceived(operationId: OperationId, expected?: ExpectedRequest): Result;
  /** The namespace has received exactly this many requests with the expected fields for this operation. */
  toHaveReceivedTimes(operationId: OperationId, times: number, expected?: ExpectedRequest): Result;
}

/**
 * Matchers for `expect.extend` of Vitest, Jest and Playwright. For a namespace over HTTP, they return promises.
 *
 *     expect(dataService).toHaveReceived("putItem", { body: { pk: "a" } });
 *     await expect(remote).toHaveReceivedTimes("login", 1);
 */
export const receivedRequestMatchers = {
  toHaveReceived(
    this: MatcherContext,
    receiver: RequestReceiver,
    operationId: string,
    expected: ExpectedRequest = {},
  ) {
    return matchReceived(this, receiver, { operationId, expected });
  },
  toHaveReceivedTimes(
    this: MatcherContext,
    receiver: RequestReceiver,
    operationId: string,
    times: number,
    expected: ExpectedRequest = {},
  ) {
    return matchReceived(this, receiver, { operationId, expected, times });
  },
};

/**
 * Reads the requests that a namespace has received.
 *
 * @throws TypeError unless the receiver is a namespace; a problem for an unknown operation, which would never match
 */
export function readReceivedRequests(receiver: EmulatorNamespace, operationId: string): ReceivedRequests;
export function readReceivedRequests(
  receiver: RequestReceiver,
  operationId: string,
): ReceivedRequests | Promise<ReceivedRequests>;
export function readReceivedRequests(
  receiver: RequestReceiver,
  operationId: string,
): ReceivedRequests | Promise<ReceivedRequests> {
  const journal = (receiver as Partial<RequestReceiver> | undefined)?.journal;
  if (typeof journal?.requests !== "function")
    throw new TypeError(
      `expected a namespace, such as the fixture dataService or emulator.namespace("a"), not ${inspect(receiver, { depth: 0 })}`,
    );
  const requests = journal.requests();
  // Rejects an unknown operation.
  const status = journal.status({ operationId: operationId as OperationId });
  if (!(requests instanceof Promise || status instanceof Promise))
    return { requests, missing: describeMissingRequests(status) };
  return Promise.all([requests, status]).then(([list, received]) => ({
    requests: list,
    missing: describeMissingRequests(received),
  }));
}

function describeMissingRequests({ recording, dropped }: JournalStatus): string | undefined {
  if (!recording)
    return "the emulator records no requests; start it with a journal, e.g. with createEmulator({ journal: 250 }) or start --journal 250";
  return dropped === 0
    ? undefined
    : `the journal no longer has the namespace's oldest requests (${dropped} dropped); keep a larger journal, e.g. with ` +
        "createEmulator({ journal: 5000 }) or start --journal 5000, or call journal.clear() before the requests " +
        "that you check";
}

function matchReceived(
  { isNot, utils }: MatcherContext,
  receiver: RequestReceiver,
  expectation: Expectation,
) {
  const compare = (received: ReceivedRequests) => {
    const { pass, count, wanted, description, nearest } = matchReceivedRequests(received, expectation);
    const { expected } = expectation;
    const fields = Object.keys(expected).length === 0 ? "" : ` with ${inspect(expected, { depth: null })}`;
    const difference =
      nearest === undefined || count > 0
        ? ""
        : `\nthe closest request:\n\n${utils.diff?.(expected, nearest) ?? inspect(nearest, { depth: null })}`;
    return {
      pass,
      message: () =>
        `expected namespace ${receiver.name} ${isNot ? "not " : ""}to have received ${wanted}${fields}; ${description}${difference}`,
    };
  };
  try {
    const received = readReceivedRequests(receiver, expectation.operationId);
    return received instanceof Promise ? received.then(compare) : compare(received);
  } catch (error) {
    // A stack has at most ten lines, which must include the line of the test.
    Error.captureStackTrace(error as Error, matchReceived);
    throw error;
  }
}
