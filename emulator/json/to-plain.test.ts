import { expect, it } from "vitest";
import { parseJson } from "./parse-json.js";
import { toPlainValue } from "./to-plain.js";

it("returns a plain value as it is", () => {
  const value = parseJson('{"a":[1,{"b":"c"}]}', { maxDepth: 10 });
  expect(toPlainValue(value)).toBe(value);
});

it("reads __proto__ as an own field and leaves the prototype unchanged", () => {
  const plain = toPlainValue(
    parseJson('{"__proto__":{"polluted":true},"n":1.50,"7":[2.0]}', { maxDepth: 10 }),
  );
  expect(Object.getPrototypeOf(plain)).toBe(Object.prototype);
  expect(Object.getOwnPropertyDescriptor(plain, "__proto__")?.value).toEqual({ polluted: true });
  expect(plain).not.toHaveProperty("polluted");
  expect(plain).toMatchObject({ n: 1.5, 7: [2] });
});
