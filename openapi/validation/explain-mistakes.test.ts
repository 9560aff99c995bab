import { describe, expect, it } from "vitest";
import { buildDocument } from "../document/document.js";
import { emulatorDefinedLimits } from "../clauses/limits.js";
import { defaultProfile } from "../gaps/profile.js";
import { truncateMistakes } from "./truncate-mistakes.js";
import { ContractValidator } from "./contract-validator.js";

const validator = new ContractValidator(buildDocument(defaultProfile));

function violations(operationId: string, body: unknown) {
  return validator.validateRequest(operationId, { path: {}, query: {}, body });
}

/** Creates an array of the given length that counts how often its entries are read. */
function createCountingArray(
  length: number,
  entry: unknown,
): { readonly array: unknown[]; looks: () => number } {
  let looks = 0;
  const array = new Proxy(Array<unknown>(length).fill(entry), {
    get(target, name, receiver) {
      if (typeof name === "string" && /^\d+$/.test(name)) looks += 1;
      return Reflect.get(target, name, receiver) as unknown;
    },
  });
  return { array, looks: () => looks };
}

describe("a body with many mistakes", () => {
  it("does not evaluate the entries of an array that has too many", () => {
    const { array, looks } = createCountingArray(40_000, {});
    const [first] = violations("batchWriteItems", { items: array });
    expect(first).toMatchObject({ pointer: "/items", keyword: "maxItems" });
    // counting the values reads some of the entries
    expect(looks()).toBeLessThanOrEqual(emulatorDefinedLimits.explainedValues + 1);
  });

  it("names only the first mistake if it is large", () => {
    const names = Array<number>(20_000).fill(1);
    const found = violations("transactGetItems", { items: [{ pk: "a", projectionExpression: names }] });
    expect(found).toMatchObject([
      { pointer: "/items/0/projectionExpression/0" },
      { pointer: "", detail: expect.stringContaining("more than 5000 values") as string },
    ]);
  });

  it("lists all mistakes if it is small, at most as many as a response names", () => {
    const items = [{ pk: "a", projectionExpression: Array<number>(3000).fill(1) }];
    const found = violations("transactGetItems", { items });
    expect(found).toHaveLength(emulatorDefinedLimits.mistakesShown + 1);
    expect(found.at(-1)?.detail).toBe("more mistakes were found, but are not shown");
  });
});

describe("truncateMistakes", () => {
  it("limits the characters too, but always shows one", () => {
    const pointer = `/${"x".repeat(200_000)}`;
    const shown = truncateMistakes(
      [1, 2, 3].map(() => ({ pointer, detail: "is wrong" })),
      (detail) => ({
        pointer: "",
        detail,
      }),
    );
    expect(shown).toEqual([
      { pointer, detail: "is wrong" },
      { pointer: "", detail: "more mistakes were found, but are not shown" },
    ]);
  });
});
