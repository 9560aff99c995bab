import { describe, expect, it, vi } from "vitest";
import { EntityValidator } from "./entity-validator.js";
import { LinearPattern } from "./linear-pattern.js";
import type { FieldDefinition } from "./repository-schema.js";

function createValidator(pattern: string): EntityValidator {
  const field: FieldDefinition = { type: "string", required: false, pattern };
  return new EntityValidator(new Map([["a", field]]), { unknownFields: "reject", nullFields: "kept" });
}

/** How many patterns are compiled to validate an entity. */
function countCompiled(validator: EntityValidator): number {
  const compile = vi.spyOn(LinearPattern, "compile");
  try {
    validator.validate({ a: "x" }, "/data");
    return compile.mock.calls.length;
  } finally {
    compile.mockRestore();
  }
}

describe("compiled patterns", () => {
  it("are shared by all schemas", () => {
    const [one, other] = [createValidator("^x shared$"), createValidator("^x shared$")];
    expect([one, one, other].map(countCompiled)).toEqual([1, 0, 0]);
  });

  it("are dropped when they take too much memory together", () => {
    const validators = Array.from({ length: 60 }, (_, at) =>
      createValidator(`a{990}b{990}c{990}d{990}${at}`),
    );
    const [first] = validators;
    if (first === undefined) throw new Error("no validator");
    expect(countCompiled(first)).toBe(1);
    expect(countCompiled(first)).toBe(0);
    for (const validator of validators) validator.validate({ a: "x" }, "/data");
    expect(countCompiled(first)).toBe(1);
  });
});
