import type { OpenAPIObject } from "openapi3-ts/oas31";
import { listOperations } from "../../openapi/document/list-operations.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import { getRoutes, type OperationDefinition, type Route } from "../../openapi/operations/operation.js";
import { type OperationId, serviceApi } from "../../openapi/operations/register.js";
import { getPathParameters } from "../../openapi/text/path-template.js";

/** A route of an operation, with the id of the operation in the open document. */
export interface DocumentedRoute extends Route {
  readonly documentId: string;
}

/**
 * The routes of operations. If the specification leaves a route open, the operation has several alternatives, one of which
 * the deployment offers.
 */
export class RouteTable {
  /** An alternative consists of one route, or of two routes, one of which has a sort key. */
  readonly #alternatives = new Map<OperationId, readonly (readonly DocumentedRoute[])[]>();
  /** Indexes of the alternatives that the deployment offers, as far as known. */
  readonly #chosen = new Map<OperationId, number>();
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
      const getId = ({ method, path }: Route) => ids.get(`${method} ${path}`);
      // A route that only this deployment has is in no document; it has the same responses as the other routes.
      const defaultId = getRoutes(operation).flatMap((route) => getId(route) ?? [])[0];
      const addId = (route: Route): DocumentedRoute => {
        const documentId = getId(route) ?? defaultId;
        if (documentId === undefined)
          throw new Error(`the open document has no ${route.method} ${route.path}`);
        return { ...route, documentId };
      };
      const alternatives = "gap" in routes ? routes.alternatives(known) : [[routes]];
      this.#alternatives.set(
        id as OperationId,
        alternatives.map((alternative) => alternative.map(addId)),
      );
    }
  }

  /** Whether the deployment's route of an operation is certain; a route from a profile may be wrong. */
  isCertain(operationId: OperationId): boolean {
    return !("gap" in serviceApi.operations[operationId].routes) || this.#chosen.has(operationId);
  }

  /** Remembers the alternative that the deployment offers. */
  choose(operationId: OperationId, alternative: number): void {
    this.#chosen.set(operationId, alternative);
  }

  /** Lists all alternatives of an operation. */
  listAlternatives(operationId: OperationId): readonly (readonly DocumentedRoute[])[] {
    return this.#alternatives.get(operationId) ?? [];
  }

  /** Returns the routes of an alternative, by default of the chosen one or else the first. */
  getAlternative(
    operationId: OperationId,
    index = this.#chosen.get(operationId) ?? 0,
  ): readonly DocumentedRoute[] {
    return this.listAlternatives(operationId)[index] ?? [];
  }

  /** Returns the route of an operation for the given path parameters: `{sk}` decides between two routes. */
  getRoute(
    operationId: OperationId,
    parameters: Readonly<Record<string, string>>,
    index?: number,
  ): DocumentedRoute {
    const routes = this.getAlternative(operationId, index);
    const [route] = routes
      .filter(({ path }) => getPathParameters(path).every((name) => name in parameters))
      .sort((a, b) => b.path.split("{").length - a.path.split("{").length);
    if (route === undefined)
      throw new Error(
        `${operationId} needs the path parameters of ${routes.map(({ path }) => path).join(" or ")}`,
      );
    return route;
  }

  /**
   * Describes the error that the deployment offers none of the alternatives of an operation.
   *
   * @param statuses the status of the response for each alternative
   */
  describeUnknownRoute(operationId: OperationId, statuses: readonly number[]): string {
    const { routes }: OperationDefinition = serviceApi.operations[operationId];
    const gap = "gap" in routes ? routes.gap : undefined;
    const known = gap === undefined ? undefined : this.#known[gap];
    if (known !== undefined)
      return `your \`profile\` sets \`${gap}\` to "${String(known)}", but the deployment responds to this route with ${statuses[0]}`;
    const tried = this.listAlternatives(operationId).flatMap((alternative, index) =>
      alternative.map(({ method, path }) => `${method.toUpperCase()} ${path} (${statuses[index]})`),
    );
    return (
      `none of the known paths for ${operationId} exists on this deployment: ${tried.join(", ")}; ` +
      `set the right path in the target file as \`profile.${gap}\``
    );
  }
}

/** Returns the ids of the operations in a document, by method and path. */
export function mapIdsByRoute(document: Pick<OpenAPIObject, "paths">): ReadonlyMap<string, string> {
  return new Map(
    listOperations(document).flatMap(({ method, path, operation: { operationId } }): [string, string][] =>
      operationId === undefined ? [] : [[`${method} ${path}`, operationId]],
    ),
  );
}
