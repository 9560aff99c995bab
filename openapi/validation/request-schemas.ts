import type { OpenAPIObject, OperationObject, ParameterObject } from "openapi3-ts/oas31";
import { pointerTo } from "./json-pointer.js";

/** JSON pointers of the schemas in a document that requests are held against: query parameters and JSON bodies. */
export function requestSchemas(document: OpenAPIObject): readonly string[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item as Record<string, OperationObject>).flatMap(([method, operation]) => {
      if (operation.operationId === undefined) return [];
      const pointer = pointerTo(pointerTo("/paths", path), method);
      const parameters = ((operation.parameters ?? []) as ParameterObject[]).flatMap(
        ({ in: place }, index) => (place === "query" ? [`${pointer}/parameters/${index}/schema`] : []),
      );
      const { content = {} } = (operation.requestBody ?? {}) as { readonly content?: object };
      return "application/json" in content
        ? [...parameters, `${pointer}/requestBody/content/application~1json/schema`]
        : parameters;
    }),
  );
}
