import type * as re2js from "re2js";
import { describe, expect, it, vi } from "vitest";
import { lazyRequire } from "../../openapi/packaged/lazy-require.js";
import { defaultProfile, type Profile } from "../../openapi/gaps/profile.js";
import { EntityValidator } from "./entity-validator.js";
import { findSchemaMistakes } from "./find-schema-mistakes.js";
import type { FieldDefinition } from "./schema-reader.js";

const rules: Profile = {
  ...defaultProfile,
  "entity-unknown-fields": "reject",
  "entity-null-fields": "kept",
};

function createValidator(pattern: string): EntityValidator {
  const field: FieldDefinition = { type: "string", required: false, pattern };
  return new EntityValidator(new Map([["a", field]]), rules);
}

/** Counts the patterns that are compiled to validate an entity. */
function countCompiled(validator: EntityValidator): number {
  const compile = vi.spyOn((lazyRequire("re2js") as typeof re2js).RE2JS, "compile");
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

  it("are shared with the check of a schema", () => {
    const pattern = "^x checked$";
    findSchemaMistakes({ a: { type: "string", pattern } }, rules);
    expect(countCompiled(createValidator(pattern))).toBe(0);
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
