import type { OperationDefinition } from "../../openapi/operations/operation.js";
import { type OperationId, serviceApi } from "../../openapi/operations/register.js";

interface Pattern {
  readonly operationId: OperationId;
  readonly method: string;
  readonly template: string;
  readonly expression: RegExp;
}

/** Every way to every operation that is known; those with fewer parameters first, for `/items/query` is no key. */
const patterns: readonly Pattern[] = Object.entries<OperationDefinition>(serviceApi.operations)
  .flatMap(([id, { routes }]) =>
    ("gap" in routes ? routes.alternatives({}).flat() : [routes]).map(({ method, path }) => ({
      operationId: id as OperationId,
      method: method.toUpperCase(),
      template: path,
      expression: new RegExp(`^(?<base>.*?)${path.replace(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`),
    })),
  )
  .sort(
    (a, b) =>
      a.template.split("{").length - b.template.split("{").length || b.template.length - a.template.length,
  );

/** The operation that a request is for, at whatever base URL; nothing where it is for none. */
export function routeOf(
  method: string,
  url: string,
):
  | {
      readonly operationId: OperationId;
      readonly path: Readonly<Record<string, string>>;
      readonly base: string;
    }
  | undefined {
  if (!URL.canParse(url)) return undefined;
  const { origin, pathname } = new URL(url);
  for (const pattern of patterns) {
    if (pattern.method !== method.toUpperCase()) continue;
    const groups = pattern.expression.exec(pathname)?.groups;
    if (groups === undefined) continue;
    const { base = "", ...path } = groups;
    const decoded = Object.entries(path).map(([name, text]): [string, string] => [name, decode(text)]);
    return { operationId: pattern.operationId, path: Object.fromEntries(decoded), base: origin + base };
  }
  return undefined;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
