import type { ReferenceObject, SchemaObject } from "openapi3-ts/oas31";

/** The names that a part of a document refers to below `#/components/<kind>/`. */
export function collectReferences(part: unknown, kind: "schemas" | "examples"): ReadonlySet<string> {
  const start = `#/components/${kind}/`;
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    else if (typeof value === "object" && value !== null) Object.values(value).forEach(visit);
    // references stand beside `$ref`, and in the mapping of a discriminator
    else if (typeof value === "string" && value.startsWith(start)) found.add(value.slice(start.length));
  };
  visit(part);
  return found;
}

/**
 * The names of the schemas that a part of a document refers to, directly or through others.
 *
 * @throws Error where there is no such schema
 */
export function collectReferencedSchemas(
  part: unknown,
  schemas: Readonly<Record<string, SchemaObject | ReferenceObject>>,
): ReadonlySet<string> {
  const found = new Set(collectReferences(part, "schemas"));
  // a set is gone through to what is added meanwhile
  for (const name of found) {
    if (schemas[name] === undefined) throw new Error(`the document refers to an unknown schema ${name}`);
    for (const next of collectReferences(schemas[name], "schemas")) found.add(next);
  }
  return found;
}
