import { RegExpRouter } from "hono/router/reg-exp-router";
import { SmartRouter } from "hono/router/smart-router";
import { TrieRouter } from "hono/router/trie-router";
import type { OpenAPIObject } from "openapi3-ts/oas31";
import type { Answer } from "../request/answer.js";
import type { Dispatch } from "../request/dispatch.js";
import { type MountedOperation, operationsOf } from "../request/mounted-operation.js";
import type { Namespace } from "../namespaces/namespace.js";
import type { ServedRequest } from "./served-request.js";

/** Answers the requests of one interface. */
export type Api = (request: ServedRequest) => Answer | Promise<Answer>;

/**
 * Mounts every operation of a document, and nothing else, on Hono's router. Hono's `fetch` around it is left out: making
 * the `Request`, the `Response` and the context that it works with takes as long as many an operation does.
 *
 * @param passesSlash whether a path leads where it leads without a slash at its end (gap `trailing-slash`)
 * @param unhoused answers a request that no operation matches where there is no namespace either: it makes none
 */
export function routeApi(
  document: OpenAPIObject,
  dispatch: Dispatch<Namespace>,
  passesSlash: boolean,
  unhoused: (request: ServedRequest, allowedMethods: readonly string[]) => Answer,
): Api {
  const { router, methods } = routesOf(document);
  const allowedAt = (path: string) => methods.filter((one) => router.match(one, path)[0].length > 0);
  return (request) => {
    const { method } = request.incoming;
    const given = request.target.path;
    const leadsOn = passesSlash && /.\/$/.test(given) && allowedAt(given).length === 0;
    const path = leadsOn ? given.slice(0, -1) : given;
    // the head of an answer is that of GET; the body is left out where it is sent
    const [[match], values = []] = router.match(method === "HEAD" ? "GET" : method, path);
    if (match !== undefined) {
      const [operation, places] = match;
      request.path = parametersOf(places, values);
      return dispatch.operation(operation, request);
    }
    const allowed = allowedAt(path);
    if (allowed.includes("GET")) allowed.push("HEAD");
    return (request.hasHome ? dispatch.unmatched : unhoused)(request, allowed.sort());
  };
}

interface Routes {
  readonly router: SmartRouter<MountedOperation>;
  readonly methods: readonly string[];
}

/** Those of a document, which serve all emulators of the process: a router works out what it looks for at its first use. */
const known = new WeakMap<OpenAPIObject, Routes>();

function routesOf(document: OpenAPIObject): Routes {
  let routes = known.get(document);
  if (routes === undefined) {
    const operations = operationsOf(document);
    const router = new SmartRouter<MountedOperation>({ routers: [new RegExpRouter(), new TrieRouter()] });
    for (const operation of operations) router.add(operation.method.toUpperCase(), operation.path, operation);
    routes = { router, methods: [...new Set(operations.map(({ method }) => method.toUpperCase()))] };
    known.set(document, routes);
  }
  return routes;
}

/** The decoded parameters of a path; a router gives either them or their places among the values it found. */
function parametersOf(
  places: Readonly<Record<string, string | number>>,
  values: readonly string[],
): Record<string, string> {
  const parameters: Record<string, string> = {};
  for (const name in places) {
    const place = places[name];
    const value = typeof place === "number" ? values[place] : place;
    if (value === undefined) continue;
    parameters[name] = value.includes("%") ? decodeURIComponent(value) : value;
  }
  return parameters;
}
