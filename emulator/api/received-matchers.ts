import { inspect, isDeepStrictEqual } from "node:util";
import { formatReceived, type ReceivedRequest } from "../journal/received-request.js";
import type { OperationId } from "../../openapi/operations/register.js";
import type { JournalFilter } from "../journal/journal.js";

/** The expected parts of a request; unlisted fields of bodies are ignored. */
export type ExpectedRequest = Readonly<
  Partial<Record<Exclude<keyof ReceivedRequest, "operationId" | "response">, unknown>>
> & { readonly response?: { readonly headers?: unknown; readonly body?: unknown } };

/** A handle with a journal: in-process, or over HTTP, where the matchers return promises. */
export interface Receiver {
  readonly name: string;
  readonly journal: {
    readonly requests: (
      filter?: JournalFilter,
    ) => readonly ReceivedRequest[] | Promise<readonly ReceivedRequest[]>;
  };
}

/** How requests of an operation compare with what is expected. */
export interface Receipt {
  readonly count: number;
  /** How often, and what came instead; for a message of failure. */
  readonly description: string;
  /** The request that has most of what is expected, reduced to the fields that are; undefined where there is none. */
  readonly nearest: unknown;
}

/** Looks for requests of an operation in all that a namespace has received. */
export function findReceived(
  all: readonly ReceivedRequest[],
  operationId: string,
  expected: ExpectedRequest,
): Receipt {
  const requests = all.filter((request) => request.operationId === operationId);
  const count = requests.filter((request) => isSubset(request, expected)).length;
  const [nearest] = requests
    .map((request) => ({ request, score: countMatchingLeaves(request, expected) }))
    .toSorted((a, b) => b.score - a.score);
  const times = (number: number) => (number === 1 ? "1 request" : `${number} requests`);
  const description =
    requests.length > 0
      ? `it received ${times(requests.length)} of ${operationId}, ${count} of them as expected`
      : all.length === 0
        ? "it received no request"
        : `it received no ${operationId}, but ${times(all.length)}:\n${all
            .slice(-maxLines)
            .map((one) => `  ${formatReceived(one)}`)
            .join("\n")}`;
  return { count, description, nearest: nearest && project(nearest.request, expected) };
}

const maxLines = 10;

/** How many of the values that are expected a value has. */
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

/** The fields of a value that are expected. */
function project(actual: unknown, expected: unknown): unknown {
  if (!isObject(actual) || !isPlain(expected)) return actual;
  return Object.fromEntries(
    Object.keys(expected).map((name) => [name, project(actual[name], expected[name])]),
  );
}

/**
 * Whether a value has all that is expected: of objects the fields that are named, of lists every element. Asymmetric matchers
 * of all runners have a method in common.
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

/** Not an asymmetric matcher, a date or the like. */
function isPlain(value: unknown): value is Fields {
  return isObject(value) && [Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null);
}

/** What runners give to matchers as `this`. */
interface MatcherContext {
  readonly isNot: boolean;
  readonly utils: { readonly diff?: (expected: unknown, actual: unknown) => string | null | undefined };
}

interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

/** The matchers as `expect` has them; of a handle over HTTP the result is a promise. */
export interface ReceivedMatchers<Result> {
  /** The namespace has received a request of this operation, with the given fields at least. */
  toHaveReceived(operationId: OperationId, expected?: ExpectedRequest): Result;
  /** It has received exactly this number of them. */
  toHaveReceivedTimes(operationId: OperationId, times: number, expected?: ExpectedRequest): Result;
}

/**
 * Matchers for `expect.extend` of Vitest, Jest and Playwright. For a handle over HTTP they return promises.
 *
 *     expect(dataService).toHaveReceived("putItem", { body: { pk: "a" } });
 *     await expect(remote).toHaveReceivedTimes("login", 1);
 */
export const receivedMatchers = {
  toHaveReceived(
    this: MatcherContext,
    receiver: Receiver,
    operationId: string,
    expected: ExpectedRequest = {},
  ) {
    return matchReceived(this, receiver, operationId, expected, (count) => count > 0, "");
  },
  toHaveReceivedTimes(
    this: MatcherContext,
    receiver: Receiver,
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

function matchReceived(
  { isNot, utils }: MatcherContext,
  { name, journal }: Receiver,
  operationId: string,
  expected: ExpectedRequest,
  isEnough: (count: number) => boolean,
  times: string,
): MatcherResult | Promise<MatcherResult> {
  const result = (all: readonly ReceivedRequest[]): MatcherResult => {
    const { count, description, nearest } = findReceived(all, operationId, expected);
    const wanted = Object.keys(expected).length === 0 ? "" : ` with ${inspect(expected, { depth: null })}`;
    const difference =
      nearest === undefined || count > 0
        ? ""
        : `\nthe nearest one:\n\n${utils.diff?.(expected, nearest) ?? inspect(nearest, { depth: null })}`;
    return {
      pass: isEnough(count),
      message: () =>
        `expected namespace ${name} ${isNot ? "not " : ""}to have received ${operationId}${times}${wanted}; ${description}${difference}`,
    };
  };
  const requests = journal.requests();
  return requests instanceof Promise ? requests.then(result) : result(requests);
}
