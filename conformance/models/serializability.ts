import { findLinearization, maxHistoryLength, type TimedOperation } from "./linearizability.js";

/** Values of a few keys, by their number; `undefined` where there is no item. */
type Values = readonly (number | undefined)[];

/** One request on a few keys, and what its answer says. */
export interface TimedRequest {
  /** When it was sent, and when its answer came; see {@link TimedOperation}. */
  readonly called: number;
  readonly returned: number;
  /** In words, for the witness. */
  readonly name: string;
  /** Keys that had no item, as the answer says or as its condition demands. */
  readonly absent?: readonly number[];
  /** Keys of which at least one had an item, because the condition failed. */
  readonly present?: readonly number[];
  /** What was seen at each key. */
  readonly reads?: readonly (readonly [key: number, value: number | undefined])[];
  /** What was written to each key. */
  readonly writes?: readonly (readonly [key: number, value: number | undefined])[];
  /** Whether it has a token, so that it takes place once however often it is sent. */
  readonly hasToken?: boolean;
}

/** What a history without an order would be if it were not for one thing. */
export type Anomaly =
  /** In order if reads of several keys were made one by one. */
  | "torn-read"
  /** In order if requests with a token took place twice. */
  | "twice"
  /** In order if writes of several keys were made one by one, or not all of them. */
  | "torn-write"
  /** In no order even so. */
  | "other";

function operationOf({
  called,
  returned,
  name,
  absent = [],
  present,
  reads = [],
  writes = [],
}: TimedRequest): TimedOperation<Values> {
  return {
    called,
    returned,
    name,
    apply: (state) => {
      const holds =
        absent.every((key) => state[key] === undefined) &&
        (present === undefined || present.some((key) => state[key] !== undefined)) &&
        reads.every(([key, value]) => state[key] === value);
      if (!holds) return undefined;
      const next = [...state];
      for (const [key, value] of writes) next[key] = value;
      return { state: next };
    },
  };
}

/** Requests as they would be if each did one thing alone: the reads or the writes. */
function inParts(request: TimedRequest, member: "reads" | "writes"): readonly TimedRequest[] {
  const parts = request[member] ?? [];
  return parts.length < 2
    ? [request]
    : parts.map((part, index) => ({
        ...request,
        // of what is written a part may be lost
        ...(index === 0 ? {} : { absent: [], ...(member === "writes" ? { returned: Infinity } : {}) }),
        name: `${request.name} (part ${index + 1})`,
        [member]: [part],
      }));
}

/** A second time at which a request may have taken place, or not. */
function again(request: TimedRequest): TimedRequest {
  return { ...request, absent: [], name: `${request.name} (again)`, returned: Infinity };
}

const relaxed: Readonly<
  Record<Exclude<Anomaly, "other">, (requests: readonly TimedRequest[]) => readonly TimedRequest[]>
> = {
  "torn-read": (requests) => requests.flatMap((request) => inParts(request, "reads")),
  twice: (requests) => [...requests, ...requests.filter(({ hasToken }) => hasToken === true).map(again)],
  "torn-write": (requests) => requests.flatMap((request) => inParts(request, "writes")),
};

/**
 * Looks for an order in which requests on a few keys could have taken place one after the other, each as a whole and
 * between its call and its answer.
 *
 * @param keys how many keys there are; none has an item at first
 * @returns nothing when there is such an order, else what stands in its way
 */
export function findAnomaly(keys: number, requests: readonly TimedRequest[]): Anomaly | undefined {
  const nothing: Values = Array.from({ length: keys }, () => undefined);
  const isInOrder = (history: readonly TimedRequest[]) =>
    history.length <= maxHistoryLength &&
    findLinearization(nothing, history.map(operationOf), (state) => state.map(String).join()) !== undefined;
  if (isInOrder(requests)) return undefined;
  for (const anomaly of ["torn-read", "twice", "torn-write"] as const)
    if (isInOrder(relaxed[anomaly](requests))) return anomaly;
  return "other";
}
