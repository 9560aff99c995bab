import { defaultProfile, type Profile } from "../../openapi/gaps/profile.js";
import { clearOrganization } from "../store/clear-organization.js";
import { writeHealth } from "../store/health.js";
import type { OrganizationRow } from "../store/organizations.js";
import { writeSeededCredentialIds } from "../store/seeded-credentials.js";
import type { Store } from "../store/store.js";
import { Clock, manualClockStart } from "../time/clock.js";
import { applyDueChanges } from "../world/apply-due-changes.js";
import { IdGenerator, restoreIdCount } from "../world/id-generator.js";
import { exportWorld } from "../world/open-world.js";
import { TokenIssuer } from "../world/tokens.js";
import { applyApiKey, keyScope } from "./api-keys.js";
import { defaultPassword } from "./build-seed-schema.js";
import { applyDatabase } from "./databases.js";
import { applyOrganization } from "./organizations.js";
import type { SeedRoot } from "./seed-element.js";
import type { SeedMistakes } from "./seed-error.js";
import { SeedContext } from "./seed-context.js";
import { applyUser } from "./users.js";

export interface SeedOptions {
  /** The profile of the emulator. */
  readonly profile?: Profile;
  /** Other random seeds with which the world may be opened. */
  readonly idSeedOverrides?: readonly number[];
}

/**
 * Fills an empty store with a seed, by the rules of the service and of the control plane.
 *
 * @returns the state of the world
 * @throws SeedError with every mistake, except for mistakes within a rejected element
 */
export function buildStateFromSeed(
  store: Store,
  seed: SeedRoot & { readonly name: string },
  mistakes: SeedMistakes,
  { profile = defaultProfile, idSeedOverrides = [] }: SeedOptions,
): Uint8Array {
  const { mode = "manual", now: start = manualClockStart } = seed.clock ?? {};
  const { seed: idSeed = 1, count = 0 } = seed.ids ?? {};
  const { name, password = defaultPassword, createdAt = start, health } = seed;
  const { users = [], organizations = [], apiKeys = [], databases = [] } = seed;
  const clock = Clock.from({ mode, manualNow: start, systemOffset: 0 });
  const service = new SeedContext(store, idSeed, clock.now(), mistakes, profile);
  const { names } = service;
  reserveIds(service, seed);
  mistakes.throwIfAny();
  // This SQLite transaction stays open until the export.
  store.single(() => {
    const rows = users.map((user) => applyUser(service, user, { password, createdAt }));
    mistakes.throwIfAny();
    const created = new Map<string, OrganizationRow>();
    users.forEach(({ pointer, personalOrganization }, index) => {
      const given = { ...personalOrganization, pointer: `${pointer}/personalOrganization` };
      const row = applyOrganization(service, given, createdAt, rows[index]);
      if (row !== undefined) created.set(row.organizationId, row);
    });
    for (const organization of organizations) {
      const row = applyOrganization(service, organization, createdAt);
      if (row !== undefined) created.set(row.organizationId, row);
    }
    /** Returns undefined for an organization that was rejected. */
    const findOrganization = (given: { readonly pointer: string; readonly organization?: string }) => {
      const { pointer, organization } = given;
      const { ids } = names.organizations;
      const first = ids[users.length] ?? ids[0];
      if (organization === undefined && first === undefined)
        mistakes.add(pointer, "has no organization: add an organization or a user");
      const id =
        organization === undefined
          ? first
          : names.organizations.find(organization, `${pointer}/organization`);
      return created.get(id ?? "");
    };
    apiKeys.forEach((apiKey, index) => {
      const organization = findOrganization(apiKey);
      if (organization !== undefined)
        applyApiKey(service, apiKey, index, organization.organizationId, createdAt);
    });
    for (const database of databases) {
      const organization = findOrganization(database);
      if (organization !== undefined) applyDatabase(service, database, organization, createdAt);
    }
    // The statuses and limits would have prevented the other steps.
    for (const row of created.values()) {
      if (row.status === "deleted") clearOrganization(store, row.organizationId);
      store.organizations.update(row);
    }
    store.meta.write("fixture", name);
    writeSeededCredentialIds(store, {
      // The password is unknown if the seed contains its hash.
      users: names.users.ids.filter((userId) => store.passwords.of(userId) !== undefined),
      apiKeys: store.credentials.allApiKeys().map(({ apiKeyId }) => apiKeyId),
    });
    if (health !== undefined) writeHealth(store, health);
  });
  mistakes.throwIfAny();
  applyDueChanges(store, clock.now());
  // Ids in the seed that look generated count as generated, so that they are not generated again.
  const generated = names.ids.filter((id) => /_[0-9a-z]{16,}$/.test(id));
  const known = { count: Math.max(service.idCount, count) };
  const counts = [idSeed, ...idSeedOverrides].map((seed) => restoreIdCount(generated, { ...known, seed }));
  return exportWorld({
    store,
    clock,
    ids: new IdGenerator(idSeed, Math.max(...counts)),
    tokens: new TokenIssuer(idSeed),
    profile: defaultProfile,
  });
}

/** Reserves the ids and API keys that the seed specifies. Ids of entities are reserved with their repository. */
function reserveIds({ names }: SeedContext, seed: SeedRoot): void {
  const { users = [], organizations = [], apiKeys = [], databases = [] } = seed;
  for (const { id, pointer, personalOrganization } of users) {
    names.reserve("user", id, `${pointer}/id`);
    names.reserve("organization", personalOrganization?.id, `${pointer}/personalOrganization/id`);
  }
  for (const { id, pointer } of organizations) names.reserve("organization", id, `${pointer}/id`);
  for (const { id, pointer } of apiKeys) names.reserve("API key", id, `${pointer}/id`);
  for (const { key, pointer } of apiKeys) names.reserve("API key", key, `${pointer}/key`, keyScope);
  for (const { id, pointer, repositories = [] } of databases) {
    names.reserve("database", id, `${pointer}/id`);
    for (const { id, pointer } of repositories) names.reserve("repository", id, `${pointer}/id`);
  }
}
