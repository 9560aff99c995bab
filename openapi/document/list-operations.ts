import type { OpenAPIObject, OperationObject, PathItemObject } from "openapi3-ts/oas31";
import type { Method } from "../operations/operation.js";

type Paths = Readonly<Record<string, PathItemObject>>;

/** An operation of a document, with its route. */
export interface ListedOperation {
  readonly method: Method;
  /** With `{name}` for parameters. */
  readonly path: string;
  readonly operation: OperationObject;
}

/** Lists the operations of a document, in the order of its paths. */
export function listOperations({ paths = {} }: Pick<OpenAPIObject, "paths">): readonly ListedOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item as Readonly<Record<string, OperationObject>>).map(([method, operation]) => ({
      method: method as Method,
      path,
      operation,
    })),
  );
}

/** Replaces the operations of paths. */
export function mapOperations(paths: Paths, map: (operation: OperationObject) => OperationObject): Paths {
  const mapped: Record<string, Record<string, OperationObject>> = {};
  for (const { method, path, operation } of listOperations({ paths }))
    (mapped[path] ??= {})[method] = map(operation);
  return mapped;
}
