import type { components } from "../../openapi/generated/service-types.js";
import { getJsonType, isJsonObject } from "../client/json-text.js";

export type FieldDefinition = Readonly<components["schemas"]["FieldDefinition"]>;
export type RepositorySchema = Readonly<components["schemas"]["RepositorySchema"]>;

type Data = Readonly<Record<string, unknown>>;

/** One fault in data: its path, and the key of the definition that the data violates. */
interface SchemaFault {
  /** Field names and indexes, from the outermost value inwards. */
  readonly path: readonly (string | number)[];
  readonly key: keyof FieldDefinition;
}

/** Lists all faults in data; empty if the data matches the schema. Undeclared fields are left to a gap. */
export function findSchemaFaults(
  schema: RepositorySchema,
  data: Data,
  path: readonly (string | number)[] = [],
): readonly SchemaFault[] {
  return Object.entries(schema).flatMap(([name, definition]) => {
    const fieldPath = [...path, name];
    if (Object.hasOwn(data, name)) return findValueFaults(definition, data[name], fieldPath);
    return definition.required === true ? [{ path: fieldPath, key: "required" }] : [];
  });
}

function findValueFaults(
  definition: FieldDefinition,
  value: unknown,
  path: readonly (string | number)[],
): readonly SchemaFault[] {
  const { minLength = 0, maxLength = Infinity, pattern = "", min = -Infinity, max = Infinity } = definition;
  const { minItems = 0, maxItems = Infinity, items, properties = {} } = definition;
  const faultUnless = (holds: boolean, key: keyof FieldDefinition): readonly SchemaFault[] =>
    holds ? [] : [{ path, key }];
  if (getJsonType(value) !== definition.type) return [{ path, key: "type" }];
  if (typeof value === "string") {
    const length = Array.from(value).length;
    return [
      ...faultUnless(length >= minLength, "minLength"),
      ...faultUnless(length <= maxLength, "maxLength"),
      ...faultUnless(new RegExp(pattern, "u").test(value), "pattern"),
    ];
  }
  if (typeof value === "number")
    return [...faultUnless(value >= min, "min"), ...faultUnless(value <= max, "max")];
  if (Array.isArray(value))
    return [
      ...faultUnless(value.length >= minItems, "minItems"),
      ...faultUnless(value.length <= maxItems, "maxItems"),
      ...value.flatMap((element, index) =>
        items === undefined ? [] : findValueFaults(items, element, [...path, index]),
      ),
    ];
  return typeof value === "object" ? findSchemaFaults(properties, value as Data, path) : [];
}

/** Adds the defaults of omitted fields to data, at every depth that exists. */
export function applyDefaults(schema: RepositorySchema, data: Data): Data {
  const fields = Object.entries(schema).flatMap(([name, definition]): [string, unknown][] => {
    if (Object.hasOwn(data, name)) return [[name, applyValueDefaults(definition, data[name])]];
    return definition.default === undefined ? [] : [[name, definition.default]];
  });
  return { ...data, ...Object.fromEntries(fields) };
}

function applyValueDefaults({ properties, items }: FieldDefinition, value: unknown): unknown {
  if (Array.isArray(value))
    return items === undefined ? value : value.map((element) => applyValueDefaults(items, element));
  return typeof value === "object" && value !== null && properties !== undefined
    ? applyDefaults(properties, value as Data)
    : value;
}

/** Removes declared fields that are null instead of absent, at every depth: omitted fields may be returned as null. */
export function removeNullsForOmitted(schema: RepositorySchema, actual: Data, expected: Data): Data {
  return Object.fromEntries(
    Object.entries(actual).flatMap(([name, value]): [string, unknown][] => {
      const definition = Object.hasOwn(schema, name) ? schema[name] : undefined;
      if (definition === undefined) return [[name, value]];
      if (Object.hasOwn(expected, name)) return [[name, removeValueNulls(definition, value, expected[name])]];
      return value === null ? [] : [[name, value]];
    }),
  );
}

function removeValueNulls(
  { properties, items }: FieldDefinition,
  actual: unknown,
  expected: unknown,
): unknown {
  if (Array.isArray(actual) && Array.isArray(expected) && items !== undefined)
    return actual.map((element, index) => removeValueNulls(items, element, expected[index]));
  return isJsonObject(actual) && isJsonObject(expected) && properties !== undefined
    ? removeNullsForOmitted(properties, actual, expected)
    : actual;
}
