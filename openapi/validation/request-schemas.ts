import type { OpenAPIObject } from "openapi3-ts/oas31";
import { bodySchemaOf, locatedOperations, queryParametersOf } from "./located-operations.js";

/** JSON pointers of the schemas in a document that requests are held against: query parameters and JSON bodies. */
export function requestSchemas(document: OpenAPIObject): readonly string[] {
  return locatedOperations(document).flatMap((located) => {
    const parameters = queryParametersOf(located).map(({ pointer }) => pointer);
    const { content = {} } = (located.operation.requestBody ?? {}) as { readonly content?: object };
    return "application/json" in content ? [...parameters, bodySchemaOf(located)] : parameters;
  });
}
