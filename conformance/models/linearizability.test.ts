import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findLinearization, type TimedOperation } from "./linearizability.js";

type State = number | undefined;

function write(value: number, called: number, returned: number): TimedOperation<State> {
  return { called, returned, name: `write ${value}`, apply: () => ({ state: value }) };
}

function read(value: State, called: number, returned: number): TimedOperation<State> {
  const apply = (state: State) => (state === value ? { state } : undefined);
  return { called, returned, name: `read ${value}`, apply };
}

describe("linearize", () => {
  it("finds the order of overlapping operations", () => {
    const history = [write(1, 0, 5), read(1, 1, 2), read(undefined, 3, 4)];
    expect(findLinearization<State>(undefined, history, String)).toBeUndefined();
    expect(
      findLinearization<State>(undefined, [write(1, 0, 5), read(undefined, 1, 2), read(1, 3, 4)], String),
    ).toEqual(["read undefined", "write 1", "read 1"]);
  });

  it("detects a stale read", () => {
    expect(
      findLinearization<State>(undefined, [write(1, 0, 1), read(undefined, 2, 3)], String),
    ).toBeUndefined();
  });

  it("accepts a write without a response taking effect late or never", () => {
    const lost = write(1, 0, Infinity);
    for (const seen of [[undefined], [1], [undefined, 1], [undefined, undefined]])
      expect(
        findLinearization<State>(
          undefined,
          [lost, ...seen.map((value, n) => read(value, 1 + 2 * n, 2 + 2 * n))],
          String,
        ),
      ).toBeDefined();
    expect(
      findLinearization<State>(undefined, [lost, read(1, 1, 2), read(undefined, 3, 4)], String),
    ).toBeUndefined();
  });

  it("accepts every history that one register could have had", () => {
    const step = fc.record({
      value: fc.option(fc.nat(3), { nil: undefined }),
      early: fc.nat(8),
      late: fc.nat(8),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 10 }), (steps) => {
        let state: State;
        const history = steps.map(({ value, early, late }, at) => {
          const [called, returned] = [at * 10 - early * 9, at * 10 + 1 + late * 9];
          if (value === undefined) return read(state, called, returned);
          state = value;
          return write(value, called, returned);
        });
        expect(findLinearization<State>(undefined, history, String)).toBeDefined();
      }),
    );
  });
});
