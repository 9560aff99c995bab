import type { OpenAPIObject } from "openapi3-ts/oas31";
import { listOperations } from "../../openapi/document/list-operations.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import { getRoutes, type OperationDefinition, type Route } from "../../openapi/operations/operation.js";
import { type OperationId, serviceApi } from "../../openapi/operations/register.js";
import { getPathParameters } from "../../openapi/text/path-template.js";

/** A route of an operation, with its id in the open document. */
export interface DocumentedRoute extends Route {
  /** Key of the operation in the open document. */
  readonly documentId: string;
}

/** Routes of operations: all possible routes if the specification leaves the path open, and the routes of the deployment. */
export class RouteTable {
  readonly #ways = new Map<OperationId, readonly (readonly DocumentedRoute[])[]>();
  readonly #takenWays = new Map<OperationId, number>();
  readonly #known: Partial<Profile>;

  /**
   * @param document the open document, which has every known route
   * @param known answers to gaps that are known in advance
   */
  constructor(document: OpenAPIObject, known: Partial<Profile> = {}) {
    this.#known = known;
    const ids = mapIdsByRoute(document);
    for (const [id, operation] of Object.entries<OperationDefinition>(serviceApi.operations)) {
      const { routes } = operation;
      const ways = "gap" in routes ? routes.alternatives(known) : [[routes]];
      const shown = getRoutes(operation);
      const idOf = (route: Route) => ids.get(`${route.method} ${route.path}`);
      // a route of the deployment's own is in no document: the operation answers alike wherever it is
      const [someId] = shown.flatMap((route) => idOf(route) ?? []);
      const mount = (route: Route): DocumentedRoute => ({
        ...route,
        documentId: idOf(route) ?? someId ?? throwMissingParameter(route),
      });
      this.#ways.set(
        id as OperationId,
        ways.map((way) => way.map(mount)),
      );
    }
  }

  /** Whether the deployment's route of an operation is certain; a route from a profile may be wrong. */
  hasKnownWay(operationId: OperationId): boolean {
    return !("gap" in getDeclaredRoutes(operationId)) || this.#takenWays.has(operationId);
  }

  /**
   * Creates the error for an operation that none of the known routes leads to.
   *
   * @param statuses the status of the answer for each route
   */
  unknown(operationId: OperationId, statuses: readonly number[]): string {
    const routes = getDeclaredRoutes(operationId);
    const gap = "gap" in routes ? routes.gap : undefined;
    const named = gap === undefined ? undefined : this.#known[gap];
    if (named !== undefined)
      return `your \`profile\` sets \`${gap}\` to "${String(named)}", but the deployment responds to this route with ${statuses[0]}`;
    const tried = this.ways(operationId).flatMap((way, number) =>
      way.map(({ method, path }) => `${method.toUpperCase()} ${path} (${statuses[number]})`),
    );
    return (
      `none of the known paths for ${operationId} exists on this deployment: ${tried.join(", ")}; ` +
      `set the right path in the target file as \`profile.${gap}\``
    );
  }

  /** Returns all known ways to call an operation; each way has one or two routes, the second with a sort key. */
  ways(operationId: OperationId): readonly (readonly DocumentedRoute[])[] {
    return this.#ways.get(operationId) ?? [];
  }

  /** Returns the current way to call an operation: the remembered way, or else the first. */
  wayOf(
    operationId: OperationId,
    number = this.#takenWays.get(operationId) ?? 0,
  ): readonly DocumentedRoute[] {
    return this.ways(operationId)[number] ?? [];
  }

  /** Remembers the route that a deployment has. */
  rememberWay(operationId: OperationId, way: number): void {
    this.#takenWays.set(operationId, way);
  }

  /** Returns the route of an operation for the given path parameters: `{sk}` decides between two routes. */
  route(operationId: OperationId, given: Readonly<Record<string, string>>, number?: number): DocumentedRoute {
    const way = this.wayOf(operationId, number);
    const fits = way.filter(({ path }) => getPathParameters(path).every((name) => name in given));
    const most = fits.toSorted((a, b) => b.path.split("{").length - a.path.split("{").length)[0];
    if (most === undefined)
      throw new Error(
        `${operationId} needs the path parameters of ${way.map(({ path }) => path).join(" or ")}`,
      );
    return most;
  }
}

/** The ids of operations in a document, by method and path. */
export function mapIdsByRoute(document: Pick<OpenAPIObject, "paths">): ReadonlyMap<string, string> {
  return new Map(
    listOperations(document).flatMap(({ method, path, operation: { operationId } }): [string, string][] =>
      operationId === undefined ? [] : [[`${method} ${path}`, operationId]],
    ),
  );
}

function getDeclaredRoutes(operationId: OperationId): OperationDefinition["routes"] {
  return serviceApi.operations[operationId].routes;
}

function throwMissingParameter(route: Route): never {
  throw new Error(`the open document has no ${route.method} ${route.path}`);
}
