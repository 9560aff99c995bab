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
import type { RepositorySchema, FieldDefinition } from "./repository-schema.js";
import { memoize } from "../../openapi/text/memoize.js";

/** The data of an entity as it is stored, or every mistake in it. */
export type PreparedEntity =
  | {
      readonly data: JsonObject;
      /** Whether defaults were added or unknown fields dropped; if not, `data` is the very object given. */
      readonly changed: boolean;
    }
  | { readonly mistakes: readonly Mistake[] };

/** Validates the data of entities against a repository schema (clauses REPO-10 to REPO-21). */
export interface EntityPreparer {
  /**
   * @param pointer where the data are in the request; `/data` unless it is given
   * @throws {TooManyDefaultsError}
   */
  prepare(data: JsonObject, pointer?: string): PreparedEntity;
}

/** Makes what prepares the entities of a checked schema. */
export function createEntityPreparer(schema: RepositorySchema, profile: Profile): EntityPreparer {
  if (schema.size === 0) return { prepare: (data) => ({ data, changed: false }) };
  const drops = {
    unknown: profile["entity-unknown-fields"] === "drop",
    nulls: profile["entity-null-fields"] === "dropped",
  };
  const shapes = canShape(schema, drops);
  const validator = new EntityValidator(schema, profile);
  return {
    prepare(given, pointer = "/data") {
      const data = shapes ? new EntityShaper(drops).shape(given, schema) : given;
      const mistakes = validator.validate(data, pointer);
      return mistakes.length === 0 ? { data, changed: data !== given } : { mistakes };
    },
  };
}

/** Which fields of the data are dropped: those that the schema does not define, and those that are null. */
interface DroppedFields {
  readonly unknown: boolean;
  readonly nulls: boolean;
}

/** The defaults that the data of an entity lack have more characters than an entity may have bytes. */
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
 * Gives fields that are left out their default values, and drops members where the profile wants that, at every depth.
 * A few bytes of elements in an array can lack many defaults each, and so can defaults themselves: there is a bound to
 * the defaults of one entity.
 */
class EntityShaper {
  #left = limits.itemBytes;

  constructor(private readonly drops: DroppedFields) {}

  /**
   * Defaults are added after the given fields, in the order of the schema. All other fields keep their exact values;
   * an object that needs no change is returned as it is.
   *
   * @throws {TooManyDefaultsError}
   */
  shape(data: JsonObject, schema: RepositorySchema): JsonObject {
    if (schema.size === 0) return data;
    const drops = this.drops;
    const members = new Map<string, JsonValue>();
    let changed = false;
    for (const [name, value] of getFieldEntries(data)) {
      const definition = schema.get(name);
      if (definition === undefined ? drops.unknown : drops.nulls && value === null) {
        changed = true;
        continue;
      }
      const shaped = definition === undefined ? value : this.#shapeValue(value, definition);
      changed ||= shaped !== value;
      members.set(name, shaped);
    }
    for (const { name, definition, value, length } of getDefaultFields(schema)) {
      if ((drops.nulls && value === null) || members.has(name)) continue;
      this.#left -= length + 1;
      if (this.#left < 0) throw new TooManyDefaultsError();
      changed = true;
      members.set(name, this.#shapeValue(value, definition));
    }
    return changed ? members : data;
  }

  #shapeValue(value: JsonValue, definition: FieldDefinition): JsonValue {
    const { properties, items } = definition;
    if (properties !== undefined && isJsonObject(value)) return this.shape(value, properties);
    if (items === undefined || !isJsonArray(value)) return value;
    const shaped = value.map((element) => this.#shapeValue(element, items));
    return shaped.some((element, index) => element !== value[index]) ? shaped : value;
  }
}

/** Whether an {@link EntityShaper} can change anything under this schema. */
function canShape(schema: RepositorySchema, drops: DroppedFields): boolean {
  if (schema.size === 0) return false;
  const inField = ({ default: value, properties, items }: FieldDefinition): boolean =>
    value !== undefined ||
    (properties !== undefined && canShape(properties, drops)) ||
    (items !== undefined && inField(items));
  return drops.unknown || drops.nulls || [...schema.values()].some(inField);
}
