import { expect, it } from "vitest";
import { fillPath } from "./path-template.js";

it("fills in a path, and rejects values that URL parsers remove", () => {
  expect(fillPath("/items/{pk}/{sk}", { pk: "a/b", sk: "..." })).toBe("/items/a%2Fb/...");
  for (const pk of [".", ".."]) {
    expect(() => fillPath("/items/{pk}", { pk })).toThrow(`pk must not be "${pk}"`);
    expect(fillPath("/items/{pk}", { pk }, encodeURIComponent)).toBe(`/items/${pk}`);
  }
});
