import { hashPassword } from "../access/password.js";
import { defaultProfile } from "../../openapi/gaps/profile.js";
import type { JsonValue } from "../json/json-value.js";
import type { SqlJsStatic } from "sql.js";
import { openWorld, readStateFile } from "../world/open-world.js";
import type { ApiKeyRow } from "../store/credentials.js";
import { readHealth } from "../store/health.js";
import type { Store } from "../store/store.js";
import type { UserRow } from "../store/users.js";
import { manualClockStart } from "../time/clock.js";
import { applyDueChanges } from "../world/apply-due-changes.js";
import type { World } from "../world/world.js";
import { describeDatabase } from "./describe-database.js";
import { describeOrganization, describePersonalOrganization } from "./describe-organization.js";
import {
  toSeedObject,
  toSeedObjectUnlessEmpty,
  omitEmptyList,
  countValues,
  type SeedReferences,
  createSeedReferences,
  formatTimeUnlessDefault,
  omitDefault,
} from "./to-seed-object.js";
import { defaultPassword, toIdSuffix, getEmailLocalPart } from "./seed-defaults.js";

/**
 * Converts the world in a state file to a seed.
 *
 * @throws StateFileError for a file that is damaged, from another program or of another version
 */
export function convertStateToSeed(sqlite: SqlJsStatic, file: Uint8Array): JsonValue {
  const world = openWorld(sqlite, { bytes: readStateFile(sqlite, file).bytes }, defaultProfile);
  try {
    return describeWorld(world);
  } finally {
    world.store.close();
  }
}

/**
 * Describes a world as a seed. Omits what a seed cannot contain: sessions, unpaid checkouts, stored responses to
 * transactions, deleted organizations, and usage figures.
 */
function describeWorld({ store, clock, ids }: World): JsonValue {
  applyDueChanges(store, clock.now());
  const users = store.users.all();
  const organizations = store.organizations.all();
  const shared = organizations.filter(({ isPersonal }) => !isPersonal);
  const apiKeys = store.credentials.allApiKeys();
  const databases = store.databases.all();
  const references = createSeedReferences(users, organizations);
  const start = clock.mode === "manual" ? clock.now() : manualClockStart;
  const createdAt =
    findMostFrequent([...users, ...shared, ...apiKeys, ...databases].map((row) => row.createdAt)) ?? start;
  const passwords = users.map((user) => getKnownPassword(store, user));
  const password = findMostFrequent(passwords.filter((known) => known !== undefined)) ?? defaultPassword;
  const firstUser = users[0]?.userId ?? "";
  return toSeedObject({
    password: omitDefault(defaultPassword, password),
    clock: toSeedObjectUnlessEmpty({
      mode: omitDefault("manual", clock.mode),
      now: formatTimeUnlessDefault(manualClockStart, start),
    }),
    createdAt: formatTimeUnlessDefault(start, createdAt),
    ids: toSeedObjectUnlessEmpty({ seed: omitDefault(1, ids.seed), count: omitDefault(0, ids.count) }),
    health: describeHealth(store),
    users: omitEmptyList(
      users.map((user, index) =>
        describeUser(store, user, references, { createdAt, password }, passwords[index]),
      ),
    ),
    organizations: omitEmptyList(
      shared.map((row) => describeOrganization(store, row, references, { createdAt, member: firstUser })),
    ),
    apiKeys: omitEmptyList(apiKeys.map((key) => describeApiKey(key, references, createdAt))),
    databases: omitEmptyList(databases.map((row) => describeDatabase(store, row, references, createdAt))),
  });
}

function describeUser(
  store: Store,
  user: UserRow,
  references: SeedReferences,
  defaults: { readonly createdAt: number; readonly password: string },
  password: string | undefined,
): JsonValue {
  const suffix = toIdSuffix(getEmailLocalPart(user.email));
  return toSeedObject({
    email: user.email,
    id: omitDefault(`user_${suffix}`, user.userId),
    name: omitDefault(getEmailLocalPart(user.email) || user.email, user.name),
    password: password && omitDefault(defaults.password, password),
    passwordHash: password === undefined ? user.passwordHash : undefined,
    emailVerified: omitDefault(true, user.emailVerified),
    mfaRequired: omitDefault(false, user.mfaRequired),
    createdAt: formatTimeUnlessDefault(defaults.createdAt, user.createdAt),
    personalOrganization: describePersonalOrganization(store, user, references, `org_personal_${suffix}`),
  });
}

/** Returns the password if it is known and still correct. */
function getKnownPassword(store: Store, { userId, passwordHash }: UserRow): string | undefined {
  const password = store.passwords.of(userId);
  return password !== undefined && hashPassword(userId, password) === passwordHash ? password : undefined;
}

function describeApiKey(row: ApiKeyRow, references: SeedReferences, defaultCreatedAt: number): JsonValue {
  const { key, name, scopes } = row;
  return toSeedObject({
    key,
    name: omitDefault(key, name),
    id: omitDefault(`key_${toIdSuffix(name.replace(/^dsk_/, ""))}`, row.apiKeyId),
    organization: references.organization(row.organizationId),
    scopes: scopes.join() === "*" ? undefined : scopes,
    expiresAt: formatTimeUnlessDefault(null, row.expiresAt),
    createdAt: formatTimeUnlessDefault(defaultCreatedAt, row.createdAt),
  });
}

function describeHealth(store: Store): JsonValue | undefined {
  const { health, ready, live, details } = readHealth(store);
  return toSeedObjectUnlessEmpty({
    health: omitDefault("Healthy", health),
    ready: omitDefault("Ready", ready),
    live: omitDefault("Alive", live),
    details: omitDefault("", details),
  });
}

/** Returns the most frequent value, or the smallest of several, so that the same world always has the same description. */
function findMostFrequent<Value extends string | number>(values: readonly Value[]): Value | undefined {
  const [best] = [...countValues(values)].sort(
    ([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1),
  );
  return best?.[0];
}
