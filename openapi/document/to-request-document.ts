import type { OpenAPIObject, OperationObject } from "openapi3-ts/oas31";
import { collectReferencedSchemas } from "./collect-references.js";
import { mapOperations } from "./list-operations.js";

/**
 * What a document says of requests, and nothing of answers, a fifth of the whole: routes, parameters, security and the
 * schemas of bodies, with all that those refer to, at the places where the document has them.
 */
export function toRequestDocument({ openapi, info, paths = {}, components }: OpenAPIObject): OpenAPIObject {
  const requests = mapOperations(paths, pickRequest);
  const meant = collectReferencedSchemas(requests, components?.schemas ?? {});
  const schemas = Object.fromEntries(
    Object.entries(components?.schemas ?? {}).filter(([name]) => meant.has(name)),
  );
  const { title, version } = info;
  return { openapi, info: { title, version }, paths: requests, components: { schemas } };
}

const omittedFields: ReadonlySet<string> = new Set(["responses", "summary", "description"]);

function pickRequest(operation: OperationObject): OperationObject {
  const said = Object.entries(operation).filter(([member]) => !omittedFields.has(member));
  const request = Object.fromEntries(said) as OperationObject;
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
