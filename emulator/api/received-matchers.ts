import { isDeepStrictEqual } from "node:util";
import { formatReceived, type ReceivedRequest } from "../journal/received-request.js";
import type { OperationId } from "../../openapi/operations/register.js";
import type { JournalFilter } from "../journal/journal.js";

/** What a request has to have; fields of bodies that are not named do not matter. */
export type ExpectedRequest = Readonly<
  Partial<Record<Exclude<keyof ReceivedRequest, "operationId" | "response">, unknown>>
> & { readonly response?: { readonly headers?: unknown; readonly body?: unknown } };

/** A handle whose journal is looked at: in-process, or over HTTP, where the matchers return promises. */
export interface Receiver {
  readonly name: string;
  readonly journal: {
    readonly requests: (
      filter?: JournalFilter,
    ) => readonly ReceivedRequest[] | Promise<readonly ReceivedRequest[]>;
  };
}

/** Whether a value has what is expected; the runner's own way knows asymmetric matchers such as `expect.any(String)`. */
type Matches = (actual: unknown, expected: unknown) => boolean;

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
  matches: Matches = isSubset,
): Receipt {
  const requests = all.filter((request) => request.operationId === operationId);
  const count = requests.filter((request) => matches(request, expected)).length;
  const [nearest] = requests
    .map((request) => ({ request, score: likeness(request, expected, matches) }))
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
function likeness(actual: unknown, expected: unknown, matches: Matches): number {
  if (matches(actual, expected)) return 1 + leaves(expected);
  if (!isObject(actual) || !isPlain(expected)) return 0;
  return Object.entries(expected).reduce(
    (sum, [name, value]) => sum + likeness(actual[name], value, matches),
    0,
  );
}

function leaves(value: unknown): number {
  return isPlain(value) ? Object.values(value).reduce<number>((sum, one) => sum + leaves(one), 0) : 1;
}

/** The fields of a value that are expected. */
function project(actual: unknown, expected: unknown): unknown {
  if (!isObject(actual) || !isPlain(expected)) return actual;
  return Object.fromEntries(
    Object.keys(expected).map((name) => [name, project(actual[name], expected[name])]),
  );
}

/** Whether a value has all that is expected, in objects at least and in lists exactly. */
function isSubset(actual: unknown, expected: unknown): boolean {
  if (!isPlain(expected)) return isDeepStrictEqual(actual, expected);
  return isObject(actual) && Object.entries(expected).every(([name, value]) => isSubset(actual[name], value));
}

type Fields = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Not an asymmetric matcher, a date or the like. */
function isPlain(value: unknown): value is Fields {
  return isObject(value) && [Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null);
}

/** What Vitest and Jest give to matchers as `this`. */
interface MatcherContext {
  readonly isNot: boolean;
  readonly customTesters?: readonly unknown[];
  readonly equals: (actual: unknown, expected: unknown, testers?: never) => boolean;
  readonly utils: {
    readonly iterableEquality: unknown;
    readonly subsetEquality: unknown;
    readonly diff: (expected: unknown, actual: unknown) => string | null | undefined;
    readonly stringify: (value: unknown) => string;
  };
}

interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

/** The matchers as `expect` has them; of a handle over HTTP the result is a promise. */
export interface ReceivedMatchers<Result> {
  /** The namespace has received a request of this operation, with the given fields at least. */
  toHaveReceived(operationId: OperationId, expected?: ExpectedRequest): Result;
  /** It has received so many of them. */
  toHaveReceivedTimes(operationId: OperationId, times: number, expected?: ExpectedRequest): Result;
}

/**
 * Matchers for `expect.extend` of Vitest and Jest. For a handle over HTTP they return promises.
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
    return judge(this, receiver, operationId, expected, (count) => count > 0, "");
  },
  toHaveReceivedTimes(
    this: MatcherContext,
    receiver: Receiver,
    operationId: string,
    times: number,
    expected: ExpectedRequest = {},
  ) {
    return judge(this, receiver, operationId, expected, (count) => count === times, ` ${times} times`);
  },
};

function judge(
  { isNot, customTesters = [], equals, utils }: MatcherContext,
  { name, journal }: Receiver,
  operationId: string,
  expected: ExpectedRequest,
  isEnough: (count: number) => boolean,
  times: string,
): MatcherResult | Promise<MatcherResult> {
  const testers = [...customTesters, utils.iterableEquality, utils.subsetEquality] as never;
  const result = (all: readonly ReceivedRequest[]): MatcherResult => {
    const { count, description, nearest } = findReceived(all, operationId, expected, (one, other) =>
      equals(one, other, testers),
    );
    const wanted = Object.keys(expected).length === 0 ? "" : ` with ${utils.stringify(expected)}`;
    const difference =
      nearest === undefined || count > 0
        ? ""
        : `\nthe nearest one:\n\n${utils.diff(expected, nearest) ?? ""}`;
    return {
      pass: isEnough(count),
      message: () =>
        `expected namespace ${name} ${isNot ? "not " : ""}to have received ${operationId}${times}${wanted}; ${description}${difference}`,
    };
  };
  const requests = journal.requests();
  return requests instanceof Promise ? requests.then(result) : result(requests);
}
