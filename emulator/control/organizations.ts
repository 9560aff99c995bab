import { getRequestCount } from "../access/count-request.js";
import { startSubscription } from "../billing/subscription.js";
import { Problem, createInvalidBodyProblem } from "../domain/problem.js";
import { clearOrganization } from "../store/clear-organization.js";
import type { DatabaseRow } from "../store/databases.js";
import type { OrganizationRow } from "../store/organizations.js";
import type { Store } from "../store/store.js";
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
      .map((row) => describeOrganization(store, row)),
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
    const { status = organization.status, settings = {} } = body;
    if (body.requestsThisPeriod !== undefined)
      getRequestCount(organizationId, world, now).requests = body.requestsThisPeriod;
    if (status === "deleted")
      clearOrganization(store, organizationId, { keepMembers: profile["deleted-organization"] === "shown" });
    const changed = { ...organization, ...settings, status, updatedAt: now };
    store.organizations.update(changed);
    return describeOrganization(store, changed);
  },
  listAllDatabases: (_request, { world }) => ({
    databases: world.store.databases.all().map((row) => describeDatabase(world, row)),
  }),
  changeDatabase: ({ path, body }, { world }) => {
    const { store, clock } = world;
    const database = store.databases.withUsage(path.databaseId);
    if (database === undefined)
      throw new Problem(
        "database-not-found",
        `There is no database with the id ${path.databaseId}. GET /_emulator/databases lists all databases.`,
      );
    const { status } = body;
    store.databases.setStatus(database.ref, status, clock.now());
    return describeDatabase(world, { ...database, status, readyAt: null });
  },
  /** Does what a user would do in the dashboard. */
  createApiKey: ({ body }, { world }) => describeApiKey(addApiKey(world, body)),
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
export function addApiKey(world: World, body: ControlRequest<"createApiKey">["body"]): ApiKeyRow {
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
  const apiKey: ApiKeyRow = {
    apiKeyId: ids.next("key"),
    key: ids.next("dsk", 32),
    organizationId,
    name: body.name,
    scopes: body.scopes,
    expiresAt,
    createdAt: clock.now(),
  };
  store.credentials.insertApiKey(apiKey);
  return apiKey;
}

function describeOrganization({ databases }: Store, row: OrganizationRow) {
  const { organizationId, name, slug, plan, status, isPersonal, ownerUserId, createdAt } = row;
  return {
    organizationId,
    name,
    slug,
    plan,
    status,
    isPersonal,
    ownerUserId,
    databases: databases.count(organizationId),
    createdAt: formatTimestamp(createdAt),
  };
}

function describeDatabase({ store, clock }: World, row: DatabaseRow) {
  const { ref, databaseId, organizationId, name, region, itemCount, createdAt } = row;
  return {
    databaseId,
    organizationId,
    name,
    region,
    status: getDatabaseStatus(row, clock.now()),
    items: itemCount,
    repositories: store.repositories.count(ref),
    sqlTables: store.sql.listTables(databaseId).length,
    createdAt: formatTimestamp(createdAt),
  };
}

export function describeApiKey(row: ApiKeyRow) {
  return {
    ...row,
    scopes: [...row.scopes],
    expiresAt: formatTimestampOrNull(row.expiresAt),
    createdAt: formatTimestamp(row.createdAt),
  };
}
