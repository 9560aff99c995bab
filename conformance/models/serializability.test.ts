import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findAnomaly, type TimedRequest } from "./serializability.js";

/** Creates requests that do not overlap. */
function createSequentialRequests(
  ...requests: readonly Omit<TimedRequest, "called" | "returned" | "name">[]
): readonly TimedRequest[] {
  return requests.map((request, index) => ({
    name: String(index),
    called: 2 * index,
    returned: 2 * index + 1,
    ...request,
  }));
}

function write(value: number, called: number, returned: number): TimedRequest {
  return { called, returned, name: `write ${value}`, writes: [[0, value]] };
}

function read(value: number | undefined, called: number, returned: number): TimedRequest {
  return { called, returned, name: `read ${value}`, reads: [[0, value]] };
}

const both = (value: number | undefined) =>
  [
    [0, value],
    [1, value],
  ] as const;

describe("findAnomaly", () => {
  it("finds no anomaly in sequential requests", () => {
    const history = createSequentialRequests(
      { reads: both(undefined) },
      { writes: both(1) },
      { reads: both(1) },
      { absent: [2] },
    );
    expect(findAnomaly(3, history)).toBeUndefined();
  });

  it("accepts overlapping requests in either order", () => {
    const [write, read] = createSequentialRequests({ writes: both(1) }, { reads: both(undefined) });
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
    const [write, read] = createSequentialRequests({ writes: both(1) }, torn);
    if (write === undefined || read === undefined) throw new Error("two requests");
    const early = { ...read, called: 0.5, returned: 0.9 };
    // The first half of the read may be after the write, and the second half before it.
    expect(findAnomaly(2, [write, early])).toBe("torn-read");
    const halves = [write, { ...early, name: "again", called: 0.95, returned: 0.99 }, early];
    expect(findAnomaly(2, halves)).toBe("torn-write");
  });

  it("recognizes a write of which a part is lost", () => {
    const half = [[0, 1]] as const;
    expect(
      findAnomaly(
        2,
        createSequentialRequests({ writes: both(1) }, { reads: half }, { reads: [[1, undefined]] }),
      ),
    ).toBe("torn-write");
  });

  it("recognizes a repeated request by its token", () => {
    const twice = [{ writes: [[0, 1]], hasToken: true }, { writes: [[0, 2]] }, { reads: [[0, 1]] }] as const;
    expect(findAnomaly(1, createSequentialRequests(...twice))).toBe("twice");
    expect(
      findAnomaly(1, createSequentialRequests({ ...twice[0], hasToken: false }, twice[1], twice[2])),
    ).toBe("other");
  });

  it("treats a failed condition as an observation", () => {
    expect(findAnomaly(1, createSequentialRequests({ present: [0] }))).toBe("other");
    expect(
      findAnomaly(2, createSequentialRequests({ writes: [[1, 1]] }, { present: [0, 1] })),
    ).toBeUndefined();
    expect(
      findAnomaly(1, createSequentialRequests({ writes: [[0, 1]] }, { absent: [0], writes: [[0, 2]] })),
    ).toBe("other");
  });

  it("detects a stale read", () => {
    expect(findAnomaly(1, [write(1, 0, 1), read(undefined, 2, 3)])).toBe("other");
    expect(findAnomaly(1, [write(1, 0, 5), read(1, 1, 2), read(undefined, 3, 4)])).toBe("other");
    expect(findAnomaly(1, [write(1, 0, 5), read(undefined, 1, 2), read(1, 3, 4)])).toBeUndefined();
  });

  it("accepts a write without a response taking effect late or never", () => {
    const lost = write(1, 0, Infinity);
    for (const seen of [[undefined], [1], [undefined, 1], [undefined, undefined]]) {
      const reads = seen.map((value, n) => read(value, 1 + 2 * n, 2 + 2 * n));
      expect(findAnomaly(1, [lost, ...reads])).toBeUndefined();
    }
    expect(findAnomaly(1, [lost, read(1, 1, 2), read(undefined, 3, 4)])).toBe("other");
  });

  it("accepts every possible history of one item", () => {
    const step = fc.record({
      value: fc.option(fc.nat(3), { nil: undefined }),
      early: fc.nat(8),
      late: fc.nat(8),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 10 }), (steps) => {
        let state: number | undefined;
        const history = steps.map(({ value, early, late }, at) => {
          const [called, returned] = [at * 10 - early * 9, at * 10 + 1 + late * 9];
          if (value === undefined) return read(state, called, returned);
          state = value;
          return write(value, called, returned);
        });
        expect(findAnomaly(1, history)).toBeUndefined();
      }),
    );
  });
});
