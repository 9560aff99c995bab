import { type OperationDefinition, getRoutes } from "../../openapi/operations/operation.js";
import { type OperationId, serviceApi } from "../../openapi/operations/register.js";
import { toRouteRegExp } from "../../openapi/text/path-template.js";

/** All known routes of all operations; fixed segments take precedence over parameters, so `query` in `/items/query` is not a key. */
const routes = Object.entries<OperationDefinition>(serviceApi.operations)
  .flatMap(([id, operation]) =>
    getRoutes(operation).map(({ method, path }) => ({
      operationId: id as OperationId,
      method: method.toUpperCase(),
      template: path,
      parameters: path.split("{").length,
      length: path.split("/").length,
      expression: toRouteRegExp(path),
    })),
  )
  .sort((a, b) => a.parameters - b.parameters || b.length - a.length);

/** Finds the operation of a request, at any base URL. */
export function findRoute(
  method: string,
  url: string,
):
  | {
      readonly operationId: OperationId;
      /** The path of the operation, with parameters in braces. */
      readonly template: string;
      readonly path: Readonly<Record<string, string>>;
      readonly base: string;
    }
  | undefined {
  if (!URL.canParse(url)) return undefined;
  const { origin, pathname } = new URL(url);
  const segments = pathname.split("/");
  for (const { operationId, method: routeMethod, template, length, expression } of routes) {
    if (routeMethod !== method.toUpperCase()) continue;
    const found = expression.exec(`/${segments.slice(1 - length).join("/")}`);
    if (found === null) continue;
    const path = Object.entries(found.groups ?? {}).map(([name, text]): [string, string] => [
      name,
      decodePathSegment(text),
    ]);
    const base = origin + segments.slice(0, 1 - length).join("/");
    return { operationId, template, path: Object.fromEntries(path), base };
  }
  return undefined;
}

/** Decodes a percent-encoded text; returns an invalid text unchanged. */
export function decodePathSegment(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
