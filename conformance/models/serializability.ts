/** Values by number of key; `undefined` if there is no item. */
type Values = readonly (number | undefined)[];

/** One request on a few keys, and the content of its response. */
export interface TimedRequest {
  /** Unique times of the request and its response; the latter is `Infinity` without a response. */
  readonly called: number;
  readonly returned: number;
  /** Description of the request, for reports. */
  readonly name: string;
  /** Keys that had no item, according to the response or the condition. */
  readonly absent?: readonly number[];
  /** Keys of which at least one had an item, because the condition failed. */
  readonly present?: readonly number[];
  /** The value read for each key. */
  readonly reads?: readonly (readonly [key: number, value: number | undefined])[];
  /** The value written to each key. */
  readonly writes?: readonly (readonly [key: number, value: number | undefined])[];
  /** Whether the request has a token, so that it is executed only once, even if it is sent several times. */
  readonly hasToken?: boolean;
}

/** The reason why the requests of a history have no order. */
export type Anomaly =
  /** There is an order only if reads of several keys were not atomic. */
  | "torn-read"
  /** There is an order only if requests with a token were executed twice. */
  | "twice"
  /** There is an order only if writes of several keys were not atomic or incomplete. */
  | "torn-write"
  /** There is no order, even with these assumptions. */
  | "other";

/** Maximum number of requests in a history, so that a set of requests fits into the bits of a number. */
export const maxHistoryLength = 30;

/** Returns the values after a request; undefined if the request has another response with the given values. */
function apply(
  { absent = [], present, reads = [], writes = [] }: TimedRequest,
  values: Values,
): Values | undefined {
  const holds =
    absent.every((key) => values[key] === undefined) &&
    (present === undefined || present.some((key) => values[key] !== undefined)) &&
    reads.every(([key, value]) => values[key] === value);
  if (!holds) return undefined;
  const next = [...values];
  for (const [key, value] of writes) next[key] = value;
  return next;
}

/**
 * Whether requests could have been executed one after the other, each between its call and its response. A request without
 * a response may have been executed at any time after its call, or never.
 */
function canBeOrdered(requests: readonly TimedRequest[], initial: Values): boolean {
  if (requests.length > maxHistoryLength) return false;
  const tried = new Set<string>();
  const search = (left: number, values: Values): boolean => {
    const remaining = requests.filter((_, index) => (left & (1 << index)) !== 0);
    if (remaining.every(({ returned }) => returned === Infinity)) return true;
    const state = `${left} ${values.map(String).join()}`;
    if (tried.has(state)) return false;
    tried.add(state);
    const firstReturn = Math.min(...remaining.map(({ returned }) => returned));
    return requests.some((request, index) => {
      // A request comes after all requests that had returned before it was called.
      if ((left & (1 << index)) === 0 || request.called > firstReturn) return false;
      const next = apply(request, values);
      return next !== undefined && search(left & ~(1 << index), next);
    });
  };
  return search(2 ** requests.length - 1, initial);
}

/** Splits a request into requests with a single read or write. */
function splitRequest(request: TimedRequest, member: "reads" | "writes"): readonly TimedRequest[] {
  const parts = request[member] ?? [];
  return parts.length < 2
    ? [request]
    : parts.map((part, index) => ({
        ...request,
        // A part of a torn write may never be executed.
        ...(index === 0 ? {} : { absent: [], ...(member === "writes" ? { returned: Infinity } : {}) }),
        name: `${request.name} (part ${index + 1})`,
        [member]: [part],
      }));
}

/** Adds a possible second execution of each request that has a token. */
function repeatRequests(requests: readonly TimedRequest[]): readonly TimedRequest[] {
  const repeated = requests.filter(({ hasToken }) => hasToken === true);
  return [
    ...requests,
    ...repeated.map((request) => ({
      ...request,
      absent: [],
      name: `${request.name} (again)`,
      returned: Infinity,
    })),
  ];
}

/**
 * Looks for an order in which requests on a few keys could have been executed one after the other, each completely and
 * between its call and its response.
 *
 * @param keys number of keys; none of them has an item at first
 * @returns undefined if there is such an order, otherwise the anomaly that prevents it
 */
export function findAnomaly(keys: number, requests: readonly TimedRequest[]): Anomaly | undefined {
  const initial: Values = Array.from({ length: keys }, () => undefined);
  const split = (member: "reads" | "writes") => requests.flatMap((request) => splitRequest(request, member));
  if (canBeOrdered(requests, initial)) return undefined;
  if (canBeOrdered(split("reads"), initial)) return "torn-read";
  if (canBeOrdered(repeatRequests(requests), initial)) return "twice";
  return canBeOrdered(split("writes"), initial) ? "torn-write" : "other";
}
