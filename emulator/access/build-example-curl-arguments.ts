import type { components } from "../../openapi/generated/control-plane-types.js";
import { defaultProfile } from "../../openapi/gaps/profile.js";
import { hasScope } from "./authorize.js";

type Schemas = components["schemas"];

/** Builds a request that returns items, as the part of a curl command that follows the base URL. */
export function buildExampleCurlArguments(
  databases: readonly Schemas["DatabaseEntry"][],
  apiKeys: readonly Schemas["ApiKey"][],
): string {
  for (const { databaseId, organizationId, items } of databases) {
    const reader = apiKeys.find(
      (key) => key.organizationId === organizationId && hasScope(key.scopes, "database:read", defaultProfile),
    );
    if (reader === undefined || items === 0) continue;
    const isDemo = databaseId === "db_demo";
    const [operation, body] = isDemo ? ["query", '{"partitionKey":"customer#ada"}'] : ["scan", "{}"];
    return (
      `/api/v1/databases/${databaseId}/items/${operation} -H 'Authorization: Bearer ${reader.key}' ` +
      `-H 'Content-Type: application/json' -d '${body}'`
    );
  }
  return "/health";
}
