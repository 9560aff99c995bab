import { Problem } from "../domain/problem.js";
import { invalidBodyProblem } from "../domain/problem.js";
import type { ApiKeyRow } from "../store/credentials.js";
import { parseTimestamp } from "../time/parse-timestamp.js";
import { formatTimestamp, formatTimestampOrNull } from "../time/timestamp.js";
import type { World } from "../world/world.js";
import type { ControlHandler, ControlRequest } from "./control-types.js";
import { findChangeableOrganization } from "./organizations.js";

/** POST /_emulator/api-keys: what a user would do in the dashboard. */
export const createApiKey: ControlHandler<"createApiKey"> = ({ body }, { world }) => addApiKey(world, body);

/** Adds an API key. @throws problems `organization-not-found`, `ceiling-reached`, `validation-failed` */
export function addApiKey(
  world: World,
  body: ControlRequest<"createApiKey">["body"],
): { readonly apiKeyId: string; readonly key: string } {
  const { store, ids, clock } = world;
  const organization = findChangeableOrganization(body.organizationId, world);
  const { organizationId, maxApiKeys } = organization;
  if (store.credentials.countApiKeys(organizationId) >= maxApiKeys)
    throw new Problem(
      "ceiling-reached",
      `The organization may have ${maxApiKeys} API keys. Delete one, or raise settings.maxApiKeys.`,
    );
  const expiresAt = typeof body.expiresAt === "string" ? parseTimestamp(body.expiresAt) : null;
  if (expiresAt === undefined)
    throw invalidBodyProblem(
      "/expiresAt",
      "must be ISO 8601 with a time zone, as in 2030-06-01T00:00:00Z, or null",
    );
  const apiKeyId = ids.next("key");
  const key = ids.next("dsk", 32);
  store.credentials.insertApiKey({
    apiKeyId,
    key,
    organizationId,
    name: body.name,
    scopes: body.scopes,
    expiresAt,
    createdAt: clock.now(),
  });
  return { apiKeyId, key };
}

/** GET /_emulator/api-keys. */
export const listApiKeys: ControlHandler<"listApiKeys"> = (_request, { world }) => ({
  apiKeys: world.store.credentials.allApiKeys().map(describeApiKey),
});

/** DELETE /_emulator/api-keys/{apiKeyId}. */
export const deleteApiKey: ControlHandler<"deleteApiKey"> = ({ path }, { world }) => {
  if (!world.store.credentials.removeApiKey(path.apiKeyId))
    throw new Problem(
      "api-key-not-found",
      "There is no API key of this id. GET /_emulator/api-keys lists them.",
    );
};

export function describeApiKey(row: ApiKeyRow) {
  return {
    apiKeyId: row.apiKeyId,
    key: row.key,
    organizationId: row.organizationId,
    name: row.name,
    scopes: [...row.scopes],
    expiresAt: formatTimestampOrNull(row.expiresAt),
    createdAt: formatTimestamp(row.createdAt),
  };
}
