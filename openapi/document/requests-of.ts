import type { OpenAPIObject, OperationObject } from "openapi3-ts/oas31";
import { referredSchemas } from "./references.js";

/**
 * What a document says of requests, and nothing of answers, a fifth of the whole: routes, parameters, security and the
 * schemas of bodies, with all that those refer to, at the places where the document has them.
 */
export function requestsOf({ openapi, info, paths = {}, components }: OpenAPIObject): OpenAPIObject {
  const requests = Object.fromEntries(
    Object.entries(paths).map(([path, item]) => [
      path,
      Object.fromEntries(
        Object.entries(item as Record<string, OperationObject>).map(([method, operation]) => [
          method,
          requestOf(operation),
        ]),
      ),
    ]),
  );
  const meant = referredSchemas(requests, components?.schemas ?? {});
  const schemas = Object.fromEntries(
    Object.entries(components?.schemas ?? {}).filter(([name]) => meant.has(name)),
  );
  return { openapi, info, paths: requests, components: { schemas } };
}

const leftOut: ReadonlySet<string> = new Set(["responses", "summary", "description"]);

function requestOf(operation: OperationObject): OperationObject {
  const said = Object.entries(operation).filter(([member]) => !leftOut.has(member));
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
