import type { OpenAPIObject, ReferenceObject, SchemaObject } from "openapi3-ts/oas31";
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  memberEntries,
  memberOf,
} from "../json/json-value.js";

/** Where null in a request body stands for a member that is left out (gap `null-optional-members`). */
export interface OptionalMembers {
  /** Members of an object that are as good as absent when they are null. */
  readonly names: readonly string[];
  /** Members of an object that have such members inside. */
  readonly inside: readonly (readonly [name: string, members: OptionalMembers])[];
  /** What holds for each element of an array, or for each member of an object of any names. */
  readonly each?: OptionalMembers;
}

/** Finds the optional members that a schema of a document lets be null. Free-form objects have none. */
export function optionalMembersOf(
  schema: SchemaObject | ReferenceObject,
  document: OpenAPIObject,
): OptionalMembers | undefined {
  return new MemberReader(document).read(schema);
}

class MemberReader {
  readonly #document: OpenAPIObject;
  readonly #known = new Map<string, OptionalMembers | undefined>();

  constructor(document: OpenAPIObject) {
    this.#document = document;
  }

  read(schema: SchemaObject | ReferenceObject): OptionalMembers | undefined {
    if ("$ref" in schema) return this.#named(schema.$ref.split("/").at(-1) ?? "");
    const wrapped = [...(schema.anyOf ?? []), ...(schema.allOf ?? [])].find(
      (one) => "$ref" in one || one.allOf,
    );
    if (wrapped !== undefined && schema.properties === undefined) return this.read(wrapped);
    const names: string[] = [];
    const inside: [string, OptionalMembers][] = [];
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
  #named(name: string): OptionalMembers | undefined {
    if (this.#known.has(name)) return this.#known.get(name);
    const schema = this.#document.components?.schemas?.[name];
    if (schema === undefined) return undefined;
    const members = {} as OptionalMembers;
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

/** The value without the members that are as good as absent; the very value given where there are none. */
export function withoutNulls(value: JsonValue, members: OptionalMembers): JsonValue {
  const { names, inside, each } = members;
  if (isJsonArray(value)) return each === undefined ? value : mapped(value, each);
  if (!isJsonObject(value)) return value;
  let result = value;
  for (const name of names)
    if (memberOf(value, name) === null) result = changed(result, value, name, undefined);
  const within =
    each === undefined ? inside : [...inside, ...namesOf(value).map((name) => [name, each] as const)];
  for (const [name, nested] of within) {
    const before = memberOf(value, name);
    if (before === undefined || before === null) continue;
    const after = withoutNulls(before, nested);
    if (after !== before) result = changed(result, value, name, after);
  }
  return result;
}

function namesOf(object: JsonObject): readonly string[] {
  return [...memberEntries(object)].map(([name]) => name);
}

function mapped(values: readonly JsonValue[], each: OptionalMembers): readonly JsonValue[] {
  const result = values.map((value) => withoutNulls(value, each));
  return result.every((value, index) => value === values[index]) ? values : result;
}

/** Changes or removes a member, in a copy unless it is one already: values are shared between requests. */
function changed(
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
