import type { ReferenceObject, SchemaObject } from "openapi3-ts/oas31";

/** The names of the schemas that a part of a document refers to, directly or through others. */
export function referredSchemas(
  part: unknown,
  schemas: Readonly<Record<string, SchemaObject | ReferenceObject>>,
): ReadonlySet<string> {
  const found = new Set<string>();
  const waiting = [part];
  // what is found is looked through as well
  for (const text of waiting)
    for (const [, name = ""] of JSON.stringify(text).matchAll(/"\$ref":"#\/components\/schemas\/([^"/]+)"/g))
      if (!found.has(name)) {
        found.add(name);
        waiting.push(schemas[name] ?? {});
      }
  return found;
}
