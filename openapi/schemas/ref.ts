import type { ReferenceObject } from "openapi3-ts/oas31";

/** A reference to a schema of the document's components. */
export function ref(name: string): ReferenceObject {
  return { $ref: `#/components/schemas/${name}` };
}
