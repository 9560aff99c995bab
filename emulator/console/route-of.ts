import type { Profile } from "../../openapi/gaps/profile.js";
import { type OperationId, service } from "../../openapi/operations/register.js";
import type { Visit } from "./visit.js";

/**
 * Finds method and path of an operation whose place is a gap, under the profile in force.
 *
 * @param values the parameters of the path; of two routes that is taken which needs most of them
 */
export async function routeOf(
  visit: Visit,
  operationId: OperationId,
  values: Readonly<Record<string, string>>,
): Promise<{ readonly method: string; readonly path: string }> {
  const { body } = await visit.ask("GET", "/_emulator/profile");
  const { routes } = service.operations[operationId];
  const known = "ways" in routes ? routes.ways(body as Profile).flat() : [routes];
  const fitting = known
    .map(({ method, path }) => ({
      method,
      path,
      names: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name),
    }))
    .filter(({ names }) => names.every((name) => name in values))
    .sort((one, other) => other.names.length - one.names.length);
  const [route] = fitting;
  if (route === undefined)
    throw new Error(`${operationId} has no route for ${Object.keys(values).join(", ")}`);
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ""));
  return { method: route.method.toUpperCase(), path };
}
