import type { Profile } from "../../openapi/gaps/profile.js";
import { type Mistake, truncateMistakes } from "../../openapi/validation/truncate-mistakes.js";
import type { JsonObject, JsonValue } from "../json/json-value.js";
import { createEntityPreparer, TooManyDefaultsError, type EntityPreparer } from "./entity-preparer.js";
import type { FieldDefinition, RepositorySchema } from "./repository-schema.js";
import { type LocatedDefinition, SchemaReader } from "./schema-reader.js";

/** A schema that can be compiled, or every mistake in the given one. */
export type SchemaCheckResult =
  { readonly schema: RepositorySchema } | { readonly mistakes: readonly [Mistake, ...Mistake[]] };

/**
 * Checks a repository schema given by a user: unknown keys, contents of the wrong type, bounds that no value
 * fits, keys on fields of the wrong type, unusable patterns, refused names, nesting, defaults that do not fit their
 * own definitions (by the rules of the profile).
 */
export function checkRepositorySchema(given: JsonValue, profile: Profile): SchemaCheckResult {
  const reader = new SchemaReader(profile["pattern-match"]);
  const schema = reader.fields(given, "/schema", 1);
  // a default can be held only to a definition that is right itself
  const found =
    reader.mistakes.length > 0 ? reader.mistakes : findDefaultMistakes(reader.definitions, profile);
  const [first, ...others] = truncateMistakes(found, (detail) => ({ pointer: "", detail }));
  return first === undefined ? { schema } : { mistakes: [first, ...others] };
}

/** The defaults that do not fit their own definitions. */
function findDefaultMistakes(definitions: readonly LocatedDefinition[], profile: Profile): Mistake[] {
  const schema = new Map<string, FieldDefinition>();
  const defaults = new Map<string, JsonValue>();
  definitions.forEach(({ definition: { default: value, ...definition } }, index) => {
    if (value === undefined) return;
    schema.set(String(index), definition);
    defaults.set(String(index), value);
  });
  const mistakes = findMistakes(createEntityPreparer(schema, profile), defaults);
  return mistakes.map(({ pointer, detail }) => {
    // said of the defaults as a whole
    if (pointer === "") return { pointer: "/schema", detail };
    const [, index = "", ...rest] = pointer.split("/");
    const place = `${definitions[Number(index)]?.pointer ?? ""}/default`;
    return {
      pointer: [place, ...rest].join("/"),
      detail: `the default is not valid for this field: ${detail}`,
    };
  });
}

function findMistakes(preparer: EntityPreparer, defaults: JsonObject): readonly Mistake[] {
  try {
    const prepared = preparer.prepare(defaults, "");
    return "mistakes" in prepared ? prepared.mistakes : [];
  } catch (error) {
    if (!(error instanceof TooManyDefaultsError)) throw error;
    return [{ pointer: "", detail: "has nested defaults that make an entity too large" }];
  }
}
