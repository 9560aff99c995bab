import type { OpenAPIObject, ReferenceObject, SchemaObject } from "openapi3-ts/oas31";
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  getFieldEntries,
  getField,
} from "../json/json-value.js";

/** Where null in a request body means that a field is absent (gap `null-optional-members`). */
export interface OptionalFields {
  /** Fields of an object for which null means that they are absent. */
  readonly names: readonly string[];
  /** Fields of an object that contain such fields. */
  readonly inside: readonly (readonly [name: string, members: OptionalFields])[];
  /** The same for each element of an array, or for each field of an object with arbitrary names. */
  readonly each?: OptionalFields;
}

/** Finds the optional fields that may be null by a schema of a document. Free-form objects have none. */
export function findOptionalFields(
  schema: SchemaObject | ReferenceObject,
  document: OpenAPIObject,
): OptionalFields | undefined {
  return new OptionalFieldReader(document).read(schema);
}

class OptionalFieldReader {
  readonly #known = new Map<string, OptionalFields | undefined>();

  constructor(private readonly document: OpenAPIObject) {}

  read(schema: SchemaObject | ReferenceObject): OptionalFields | undefined {
    if ("$ref" in schema) return this.#named(schema.$ref.split("/").at(-1) ?? "");
    const wrapped = [...(schema.anyOf ?? []), ...(schema.allOf ?? [])].find(
      (one) => "$ref" in one || one.allOf,
    );
    if (wrapped !== undefined && schema.properties === undefined) return this.read(wrapped);
    const names: string[] = [];
    const inside: [string, OptionalFields][] = [];
    for (const [name, member] of Object.entries(schema.properties ?? {})) {
      if (schema.required?.includes(name) !== true && isNullable(member)) names.push(name);
      const within = this.read(member);
      if (within !== undefined) inside.push([name, within]);
    }
    const { items, additionalProperties } = schema;
    const elements = items ?? (typeof additionalProperties === "object" ? additionalProperties : undefined);
    const each = elements === undefined ? undefined : this.read(elements);
    if (names.length === 0 && inside.length === 0 && each === undefined) return undefined;
    return { names, inside, ...(each === undefined ? {} : { each }) };
  }

  /** Definitions of fields hold definitions of fields: a name met within itself is the object that is being made. */
  #named(name: string): OptionalFields | undefined {
    if (this.#known.has(name)) return this.#known.get(name);
    const schema = this.document.components?.schemas?.[name];
    if (schema === undefined) return undefined;
    const members = {} as OptionalFields;
    this.#known.set(name, members);
    const read = this.read(schema);
    if (read === undefined) this.#known.set(name, undefined);
    else Object.assign(members, read);
    return this.#known.get(name);
  }
}

function isNullable(schema: SchemaObject | ReferenceObject): boolean {
  if ("$ref" in schema) return false;
  const { type, anyOf = [] } = schema;
  return (
    schema["x-nullable"] === true ||
    (Array.isArray(type) && type.includes("null")) ||
    anyOf.some((one) => !("$ref" in one) && one.type === "null")
  );
}

/** Removes the fields that are null instead of absent. Returns the same value if there are none. */
export function removeNullFields(value: JsonValue, members: OptionalFields): JsonValue {
  const { names, inside, each } = members;
  if (isJsonArray(value)) return each === undefined ? value : mapValues(value, each);
  if (!isJsonObject(value)) return value;
  let result = value;
  for (const name of names)
    if (getField(value, name) === null) result = setField(result, value, name, undefined);
  const within =
    each === undefined
      ? inside
      : [...inside, ...[...getFieldEntries(value)].map(([name]) => [name, each] as const)];
  for (const [name, nested] of within) {
    const before = getField(value, name);
    if (before === undefined || before === null) continue;
    const after = removeNullFields(before, nested);
    if (after !== before) result = setField(result, value, name, after);
  }
  return result;
}

function mapValues(values: readonly JsonValue[], each: OptionalFields): readonly JsonValue[] {
  const result = values.map((value) => removeNullFields(value, each));
  return result.every((value, index) => value === values[index]) ? values : result;
}

/** Changes or removes a field in a copy, because values are shared between requests. */
function setField(
  object: JsonObject,
  original: JsonObject,
  name: string,
  value: JsonValue | undefined,
): JsonObject {
  if (object instanceof Map) {
    const copy = object === original ? new Map(object) : object;
    if (value === undefined) copy.delete(name);
    else copy.set(name, value);
    return copy;
  }
  const copy: Record<string, JsonValue> = object === original ? { ...object } : object;
  if (value === undefined) Reflect.deleteProperty(copy, name);
  else copy[name] = value;
  return copy;
}
