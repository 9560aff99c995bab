import fc from "fast-check";
import { expect, it } from "vitest";
import { createNameGenerator } from "./create-name-generator.js";

it("never creates a name twice, with any suffix", () => {
  const end = fc.string({ unit: fc.constantFrom("-", "1", "a", "z", "#", " "), maxLength: 3 });
  fc.assert(
    fc.property(fc.array(end, { minLength: 40, maxLength: 200 }), (ends) => {
      const createName = createNameGenerator("cf1");
      const made = ends.map((text) => createName(text));
      expect(new Set(made).size).toBe(made.length);
      for (const [at, name] of made.entries()) expect(name.endsWith(ends[at] ?? "")).toBe(true);
    }),
  );
});
