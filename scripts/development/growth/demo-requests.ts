import { controlPlaneOperations } from "../../../openapi/control-plane/operations.js";
import type { OperationDefinition, Route } from "../../../openapi/operations/operation.js";
import { defaultProfile } from "../../../openapi/gaps/profile.js";
import { serviceOperations } from "../../../openapi/operations/register.js";
import { fillPath } from "../../../openapi/text/path-template.js";

/** A request that makes sense in the demo state. */
export interface DemoRequest {
  readonly operationId: string;
  readonly plane: "service" | "control";
  readonly method: string;
  /** With `{name}` for parameters. */
  readonly path: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** Names of the query parameters that the operation knows. */
  readonly queryParameters: readonly string[];
  /** Nothing where the operation takes no JSON. */
  readonly body: unknown;
}

/** What the examples of the contract call otherwise than the demo state does. */
const demoNames: Readonly<Record<string, string>> = {
  databaseId: "db_demo",
  repositoryId: "repo_demo_products",
  entityId: "ent_demo_teapot",
  organizationId: "org_demo_pro",
  pk: "customer#ada",
  sk: "order#2029-11-03",
  memberId: "user_demo_member",
  userId: "user_demo_member",
  tableName: "products",
};

const product = { sku: "KIT-1001", title: "Teapot", price: 24.5, inStock: true, tags: ["kitchen"] };

/** Bodies in place of the examples, so that the handlers have something to do. */
const demoBodies: Readonly<Record<string, unknown>> = {
  switchOrganization: { organizationId: "org_demo_pro" },
  queryItems: {
    partitionKey: "customer#ada",
    sortKeyCondition: "begins_with:order#",
    filterExpression: { status: "open" },
    limit: 10,
  },
  createEntity: { data: product },
  updateEntity: { data: product },
  runSqlQuery: {
    sql: "SELECT name, price FROM products WHERE sku = ?",
    parameters: { sku: "sku-03" },
    limit: 20,
  },
  acceptInvitation: { organizationId: "org_demo_pro", email: "invited@demo.test" },
};

/** One request for each operation of the service and each call of the control plane. */
export function listDemoRequests(): readonly DemoRequest[] {
  return [
    ...Object.entries<OperationDefinition>(serviceOperations).map(([id, operation]) =>
      demoRequest(id, "service", operation),
    ),
    ...Object.entries<OperationDefinition>(controlPlaneOperations).map(([id, operation]) =>
      demoRequest(id, "control", operation),
    ),
  ];
}

/** The path of a request with its parameters in place. */
export function getPath(
  { path, parameters }: DemoRequest,
  replaced: Readonly<Record<string, string>> = {},
): string {
  return fillPath(path, { ...parameters, ...replaced });
}

function demoRequest(
  operationId: string,
  plane: DemoRequest["plane"],
  operation: OperationDefinition,
): DemoRequest {
  const { parameters = {}, request } = operation.example;
  const { method, path } = routeOf(operation);
  return {
    operationId,
    plane,
    method: method.toUpperCase(),
    path,
    parameters: Object.fromEntries(
      Object.entries(parameters).map(([name, value]) => [name, demoNames[name] ?? String(value)]),
    ),
    queryParameters: (operation.parameters?.({ kind: "strict", profile: defaultProfile }) ?? []).map(
      ({ name }) => name,
    ),
    body: operation.requestFile === undefined ? (demoBodies[operationId] ?? request) : undefined,
  };
}

function routeOf({ routes }: OperationDefinition): Route {
  if ("path" in routes) return routes;
  const [route] = routes.alternatives(defaultProfile).flat();
  if (route === undefined) throw new Error("an operation has no route");
  return route;
}

/** An access token of the demo state's owner for the organization `org_demo_pro`. */
export async function fetchDemoToken(
  fetch: (path: string, init?: RequestInit) => Promise<Response>,
): Promise<string> {
  const signedIn = await fetch("/auth/password", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ email: "owner@demo.test", password: "demo-password" }),
  });
  const { authResponse } = (await signedIn.json()) as { authResponse: { accessToken: string } };
  const switched = await fetch("/auth/switch-organization", {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${authResponse.accessToken}` },
    body: JSON.stringify({ organizationId: "org_demo_pro" }),
  });
  return ((await switched.json()) as { accessToken: string }).accessToken;
}
