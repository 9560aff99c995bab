import type { ReferenceObject, SchemaObject } from "openapi3-ts/oas31";

/** Collects the names to which a part of a document refers under `#/components/<kind>/`. */
export function collectReferences(part: unknown, kind: "schemas" | "examples"): ReadonlySet<string> {
  const start = `#/components/${kind}/`;
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    else if (typeof value === "object" && value !== null) Object.values(value).forEach(visit);
    // references are values of `$ref` and entries of a discriminator's mapping
    else if (typeof value === "string" && value.startsWith(start)) found.add(value.slice(start.length));
  };
  visit(part);
  return found;
}

/**
 * Collects the names of the schemas to which a part of a document refers, directly or through other schemas.
 *
 * @throws Error if a schema does not exist
 */
export function collectReferencedSchemas(
  part: unknown,
  schemas: Readonly<Record<string, SchemaObject | ReferenceObject>>,
): ReadonlySet<string> {
  const found = new Set(collectReferences(part, "schemas"));
  // the iteration includes names that are added during it
  for (const name of found) {
    if (schemas[name] === undefined) throw new Error(`the document refers to an unknown schema ${name}`);
    for (const next of collectReferences(schemas[name], "schemas")) found.add(next);
  }
  return found;
}
