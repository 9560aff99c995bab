import { getRequestCount } from "../access/meter.js";
import { startSubscription } from "../billing/subscription.js";
import { Problem, createInvalidBodyProblem } from "../domain/problem.js";
import { clearOrganization } from "../store/clear-organization.js";
import type { OrganizationRow } from "../store/organizations.js";
import { formatTimestamp, formatTimestampOrNull } from "../time/timestamp.js";
import type { World } from "../world/world.js";
import type { ControlHandlers, ControlRequest } from "./control-types.js";
import { getDatabaseStatus } from "../handlers/database-access.js";
import type { ApiKeyRow } from "../store/credentials.js";
import { parseTimestamp } from "../time/parse-timestamp.js";

/** Organizations, their databases and API keys. */
export const organizationHandlers = {
  listOrganizations: (_request, { world: { store } }) => ({
    organizations: store.organizations
      .all()
      // A seed file keeps only this order.
      .sort((a, b) => a.createdAt - b.createdAt || (a.organizationId < b.organizationId ? -1 : 1))
      .map(({ organizationId, name, slug, plan, status, isPersonal, ownerUserId, createdAt }) => ({
        organizationId,
        name,
        slug,
        plan,
        status,
        isPersonal,
        ownerUserId,
        databases: store.databases.count(organizationId),
        createdAt: formatTimestamp(createdAt),
      })),
  }),
  changeOrganization: ({ path, body }, { world }) => {
    const { store, ids, clock, profile } = world;
    const before = findChangeableOrganization(path.organizationId, world);
    const { organizationId } = before;
    const now = clock.now();
    if (body.status === "deleted" && before.isPersonal)
      throw new Problem(
        "personal-organization",
        "A personal organization cannot be deleted while its user exists. Delete the user instead.",
      );
    if (body.plan !== undefined && body.plan !== before.plan)
      startSubscription(store, {
        organizationId,
        subscriptionId: ids.next("sub"),
        plan: body.plan,
        trial: false,
        now,
      });
    const organization = findChangeableOrganization(organizationId, world);
    const { plan } = organization;
    const { status = organization.status, settings = {} } = body;
    if (body.requestsThisPeriod !== undefined)
      getRequestCount(organizationId, world, now).requests = body.requestsThisPeriod;
    if (status === "deleted")
      clearOrganization(store, organizationId, { keepMembers: profile["deleted-organization"] === "shown" });
    store.organizations.update({ ...organization, ...settings, status, updatedAt: now });
    return { organizationId, plan, status };
  },
  listAllDatabases: (_request, { world: { store, clock } }) => ({
    databases: store.databases.all().map(({ ref, databaseId, organizationId, name, region, ...row }) => ({
      databaseId,
      organizationId,
      name,
      region,
      status: getDatabaseStatus({ ref, databaseId, organizationId, ...row }, clock.now()),
      items: row.itemCount,
      repositories: store.repositories.count(ref),
      sqlTables: store.sql.listTables(databaseId).length,
      createdAt: formatTimestamp(row.createdAt),
    })),
  }),
  changeDatabase: ({ path, body }, { world }) => {
    const { store, clock } = world;
    const database = store.databases.find(path.databaseId);
    if (database === undefined)
      throw new Problem(
        "database-not-found",
        `There is no database with the id ${path.databaseId}. GET /_emulator/databases lists all databases.`,
      );
    store.databases.setStatus(database.ref, body.status, clock.now());
    return { databaseId: database.databaseId, status: body.status };
  },
  /** Does what a user would do in the dashboard. */
  createApiKey: ({ body }, { world }) => addApiKey(world, body),
  listApiKeys: (_request, { world }) => ({
    apiKeys: world.store.credentials.allApiKeys().map(describeApiKey),
  }),
  deleteApiKey: ({ path }, { world }) => {
    if (!world.store.credentials.removeApiKey(path.apiKeyId))
      throw new Problem(
        "api-key-not-found",
        `There is no API key with the id ${path.apiKeyId}. GET /_emulator/api-keys lists all API keys.`,
      );
  },
} satisfies Partial<ControlHandlers>;

/** @throws a problem `organization-not-found`, also for a deleted organization */
export function findChangeableOrganization(organizationId: string, { store }: World): OrganizationRow {
  const organization = store.organizations.byId(organizationId);
  if (organization === undefined || organization.status === "deleted")
    throw new Problem(
      "organization-not-found",
      `There is no organization with the id ${organizationId}. GET /_emulator/organizations lists all organizations.`,
    );
  return organization;
}

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
      `The organization can have at most ${maxApiKeys} API keys. Delete a key, or increase settings.maxApiKeys.`,
    );
  const expiresAt = typeof body.expiresAt === "string" ? parseTimestamp(body.expiresAt) : null;
  if (expiresAt === undefined)
    throw createInvalidBodyProblem(
      "/expiresAt",
      "must be an ISO 8601 time with a time zone, such as 2030-06-01T00:00:00Z, or null",
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

export function describeApiKey(row: ApiKeyRow) {
  return {
    ...row,
    scopes: [...row.scopes],
    expiresAt: formatTimestampOrNull(row.expiresAt),
    createdAt: formatTimestamp(row.createdAt),
  };
}
