import type { Profile } from "../../openapi/gaps/profile.js";
import { type Mistake, truncateMistakes } from "../../openapi/validation/truncate-mistakes.js";
import type { JsonValue } from "../json/json-value.js";
import { createEntityPreparer, TooManyDefaultsError } from "./entity-preparer.js";
import {
  type FieldDefinition,
  type LocatedDefinition,
  type RepositorySchema,
  SchemaReader,
} from "./schema-reader.js";

/** A valid schema, or every mistake in an invalid one. */
export type SchemaCheckResult =
  { readonly schema: RepositorySchema } | { readonly mistakes: readonly [Mistake, ...Mistake[]] };

/**
 * Checks a repository schema that a user has given: unknown keys, values of the wrong type, bounds that exclude all values,
 * keys on fields of the wrong type, unusable patterns, forbidden names, nesting, and default values that do not match
 * their definitions by the rules of the profile.
 */
export function checkRepositorySchema(given: JsonValue, profile: Profile): SchemaCheckResult {
  const reader = new SchemaReader(profile["pattern-match"]);
  const schema = reader.readFields(given, "/schema", 1);
  // Default values are validated only against valid definitions.
  const found =
    reader.mistakes.length > 0 ? reader.mistakes : findDefaultMistakes(reader.definitions, profile);
  const [first, ...others] = truncateMistakes(found, (detail) => ({ pointer: "", detail }));
  return first === undefined ? { schema } : { mistakes: [first, ...others] };
}

/** Validates all default values as one entity, whose fields are numbered. */
function findDefaultMistakes(
  definitions: readonly LocatedDefinition[],
  profile: Profile,
): readonly Mistake[] {
  const schema = new Map<string, FieldDefinition>();
  const defaults = new Map<string, JsonValue>();
  definitions.forEach(({ definition: { default: value, ...definition } }, index) => {
    if (value === undefined) return;
    schema.set(String(index), definition);
    defaults.set(String(index), value);
  });
  try {
    const prepared = createEntityPreparer(schema, profile).prepare(defaults, "");
    if (!("mistakes" in prepared)) return [];
    return prepared.mistakes.map(({ pointer, detail }) => {
      // This mistake concerns the defaults as a whole.
      if (pointer === "") return { pointer: "/schema", detail };
      const [, index = "", ...path] = pointer.split("/");
      return {
        pointer: [`${definitions[Number(index)]?.pointer ?? ""}/default`, ...path].join("/"),
        detail: `the default is not valid for this field: ${detail}`,
      };
    });
  } catch (error) {
    if (!(error instanceof TooManyDefaultsError)) throw error;
    return [{ pointer: "/schema", detail: "has nested defaults that make an entity too large" }];
  }
}
