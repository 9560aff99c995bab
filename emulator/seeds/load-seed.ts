import type { Seed } from "../../fixtures/seed.js";
import { isJsonArray, isJsonObject, type JsonValue, memberOf } from "../json/json-value.js";
import { toPlain } from "../json/to-plain.js";
import { writeHealth } from "../store/health.js";
import { writeSeeded } from "../store/seeded.js";
import type { Store } from "../store/store.js";
import { Clock, startOfTime } from "../time/clock.js";
import { settleWorld } from "../world/settle-world.js";
import { exportWorld } from "../world/open-world.js";
import { leastIdCount } from "../state-files/check-ids.js";
import { Tokens } from "../world/tokens.js";
import { Ids } from "../world/ids.js";
import { defaultProfile } from "../../openapi/gaps/profile.js";
import { Attempts } from "./attempts.js";
import { checkSeed } from "./check-seed.js";
import { completeSeed, timeOf } from "./complete-seed.js";
import type { WholeSeed } from "./whole-seed.js";
import { loadDatabase } from "./load-database.js";
import { beginOrganization, finishOrganization } from "./load-organization.js";
import { loadApiKey, loadUser } from "./load-people.js";
import type { SeedMistake } from "./seed-mistake.js";
import { SeedService } from "./seed-service.js";

/**
 * Fills an empty store with a seed.
 *
 * @param name what the fixture is called where the seed does not say so
 * @returns the bytes of the world, or every mistake that was found; of what something broken holds none are told
 */
export function loadSeed(
  store: Store,
  json: JsonValue,
  name: string,
): { readonly bytes: Uint8Array; readonly name: string } | { readonly mistakes: readonly SeedMistake[] } {
  const given = toPlain(json);
  const wrong = checkSeed(given);
  if (wrong.length > 0) return { mistakes: wrong };
  const seed = given as Seed;
  const { whole, mistakes } = completeSeed(seed);
  if (mistakes.length > 0) return { mistakes };
  const service = new SeedService(store, seed.ids?.seed ?? 1);
  const attempts = new Attempts();
  const clock = clockOf(seed);
  // one transaction to SQLite: it stays open until the export
  store.single(() => {
    for (const user of whole.users) loadUser(service, attempts, user);
    const made = new Set<string>();
    if (attempts.mistakes.length > 0) return;
    for (const organization of whole.organizations)
      if (beginOrganization(service, attempts, organization)) made.add(organization.organizationId);
    for (const key of whole.apiKeys) if (made.has(key.organizationId)) loadApiKey(service, attempts, key);
    const ownerOf = new Map(whole.organizations.map((one) => [one.organizationId, one.ownerUserId]));
    whole.databases.forEach((database, index) => {
      if (!made.has(database.organizationId)) return;
      const role = "owner";
      const owner = { userId: ownerOf.get(database.organizationId) ?? "", role } as const;
      const by = { kind: "user", organizationId: database.organizationId, ...owner } as const;
      loadDatabase(service, attempts, database, by, memberAt(json, "databases", index));
    });
    for (const organization of whole.organizations)
      if (made.has(organization.organizationId)) finishOrganization(service, organization, clock.now());
    store.meta.write("fixture", seed.name ?? name);
    const seeded = {
      users: whole.users.map(({ userId }) => userId),
      apiKeys: whole.apiKeys.map(({ apiKeyId }) => apiKeyId),
    };
    writeSeeded(store, seeded);
    if (seed.health !== undefined) writeHealth(store, seed.health);
  });
  if (attempts.mistakes.length > 0) return { mistakes: attempts.mistakes };
  settleWorld(store, clock.now());
  return { bytes: finished(service, seed, clock, idsOf(whole)), name: seed.name ?? name };
}

function clockOf({ clock = {} }: Seed): Clock {
  const { mode = "manual", now } = clock;
  const start = timeOf(now) ?? startOfTime;
  return mode === "manual" ? new Clock(mode, start) : Clock.from({ mode, manualNow: start, systemOffset: 0 });
}

/** Writes clock and ids beside the tables; what the seed has in the form of such an id is never made again. */
function finished(service: SeedService, seed: Seed, clock: Clock, known: readonly string[]): Uint8Array {
  const idSeed = seed.ids?.seed ?? 1;
  const made = { seed: idSeed, count: Math.max(service.idCount, seed.ids?.count ?? 0) };
  const ids = new Ids(idSeed, leastIdCount(known, made));
  return exportWorld({
    store: service.store,
    clock,
    ids,
    tokens: new Tokens(idSeed),
    profile: defaultProfile,
  });
}

/** The ids of a seed that may have been made by the emulator: words are none of those. */
function idsOf({ users, organizations, apiKeys, databases }: WholeSeed): string[] {
  const repositories = databases.flatMap((database) => database.repositories);
  return [
    ...users.map(({ userId }) => userId),
    ...organizations.map(({ organizationId }) => organizationId),
    ...apiKeys.flatMap(({ apiKeyId, key }) => [apiKeyId, key]),
    ...databases.map(({ databaseId }) => databaseId),
    ...repositories.flatMap(({ repositoryId, entityIds }) => [repositoryId, ...entityIds]),
  ].filter((id) => /_[0-9a-z]{16,}$/.test(id));
}

function memberAt(json: JsonValue, name: string, index: number): JsonValue {
  const list = isJsonObject(json) ? memberOf(json, name) : undefined;
  return isJsonArray(list) ? (list[index] ?? null) : null;
}
