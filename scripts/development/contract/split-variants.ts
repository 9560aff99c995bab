import type { ReferenceObject, SchemaObject } from "openapi3-ts/oas31";

type Schema = SchemaObject | ReferenceObject;

/** An object schema with `if`, `then` and `else`, which openapi-typescript does not support. */
interface ConditionalSchema extends SchemaObject {
  readonly if: { readonly properties: Readonly<Record<string, { readonly enum: readonly unknown[] }>> };
  readonly then: Branch;
  readonly else?: Branch | ConditionalSchema;
}

/** The schemas of fields in one case. */
interface Branch {
  readonly properties?: Readonly<Record<string, SchemaObject>>;
  readonly required?: readonly string[];
}

/**
 * Splits a schema whose fields depend on the value of one field into a schema for each value. Returns undefined if no
 * field depends on another.
 *
 * @param groupsValues whether values with the same effect share a schema
 */
export function splitVariants(schema: Schema, groupsValues: boolean): readonly SchemaObject[] | undefined {
  if ("$ref" in schema || !isConditional(schema)) return undefined;
  const { if: test, then, else: otherwise, ...object } = schema;
  const conditional = { if: test, then, ...(otherwise && { else: otherwise }) };
  const [field = ""] = Object.keys(test.properties);
  const groups = new Map<string, unknown[]>();
  for (const value of listValues(object.properties?.[field])) {
    const branch = JSON.stringify(selectBranch(value, conditional));
    const key = groupsValues ? branch : `${JSON.stringify(value)}${branch}`;
    groups.set(key, [...(groups.get(key) ?? []), value]);
  }
  return [...groups.values()].map((values) =>
    buildVariant(object, field, values, selectBranch(values[0], conditional)),
  );
}

function isConditional(schema: object): schema is ConditionalSchema {
  return "if" in schema;
}

function listValues(schema: Schema | undefined): readonly unknown[] {
  if (schema === undefined || "$ref" in schema)
    throw new Error("the field that determines the other fields has no list of values");
  return schema.type === "boolean" ? [true, false] : (schema.enum ?? []);
}

function selectBranch(value: unknown, conditional: ConditionalSchema): Branch {
  const [tested] = Object.values(conditional.if.properties);
  if (tested?.enum.includes(value) === true) return conditional.then;
  const { else: otherwise = {} } = conditional;
  return isConditional(otherwise) ? selectBranch(value, otherwise) : otherwise;
}

function buildVariant(
  object: SchemaObject,
  field: string,
  values: readonly unknown[],
  { properties = {}, required = [] }: Branch,
): SchemaObject {
  const all = { ...object.properties };
  all[field] = { ...all[field], enum: [...values] };
  for (const [name, condition] of Object.entries(properties))
    if (condition.not !== undefined) all[name] = removeNull(all[name] ?? {});
  return { ...object, properties: all, required: [...new Set([...(object.required ?? []), ...required])] };
}

/**
 * Removes null from the values of a field. (A field that must be null keeps its type, because openapi-fetch omits fields
 * whose only type is null, and code that has not checked the determining field could not read it.)
 */
function removeNull(schema: Schema): Schema {
  if ("$ref" in schema) return schema;
  const { description } = schema;
  if (schema.anyOf !== undefined) {
    const [first = {}, ...more] = schema.anyOf.filter((one) => "$ref" in one || one.type !== "null");
    if (more.length > 0) return { ...schema, anyOf: [first, ...more] };
    return { ...first, ...(description === undefined ? {} : { description }) };
  }
  return Array.isArray(schema.type)
    ? { ...schema, type: schema.type.filter((type) => type !== "null") }
    : schema;
}
