import type * as ajvModule from "ajv";
import type { Ajv, ErrorObject, FuncKeywordDefinition, ValidateFunction } from "ajv";
import type { DataValidationCxt } from "ajv/dist/types/index.js";
import { limits } from "../../openapi/clauses/limits.js";
import { lazyRequire } from "../../openapi/packaged/lazy-require.js";
import { appendPointer } from "../../openapi/validation/json-pointer.js";
import { explainMistakes } from "../../openapi/validation/explain-mistakes.js";
import {
  type JsonObject,
  isJsonArray,
  isJsonObject,
  type JsonValue,
  getFieldEntries,
} from "../json/json-value.js";
import { stringifyJson } from "../json/stringify-json.js";
import { toPlainValue } from "../json/to-plain.js";
import type { Mistake } from "./mistake.js";
import { PatternEngine, PatternLimitError } from "./pattern-engine.js";
import type {
  EntityRules,
  RepositorySchema,
  FieldDefinition,
  UnknownFieldPolicy,
} from "./repository-schema.js";

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

/** Compiles a checked schema. The work happens with the first entity; keep the result as long as the schema lives. */
export function compileRepositorySchema(schema: RepositorySchema, rules: EntityRules): EntityPreparer {
  if (schema.size === 0) return { prepare: (data) => ({ data, changed: false }) };
  const drops = {
    unknown: rules.unknownFields === "drop",
    nulls: rules.nullFields === "dropped",
  };
  const shapes = canShape(schema, drops);
  let validate: ((data: unknown) => readonly Mistake[]) | undefined;
  return {
    prepare(given, pointer = "/data") {
      const data = shapes ? new EntityShaper(drops).shape(given, schema) : given;
      validate ??= createValidator(schema, rules);
      const mistakes = validate(toPlainValue(data));
      if (mistakes.length === 0) return { data, changed: data !== given };
      return { mistakes: mistakes.map((one) => ({ ...one, pointer: `${pointer}${one.pointer}` })) };
    },
  };
}

function createValidator(
  schema: RepositorySchema,
  { unknownFields, nullFields }: EntityRules,
): (data: unknown) => readonly Mistake[] {
  const { Ajv } = lazyRequire("ajv") as typeof ajvModule;
  const patterns = new PatternEngine();
  const jsonSchema = toJsonSchema(schema, { unknownFields, takesNulls: nullFields === "kept" });
  // Ajv misses a required field of the empty name where it stops at the first mistake, but for its checks in loops
  const loopRequired = JSON.stringify(jsonSchema).includes('""') ? 1 : 200;
  const compile = (allErrors: boolean) => {
    const ajv = new Ajv({
      allErrors,
      // shows the refused value to `describeSchemaError`
      verbose: true,
      // a field may be called `toString`
      ownProperties: true,
      loopRequired,
      meta: false,
      validateSchema: false,
      code: { regExp: patterns.forAjv() },
    });
    const inFields: ErrorObject[] = [];
    ajv.addKeyword(fieldsKeyword(ajv, inFields));
    const validate = ajv.compile(jsonSchema);
    return (data: unknown): readonly ErrorObject[] => {
      inFields.length = 0;
      patterns.begin();
      validate(data);
      const errors = [...(validate.errors ?? []), ...inFields];
      return allErrors ? errors : errors.slice(0, 1);
    };
  };
  const findFirst = compile(false);
  let findAll: ReturnType<typeof compile> | undefined;
  let maxRequired: number | undefined;
  return (data) => {
    try {
      const first = findFirst(data);
      if (first.length === 0) return [];
      const violations = explainMistakes(
        data,
        first,
        () => (findAll ??= compile(true))(data),
        "body",
        (maxRequired ??= countMaxRequired(schema)),
      );
      return violations.map(({ pointer, detail }) => ({ pointer, detail }));
    } catch (error) {
      if (!(error instanceof PatternLimitError)) throw error;
      return [{ pointer: "", detail: error.message }];
    }
  };
}

/** Returns the number of required fields of the object that has the most, at any depth. */
function countMaxRequired(schema: RepositorySchema): number {
  const inside = [...schema.values()].map((definition) => {
    let one = definition;
    while (one.items !== undefined) one = one.items;
    return one.properties === undefined ? 0 : countMaxRequired(one.properties);
  });
  const own = [...schema.values()].filter(({ required }) => required).length;
  return Math.max(own, ...inside);
}

/** The number of fields from which compiling them with Ajv takes longer than validating each separately. */
const manyFields = 50;

/**
 * The keyword `fields`: `properties` for an object of many fields. A field is compiled when data have it, and fields of
 * the same definition share the compiled validator.
 *
 * @param errors takes what is wrong; Ajv would describe the whole object in place of the field
 */
function fieldsKeyword(ajv: Ajv, errors: ErrorObject[]): FuncKeywordDefinition {
  const compiled = new Map<string, ValidateFunction>();
  const validatorOf = (field: JsonSchema) => {
    const text = JSON.stringify(field);
    const validate = compiled.get(text) ?? ajv.compile(field);
    compiled.set(text, validate);
    return validate;
  };
  return {
    keyword: "fields",
    type: "object",
    compile:
      (fields: Readonly<Record<string, JsonSchema>>) =>
      (data: Readonly<Record<string, unknown>>, place?: DataValidationCxt) => {
        for (const name of Object.keys(data)) {
          const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
          if (field === undefined) continue;
          const validate = validatorOf(field);
          const at = { ...place, instancePath: appendPointer(place?.instancePath ?? "", name) };
          if (validate(data[name], at as DataValidationCxt)) continue;
          errors.push(...(validate.errors ?? []));
          if (ajv.opts.allErrors !== true) break;
        }
        return true;
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

const defaultFields = new WeakMap<RepositorySchema, readonly DefaultField[]>();

function getDefaultFields(schema: RepositorySchema): readonly DefaultField[] {
  let fields = defaultFields.get(schema);
  if (fields === undefined) {
    fields = [...schema].flatMap(([name, definition]) => {
      const { default: value } = definition;
      return value === undefined ? [] : [{ name, definition, value, length: stringifyJson(value).length }];
    });
    defaultFields.set(schema, fields);
  }
  return fields;
}

/**
 * Gives fields that are left out their default values, and drops members where the profile wants that, at every depth.
 * A few bytes of elements in an array can lack many defaults each, and so can defaults themselves: there is a bound to
 * the defaults of one entity.
 */
class EntityShaper {
  readonly #drops: DroppedFields;
  #left = limits.itemBytes;

  constructor(drops: DroppedFields) {
    this.#drops = drops;
  }

  /**
   * Defaults are added after the given fields, in the order of the schema. All other fields keep their exact values;
   * an object that needs no change is returned as it is.
   *
   * @throws {TooManyDefaultsError}
   */
  shape(data: JsonObject, schema: RepositorySchema): JsonObject {
    if (schema.size === 0) return data;
    const drops = this.#drops;
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

/** A JSON Schema as an object. */
type JsonSchema = Readonly<Record<string, unknown>>;

/** What the schema must allow. */
interface ValidationRules {
  readonly unknownFields: UnknownFieldPolicy;
  /** Whether a field that is not required may be null. */
  readonly takesNulls: boolean;
}

/** The JSON Schema of the data of entities. A schema without fields allows every object. */
function toJsonSchema(schema: RepositorySchema, leniency: ValidationRules): JsonSchema {
  if (schema.size === 0) return { type: "object" };
  const fields = [...schema];
  const required = fields.filter(([, definition]) => definition.required).map(([name]) => name);
  const properties = Object.fromEntries(
    fields.map(([name, definition]) => {
      const field = fieldSchema(definition, leniency);
      const takesNull = leniency.takesNulls && !definition.required;
      return [name, takesNull ? { ...field, type: [field.type, "null"] } : field];
    }),
  );
  return {
    type: "object",
    ...(fields.length < manyFields
      ? { properties }
      : { properties: Object.fromEntries(fields.map(([name]) => [name, true])), fields: properties }),
    ...(required.length > 0 ? { required } : {}),
    ...(leniency.unknownFields === "reject" ? { additionalProperties: false } : {}),
  };
}

function fieldSchema(definition: FieldDefinition, leniency: ValidationRules): JsonSchema {
  const { type, minLength, maxLength, pattern, min, max, items, minItems, maxItems, properties } = definition;
  if (properties !== undefined) return toJsonSchema(properties, leniency);
  const keywords = {
    minLength,
    maxLength,
    pattern,
    minimum: min,
    maximum: max,
    items: items === undefined ? undefined : fieldSchema(items, leniency),
    minItems,
    maxItems,
  };
  const present = Object.entries(keywords).filter(([, value]) => value !== undefined);
  return { type, ...Object.fromEntries(present) };
}
