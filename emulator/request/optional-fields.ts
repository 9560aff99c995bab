import type { OpenAPIObject, ReferenceObject, SchemaObject } from "openapi3-ts/oas31";
import { isJsonArray, isJsonObject, type JsonValue, getField, getFieldEntries } from "../json/json-value.js";

/** Where null in a request body means that a field is absent (gap `null-optional-fields`). */
export interface OptionalFields {
  /** Fields of an object for which null means that they are absent. */
  readonly names: readonly string[];
  /** Fields of an object that contain such fields. */
  readonly inside: ReadonlyMap<string, OptionalFields>;
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
    const inside = new Map<string, OptionalFields>();
    for (const [name, member] of Object.entries(schema.properties ?? {})) {
      if (schema.required?.includes(name) !== true && isNullable(member)) names.push(name);
      const within = this.read(member);
      if (within !== undefined) inside.set(name, within);
    }
    const { items, additionalProperties } = schema;
    const elements = items ?? (typeof additionalProperties === "object" ? additionalProperties : undefined);
    const each = elements === undefined ? undefined : this.read(elements);
    if (names.length === 0 && inside.size === 0 && each === undefined) return undefined;
    return { names, inside, ...(each === undefined ? {} : { each }) };
  }

  /** A schema that refers to itself gets the object that is still being filled. */
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
export function removeNullFields(value: JsonValue, optional: OptionalFields | undefined): JsonValue {
  if (optional === undefined) return value;
  const { names, inside, each } = optional;
  if (isJsonArray(value)) {
    const elements = value.map((element) => removeNullFields(element, each));
    return elements.every((element, index) => element === value[index]) ? value : elements;
  }
  if (!isJsonObject(value)) return value;
  // A shortcut for most objects, such as the entries of a batch.
  if (inside.size === 0 && each === undefined && names.every((name) => getField(value, name) !== null))
    return value;
  const given = [...getFieldEntries(value)];
  const fields = given
    .filter(([name, field]) => field !== null || !names.includes(name))
    .map(([name, field]) => [name, removeNullFields(field, inside.get(name) ?? each)] as const);
  const isSame = fields.length === given.length && fields.every(([, field], at) => field === given[at]?.[1]);
  if (isSame) return value;
  return value instanceof Map ? new Map(fields) : Object.fromEntries(fields);
}
