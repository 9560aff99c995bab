import type { OpenAPIObject, OperationObject, ParameterObject } from "openapi3-ts/oas31";
import { listOperations } from "../document/list-operations.js";
import { appendPointer } from "./json-pointer.js";

/** An operation of a document, with its location. */
export interface LocatedOperation {
  readonly operationId: string;
  readonly operation: OperationObject;
  /** JSON pointer of the operation in the document. */
  readonly pointer: string;
}

/** A query parameter, with the location of its schema. */
export interface LocatedParameter {
  readonly parameter: ParameterObject;
  /** JSON pointer of the schema in the document. */
  readonly pointer: string;
}

/** Lists the operations of a document that have an id. */
export function locateOperations(document: OpenAPIObject): readonly LocatedOperation[] {
  return listOperations(document).flatMap(({ method, path, operation }) => {
    const { operationId } = operation;
    if (operationId === undefined) return [];
    return [{ operationId, operation, pointer: appendPointer(appendPointer("/paths", path), method) }];
  });
}

export function getQueryParameters({
  operation,
  pointer,
}: Pick<LocatedOperation, "operation" | "pointer">): readonly LocatedParameter[] {
  return ((operation.parameters ?? []) as ParameterObject[]).flatMap((parameter, index) =>
    parameter.in === "query" ? [{ parameter, pointer: `${pointer}/parameters/${index}/schema` }] : [],
  );
}

/** Returns the JSON pointer of the schema of an operation's JSON request body. */
export function getBodySchemaPointer({ pointer }: Pick<LocatedOperation, "pointer">): string {
  return `${pointer}/requestBody/content/application~1json/schema`;
}

/** Lists the JSON pointers of the schemas for requests: of query parameters and JSON bodies. */
export function listRequestSchemas(document: OpenAPIObject): readonly string[] {
  return locateOperations(document).flatMap((located) => {
    const parameters = getQueryParameters(located).map(({ pointer }) => pointer);
    const { content = {} } = (located.operation.requestBody ?? {}) as { readonly content?: object };
    return "application/json" in content ? [...parameters, getBodySchemaPointer(located)] : parameters;
  });
}
