import type { Profile } from "../../openapi/gaps/profile.js";
import { limits } from "../../openapi/clauses/limits.js";
import {
  type JsonObject,
  isJsonArray,
  isJsonObject,
  type JsonValue,
  getFieldEntries,
} from "../json/json-value.js";
import { stringifyJson } from "../json/stringify-json.js";
import { EntityValidator } from "./entity-validator.js";
import type { Mistake } from "../../openapi/validation/truncate-mistakes.js";
import type { RepositorySchema, FieldDefinition } from "./schema-reader.js";
import { memoize } from "../../openapi/text/memoize.js";

/** The data of an entity as it is stored, or every mistake in it. If nothing changes, `data` is the object given. */
export type PreparedEntity = { readonly data: JsonObject } | { readonly mistakes: readonly Mistake[] };

/** Validates the data of entities against a repository schema (clauses REPO-10 to REPO-21). */
export interface EntityPreparer {
  /**
   * @param pointer the location of the data in the request; by default `/data`
   * @throws {TooManyDefaultsError}
   */
  prepare(data: JsonObject, pointer?: string): PreparedEntity;
}

/** Creates the preparer for entities of a valid schema. */
export function createEntityPreparer(schema: RepositorySchema, profile: Profile): EntityPreparer {
  if (schema.size === 0) return { prepare: (data) => ({ data }) };
  const drops = {
    unknown: profile["entity-unknown-fields"] === "drop",
    nulls: profile["entity-null-fields"] === "dropped",
  };
  const canChange = canChangeEntities(schema, drops);
  const validator = new EntityValidator(schema, profile);
  return {
    prepare(given, pointer = "/data") {
      const data = canChange ? new EntityCompleter(drops).complete(given, schema) : given;
      const mistakes = validator.validate(data, pointer);
      return mistakes.length === 0 ? { data } : { mistakes };
    },
  };
}

/** Which fields of the data are dropped: those that the schema does not define, and those that are null. */
interface DroppedFields {
  readonly unknown: boolean;
  readonly nulls: boolean;
}

/** The missing default values of an entity have more characters than an entity may have bytes. */
export class TooManyDefaultsError extends Error {
  override readonly name = "TooManyDefaultsError";
}

/** A field that has a default. */
interface DefaultField {
  readonly name: string;
  readonly definition: FieldDefinition;
  readonly value: JsonValue;
  /** Characters of the value, as JSON. */
  readonly length: number;
}

const getDefaultFields = memoize(
  (schema: RepositorySchema): readonly DefaultField[] =>
    [...schema].flatMap(([name, definition]) => {
      const { default: value } = definition;
      return value === undefined ? [] : [{ name, definition, value, length: stringifyJson(value).length }];
    }),
  new WeakMap(),
);

/**
 * Adds the default values of missing fields, and drops fields if the profile says so, at every depth. The default values
 * of one entity are limited, because each element of an array, and each default value, can lack many defaults.
 */
class EntityCompleter {
  #remaining = limits.itemBytes;

  constructor(private readonly drops: DroppedFields) {}

  /**
   * Adds default values after the given fields, in the order of the schema. Returns `data` itself if nothing changes.
   *
   * @throws {TooManyDefaultsError}
   */
  complete(data: JsonObject, schema: RepositorySchema): JsonObject {
    if (schema.size === 0) return data;
    const drops = this.drops;
    const fields = new Map<string, JsonValue>();
    let changed = false;
    for (const [name, value] of getFieldEntries(data)) {
      const definition = schema.get(name);
      if (definition === undefined ? drops.unknown : drops.nulls && value === null) {
        changed = true;
        continue;
      }
      const completed = definition === undefined ? value : this.#completeValue(value, definition);
      changed ||= completed !== value;
      fields.set(name, completed);
    }
    for (const { name, definition, value, length } of getDefaultFields(schema)) {
      if ((drops.nulls && value === null) || fields.has(name)) continue;
      this.#remaining -= length + 1;
      if (this.#remaining < 0) throw new TooManyDefaultsError();
      changed = true;
      fields.set(name, this.#completeValue(value, definition));
    }
    return changed ? fields : data;
  }

  #completeValue(value: JsonValue, definition: FieldDefinition): JsonValue {
    const { properties, items } = definition;
    if (properties !== undefined && isJsonObject(value)) return this.complete(value, properties);
    if (items === undefined || !isJsonArray(value)) return value;
    const completed = value.map((element) => this.#completeValue(element, items));
    return completed.some((element, index) => element !== value[index]) ? completed : value;
  }
}

/** Whether an {@link EntityCompleter} can change entities of this schema. */
function canChangeEntities(schema: RepositorySchema, drops: DroppedFields): boolean {
  if (schema.size === 0) return false;
  const canChangeField = ({ default: value, properties, items }: FieldDefinition): boolean =>
    value !== undefined ||
    (properties !== undefined && canChangeEntities(properties, drops)) ||
    (items !== undefined && canChangeField(items));
  return drops.unknown || drops.nulls || [...schema.values()].some(canChangeField);
}
