import type { ReferenceObject, SchemaObject } from "openapi3-ts/oas31";

type Schema = SchemaObject | ReferenceObject;

/** An object with `if`, `then` and `else`, of which TypeScript knows nothing. */
interface Conditional extends SchemaObject {
  readonly if: { readonly properties: Readonly<Record<string, { readonly enum: readonly unknown[] }>> };
  readonly then: Outcome;
  readonly else?: Outcome | Conditional;
}

/** What the members are in one case. */
interface Outcome {
  readonly properties?: Readonly<Record<string, SchemaObject>>;
  readonly required?: readonly string[];
}

/**
 * The objects that a schema stands for whose members depend on the value of one of them: one object for each of its
 * values, or for those that lead to the same. Nothing where no member depends on another.
 */
export function splitVariants(schema: Schema, together: boolean): readonly SchemaObject[] | undefined {
  if ("$ref" in schema || !isConditional(schema)) return undefined;
  const { if: test, then, else: otherwise, ...object } = schema;
  const conditional = { if: test, then, ...(otherwise && { else: otherwise }) };
  const [member = ""] = Object.keys(test.properties);
  const byOutcome = new Map<string, unknown[]>();
  for (const value of valuesOf(object.properties?.[member])) {
    const outcome = JSON.stringify(outcomeFor(value, conditional));
    const key = together ? outcome : `${JSON.stringify(value)}${outcome}`;
    byOutcome.set(key, [...(byOutcome.get(key) ?? []), value]);
  }
  return [...byOutcome.values()].map((values) =>
    variant(object, member, values, outcomeFor(values[0], conditional)),
  );
}

function isConditional(schema: object): schema is Conditional {
  return "if" in schema;
}

function valuesOf(schema: Schema | undefined): readonly unknown[] {
  if (schema === undefined || "$ref" in schema)
    throw new Error("what others depend on has no values to list");
  return schema.type === "boolean" ? [true, false] : (schema.enum ?? []);
}

function outcomeFor(value: unknown, conditional: Conditional): Outcome {
  const [tested] = Object.values(conditional.if.properties);
  if (tested?.enum.includes(value) === true) return conditional.then;
  const { else: otherwise = {} } = conditional;
  return isConditional(otherwise) ? outcomeFor(value, otherwise) : otherwise;
}

function variant(
  object: SchemaObject,
  member: string,
  values: readonly unknown[],
  { properties = {}, required = [] }: Outcome,
): SchemaObject {
  const all = { ...object.properties };
  const own = all[member] ?? {};
  all[member] = { ...own, enum: [...values] };
  for (const [name, is] of Object.entries(properties)) all[name] = narrowed(all[name] ?? {}, is);
  return { ...object, properties: all, required: [...new Set([...(object.required ?? []), ...required])] };
}

/**
 * A member that is not null. One that is null keeps its type: openapi-fetch takes members of no other type than null out
 * of what it reads, and whoever has not looked at the member that decides could not ask for it.
 */
function narrowed(schema: Schema, is: SchemaObject): Schema {
  const { description } = schema;
  const about = description === undefined ? {} : { description };
  if (is.not === undefined || "$ref" in schema) return schema;
  if (schema.anyOf !== undefined) {
    const [left = {}, ...more] = schema.anyOf.filter((one) => "$ref" in one || one.type !== "null");
    return more.length > 0 ? { ...schema, anyOf: [left, ...more] } : { ...left, ...about };
  }
  return Array.isArray(schema.type)
    ? { ...schema, type: schema.type.filter((type) => type !== "null") }
    : schema;
}
