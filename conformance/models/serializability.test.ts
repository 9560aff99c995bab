import { describe, expect, it } from "vitest";
import { findAnomaly, type TimedRequest } from "./serializability.js";

/** Requests that follow one another. */
function inTurn(
  ...requests: readonly Omit<TimedRequest, "called" | "returned" | "name">[]
): readonly TimedRequest[] {
  return requests.map((request, index) => ({
    name: String(index),
    called: 2 * index,
    returned: 2 * index + 1,
    ...request,
  }));
}

const both = (value: number | undefined) =>
  [
    [0, value],
    [1, value],
  ] as const;

describe("findAnomaly", () => {
  it("finds none in sequential requests", () => {
    const history = inTurn(
      { reads: both(undefined) },
      { writes: both(1) },
      { reads: both(1) },
      { absent: [2] },
    );
    expect(findAnomaly(3, history)).toBeUndefined();
  });

  it("accepts overlapping requests in either order", () => {
    const [write, read] = inTurn({ writes: both(1) }, { reads: both(undefined) });
    if (write === undefined || read === undefined) throw new Error("two requests");
    expect(findAnomaly(2, [write, read])).toBe("other");
    expect(findAnomaly(2, [{ ...write, returned: 2.5 }, read])).toBeUndefined();
    expect(findAnomaly(2, [{ ...write, returned: Infinity }, read])).toBeUndefined();
  });

  it("distinguishes a torn read from a torn write", () => {
    const torn = {
      reads: [
        [0, 1],
        [1, undefined],
      ],
    } as const;
    const [write, read] = inTurn({ writes: both(1) }, torn);
    if (write === undefined || read === undefined) throw new Error("two requests");
    const early = { ...read, called: 0.5, returned: 0.9 };
    // the first part of the read may come after the write, the second before it
    expect(findAnomaly(2, [write, early])).toBe("torn-read");
    const halves = [write, { ...early, name: "again", called: 0.95, returned: 0.99 }, early];
    expect(findAnomaly(2, halves)).toBe("torn-write");
  });

  it("recognizes a write of which a part is lost", () => {
    const half = [[0, 1]] as const;
    expect(findAnomaly(2, inTurn({ writes: both(1) }, { reads: half }, { reads: [[1, undefined]] }))).toBe(
      "torn-write",
    );
  });

  it("recognizes a repeated request by its token", () => {
    const twice = [{ writes: [[0, 1]], hasToken: true }, { writes: [[0, 2]] }, { reads: [[0, 1]] }] as const;
    expect(findAnomaly(1, inTurn(...twice))).toBe("twice");
    expect(findAnomaly(1, inTurn({ ...twice[0], hasToken: false }, twice[1], twice[2]))).toBe("other");
  });

  it("treats a failed condition as an observation", () => {
    expect(findAnomaly(1, inTurn({ present: [0] }))).toBe("other");
    expect(findAnomaly(2, inTurn({ writes: [[1, 1]] }, { present: [0, 1] }))).toBeUndefined();
    expect(findAnomaly(1, inTurn({ writes: [[0, 1]] }, { absent: [0], writes: [[0, 2]] }))).toBe("other");
  });
});
