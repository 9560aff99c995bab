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
  type SeedReferenceResolver,
  createSeedReferenceResolver,
  formatTimeUnlessDefault,
  omitDefault,
} from "./to-seed-object.js";
import { defaultPassword, toIdSuffix, getEmailLocalPart } from "./seed-defaults.js";

/**
 * Describes the world of a state file as a seed.
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
 * Describes a world as a seed. Omits what a seed cannot contain: sessions, unpaid checkouts, responses that are
 * stored for repeated transactions, deleted organizations, and usage figures.
 */
function describeWorld({ store, clock, ids }: World): JsonValue {
  applyDueChanges(store, clock.now());
  const users = store.users.all();
  const organizations = store.organizations.all();
  const others = organizations.filter(({ isPersonal }) => !isPersonal);
  const apiKeys = store.credentials.allApiKeys();
  const databases = store.databases.all();
  const names = createSeedReferenceResolver(users, organizations);
  const start = clock.mode === "manual" ? clock.now() : manualClockStart;
  const usual =
    commonest([...users, ...others, ...apiKeys, ...databases].map((row) => row.createdAt)) ?? start;
  const passwords = users.map((user) => passwordOf(store, user));
  const password = commonest(passwords.filter((known) => known !== undefined)) ?? defaultPassword;
  const firstUser = users[0]?.userId ?? "";
  return toSeedObject({
    password: omitDefault(defaultPassword, password),
    clock: toSeedObjectUnlessEmpty({
      mode: omitDefault("manual", clock.mode),
      now: formatTimeUnlessDefault(manualClockStart, start),
    }),
    createdAt: formatTimeUnlessDefault(start, usual),
    ids: toSeedObjectUnlessEmpty({ seed: omitDefault(1, ids.seed), count: omitDefault(0, ids.count) }),
    health: describeHealth(store),
    users: omitEmptyList(
      users.map((user, index) =>
        describeUser(store, user, { names, usual, password, known: passwords[index] }),
      ),
    ),
    organizations: omitEmptyList(
      others.map((row) => describeOrganization(store, row, { names, firstUser, usual })),
    ),
    apiKeys: omitEmptyList(apiKeys.map((key) => describeApiKey(key, names, usual))),
    databases: omitEmptyList(
      databases.map((row) =>
        describeDatabase(store, row, { organization: names.organization(row.organizationId), usual }),
      ),
    ),
  });
}

interface AroundUser {
  readonly names: SeedReferenceResolver;
  readonly usual: number;
  /** The default password of users. */
  readonly password: string;
  readonly known: string | undefined;
}

function describeUser(store: Store, user: UserRow, { names, usual, password, known }: AroundUser): JsonValue {
  const word = toIdSuffix(getEmailLocalPart(user.email));
  return toSeedObject({
    email: user.email,
    id: omitDefault(`user_${word}`, user.userId),
    name: omitDefault(getEmailLocalPart(user.email) || user.email, user.name),
    password: known === undefined ? undefined : omitDefault(password, known),
    passwordHash: known === undefined ? user.passwordHash : undefined,
    emailVerified: omitDefault(true, user.emailVerified),
    mfaRequired: omitDefault(false, user.mfaRequired),
    createdAt: formatTimeUnlessDefault(usual, user.createdAt),
    personalOrganization: describePersonalOrganization(store, user, names, `org_personal_${word}`),
  });
}

/** Returns the password if it is known and still correct. */
function passwordOf(store: Store, { userId, passwordHash }: UserRow): string | undefined {
  const password = store.passwords.of(userId);
  return password !== undefined && hashPassword(userId, password) === passwordHash ? password : undefined;
}

function describeApiKey(row: ApiKeyRow, names: SeedReferenceResolver, usual: number): JsonValue {
  const { key, name, scopes } = row;
  return toSeedObject({
    key,
    name: omitDefault(key, name),
    id: omitDefault(`key_${toIdSuffix(name.replace(/^dsk_/, ""))}`, row.apiKeyId),
    organization: names.organization(row.organizationId),
    scopes: scopes.join() === "*" ? undefined : scopes,
    expiresAt: formatTimeUnlessDefault(null, row.expiresAt),
    createdAt: formatTimeUnlessDefault(usual, row.createdAt),
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

/** Returns the most frequent value, or the smallest of several, so that a world is always described in the same way. */
function commonest<Value extends string | number>(values: readonly Value[]): Value | undefined {
  const counts = new Map<Value, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const [best] = [...counts].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
  return best?.[0];
}
