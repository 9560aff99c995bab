import { getOpenContract } from "../../../conformance/client/contracts.js";
import type { Fetch } from "../../../conformance/client/exchange.js";
import { type DocumentedRoute, RouteTable } from "../../../conformance/client/routes.js";
import { type OperationId, operationIds } from "../../../openapi/operations/register.js";
import { defaultProfile } from "../../../openapi/gaps/profile.js";

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** Values that replace a part of a response. */
const oddValues: readonly Json[] = [null, [], {}, [null], ["odd"], [{}], { other: [] }, "odd", 7];

/** These operations return unchanged bodies, because the suite needs a session for everything else. */
const unchangedOperations: readonly OperationId[] = ["login", "refreshSession", "switchOrganization"];

/** Maximum number of attempts to find a change that the contract allows. */
const maxAttempts = 12;

/**
 * Changes the structure of some response bodies: a field is missing or has another name, or an array or null replaces an
 * object. The open contract allows every changed body, so no clause forbids the change.
 *
 * @param random returns numbers from 0 to 1, which determine the responses to change and the changes
 * @param share the share of the responses to change, from 0 to 1
 */
export function createOddBodyFetch(fetch: Fetch, random: () => number, share: number): Fetch {
  const contract = getOpenContract();
  const routes = mountedRoutes(new RouteTable(contract.document, defaultProfile));
  return async (url, init) => {
    const response = await fetch(url, init);
    const path = new URL(url).pathname.replace(/^\/ns\/[^/]+/, "");
    const route = routes.find(({ method, pattern }) => method === init.method && pattern.test(path));
    if (route === undefined || random() >= share) return response;
    const text = await response.text();
    const again = (body: string) =>
      new Response(response.status === 204 ? null : body, {
        status: response.status,
        headers: response.headers,
      });
    if (text === "") return again(text);
    const header = (name: string) => response.headers.get(name) ?? undefined;
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const body = changeStructure(JSON.parse(text) as Json, random);
      const violations = contract.validator.validateResponse(route.documentId, {
        status: response.status,
        header,
        body,
      });
      if (violations.length === 0) return again(JSON.stringify(body));
    }
    return again(text);
  };
}

function mountedRoutes(routes: RouteTable) {
  const mounted = operationIds.flatMap((id): readonly DocumentedRoute[] =>
    unchangedOperations.includes(id) ? [] : routes.getAlternative(id),
  );
  return mounted.map(({ method, path, documentId }) => ({
    method: method.toUpperCase(),
    documentId,
    pattern: new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`),
  }));
}

/** Changes one part of a value; parts near the root are more likely. */
function changeStructure(value: Json, random: () => number): Json {
  const oddValue = () => oddValues[Math.floor(random() * oddValues.length)] ?? null;
  if (typeof value !== "object" || value === null || random() < 0.2) return oddValue();
  if (isArray(value)) {
    if (value.length === 0 || random() < 0.3) return [oddValue()];
    const at = Math.floor(random() * value.length);
    return value.map((entry, index) => (index === at ? changeStructure(entry, random) : entry));
  }
  const names = Object.keys(value);
  const chosen = names[Math.floor(random() * names.length)];
  if (chosen === undefined) return oddValue();
  const { [chosen]: member = null, ...rest } = value;
  const way = random();
  if (way < 0.15) return rest;
  if (way < 0.3) return { ...rest, [`${chosen}s`]: member };
  return { ...value, [chosen]: changeStructure(member, random) };
}

function isArray(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
