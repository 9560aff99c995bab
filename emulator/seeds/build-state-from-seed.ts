import { defaultProfile } from "../../openapi/gaps/profile.js";
import { addApiKey } from "../control/organizations.js";
import { checkControlCall } from "../control/check-control-call.js";
import { addUser } from "../control/people.js";
import { restoreIdCount } from "../world/id-generator.js";
import { writeHealth } from "../store/health.js";
import { writeSeededCredentials } from "../store/seeded-credentials.js";
import { Clock } from "../time/clock.js";
import { applyDueChanges } from "../world/apply-due-changes.js";
import { IdGenerator } from "../world/id-generator.js";
import { exportWorld } from "../world/open-world.js";
import { TokenIssuer } from "../world/tokens.js";
import { applySeedDatabase } from "./apply-database.js";
import { createSeedOrganization, finalizeSeedOrganization, toFounderCaller } from "./apply-organization.js";
import type { CompleteSeed } from "./complete-seed.js";
import type { SeedMistakes } from "./seed-error.js";
import { SeedService } from "./seed-service.js";
import type { Store } from "../store/store.js";

/**
 * Fills an empty store with a seed, by the rules of the service and of the control plane.
 *
 * @param idSeedOverrides other random seeds with which the world may be opened
 * @returns the state of the world
 * @throws SeedError with every mistake, except for mistakes within a rejected element
 */
export function buildStateFromSeed(
  store: Store,
  seed: CompleteSeed,
  name: string,
  mistakes: SeedMistakes,
  idSeedOverrides: readonly number[],
): Uint8Array {
  const service = new SeedService(store, seed.ids.seed, mistakes);
  const { mode, start } = seed.clock;
  const clock =
    mode === "manual" ? new Clock(mode, start) : Clock.from({ mode, manualNow: start, systemOffset: 0 });
  // This SQLite transaction stays open until the export.
  store.single(() => {
    for (const user of seed.users) applyUser(service, user);
    mistakes.throwIfAny();
    // Skips the contents of rejected organizations.
    const created = new Map(
      seed.organizations.filter((one) => createSeedOrganization(service, one)).map((one) => [one.id, one]),
    );
    for (const key of seed.apiKeys) if (created.has(key.organizationId)) applyApiKey(service, key);
    for (const database of seed.databases) {
      const organization = created.get(database.organizationId);
      if (organization === undefined) continue;
      const owner = { ...toFounderCaller(organization), userId: organization.ownerUserId };
      applySeedDatabase(service, database, owner);
    }
    for (const organization of created.values()) finalizeSeedOrganization(service, organization, clock.now());
    store.meta.write("fixture", name);
    writeSeededCredentials(store, {
      users: seed.users.map(({ id }) => id),
      apiKeys: seed.apiKeys.map(({ id }) => id),
    });
    if (seed.health !== undefined) writeHealth(store, seed.health);
  });
  mistakes.throwIfAny();
  applyDueChanges(store, clock.now());
  return exportWorld({
    store,
    clock,
    ids: new IdGenerator(seed.ids.seed, countIds(service, seed, idSeedOverrides)),
    tokens: new TokenIssuer(seed.ids.seed),
    profile: defaultProfile,
  });
}

/** Adds a user with their personal organization, by the rules of a signup. */
function applyUser(service: SeedService, user: CompleteSeed["users"][number]): void {
  const { pointer, id, organizationId, email, password, passwordHash, name, createdAt: at } = user;
  const body = { email, password, name, emailVerified: user.emailVerified, mfaRequired: user.mfaRequired };
  service.try(pointer, () => {
    checkControlCall("createUser", { path: {}, query: {}, body });
    const world = service.world({ at, ids: { user: id, org: organizationId } });
    addUser(world, { ...body, ...(passwordHash === undefined ? {} : { passwordHash }) });
  });
}

/** Adds an API key, by the rules of the dashboard. */
function applyApiKey(service: SeedService, apiKey: CompleteSeed["apiKeys"][number]): void {
  const { pointer, id, key, organizationId, name, scopes, expiresAt, createdAt: at } = apiKey;
  const body = { organizationId, name, scopes: [...scopes], expiresAt };
  service.try(pointer, () => {
    checkControlCall("createApiKey", { path: {}, query: {}, body });
    addApiKey(service.world({ at, ids: { key: id, dsk: key } }), body);
  });
}

/** Counts ids in the seed that look generated as generated, so that they are not generated again. */
function countIds(
  service: SeedService,
  { ids, allIds }: CompleteSeed,
  idSeedOverrides: readonly number[],
): number {
  const generated = allIds.filter((id) => /_[0-9a-z]{16,}$/.test(id));
  const count = Math.max(service.idCount, ids.count);
  return Math.max(
    ...[ids.seed, ...idSeedOverrides].map((seed) => restoreIdCount(generated, { seed, count })),
  );
}
