import type { Profile } from "../../openapi/gaps/profile.js";
import { type Mistake, truncateMistakes } from "../../openapi/validation/truncate-mistakes.js";
import type { JsonObject, JsonValue } from "../json/json-value.js";
import { createEntityPreparer, TooManyDefaultsError } from "./entity-preparer.js";
import { type FieldDefinition, type LocatedDefinition, SchemaReader } from "./schema-reader.js";

/**
 * Finds every mistake in a repository schema that matches the contract: those that {@link SchemaReader} finds, or, if there
 * are none, default values that do not match their definitions by the rules of the profile.
 */
export function findSchemaMistakes(given: JsonObject, profile: Profile): readonly Mistake[] {
  const reader = new SchemaReader(profile["pattern-match"]);
  reader.readFields(given, "/schema", 1);
  const found =
    reader.mistakes.length > 0 ? reader.mistakes : findDefaultMistakes(reader.definitions, profile);
  return truncateMistakes(found, (detail) => ({ pointer: "", detail }));
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
