import type { Seed } from "../../fixtures/seed.js";
import { defaultProfile } from "../../openapi/gaps/profile.js";
import { addApiKey } from "../control/api-keys.js";
import { controlCallViolations } from "../control/check-control-call.js";
import { addUser } from "../control/users.js";
import { invalid } from "../domain/problem.js";
import type { JsonValue } from "../json/json-value.js";
import { leastIdCount } from "../domain/id-letters.js";
import { writeHealth } from "../store/health.js";
import { writeSeeded } from "../store/seeded.js";
import type { Store } from "../store/store.js";
import { Clock, startOfTime } from "../time/clock.js";
import { Ids } from "../world/ids.js";
import { exportWorld } from "../world/open-world.js";
import { applyDueChanges } from "../world/apply-due-changes.js";
import { Tokens } from "../world/tokens.js";
import { checkSeed, seedValue } from "./check-seed.js";
import {
  type CompleteApiKey,
  completeSeed,
  type CompleteSeed,
  type CompleteUser,
  timeOf,
} from "./complete-seed.js";
import { loadDatabase } from "./load-database.js";
import { beginOrganization, finishOrganization } from "./load-organization.js";
import type { SeedMistake } from "./seed-error.js";
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
  const given = seedValue(json);
  const mistakes = checkSeed(given);
  if (mistakes.length > 0) return { mistakes };
  const seed = given as Seed;
  const complete = completeSeed(seed, mistakes);
  if (mistakes.length > 0) return { mistakes };
  const service = new SeedService(store, seed.ids?.seed ?? 1, mistakes);
  const clock = clockOf(seed);
  // one transaction to SQLite: it stays open until the export
  store.single(() => {
    for (const user of complete.users) loadUser(service, user);
    if (mistakes.length > 0) return;
    loadOrganizations(service, complete, clock.now());
    store.meta.write("fixture", seed.name ?? name);
    writeSeeded(store, {
      users: complete.users.map(({ id }) => id),
      apiKeys: complete.apiKeys.map(({ id }) => id),
    });
    if (seed.health !== undefined) writeHealth(store, seed.health);
  });
  if (mistakes.length > 0) return { mistakes };
  applyDueChanges(store, clock.now());
  return { bytes: finished(service, seed, clock, idsOf(complete)), name: seed.name ?? name };
}

/** Organizations with what they have; one whose own making fails has nothing. */
function loadOrganizations(service: SeedService, seed: CompleteSeed, now: number): void {
  const made = new Map(
    seed.organizations
      .filter((organization) => beginOrganization(service, organization))
      .map((organization) => [organization.id, organization]),
  );
  for (const key of seed.apiKeys) if (made.has(key.organization)) loadApiKey(service, key);
  for (const database of seed.databases) {
    const organization = made.get(database.organization);
    if (organization === undefined) continue;
    const { id: organizationId, ownerUserId: userId } = organization;
    loadDatabase(service, database, { kind: "user", role: "owner", organizationId, userId });
  }
  for (const organization of made.values()) finishOrganization(service, organization, now);
}

/** Adds a user with their personal organization, by the rules of a signup. */
function loadUser(service: SeedService, user: CompleteUser): void {
  const { pointer, id, email, name, password, personalOrganizationId, createdAt: at } = user;
  const { emailVerified = true, mfaRequired = false, passwordHash } = user;
  const body = { email, password, name, emailVerified, mfaRequired };
  service.try(pointer, () => {
    checkControlCall("createUser", body);
    const world = service.world({ at, ids: { user: id, org: personalOrganizationId } });
    addUser(world, { ...body, ...(passwordHash === undefined ? {} : { passwordHash }) });
  });
}

/** Adds an API key, by the rules of the dashboard. */
function loadApiKey(service: SeedService, apiKey: CompleteApiKey): void {
  const { pointer, id, key, name, organization: organizationId, createdAt: at } = apiKey;
  const { scopes = ["*"], expiresAt = null } = apiKey;
  const body = { organizationId, name, scopes: [...scopes], expiresAt };
  service.try(pointer, () => {
    checkControlCall("createApiKey", body);
    addApiKey(service.world({ at, ids: { key: id, dsk: key } }), body);
  });
}

/** @throws a problem `validation-failed` */
function checkControlCall(id: "createUser" | "createApiKey", body: object): void {
  const violations = controlCallViolations(id, { path: {}, query: {}, body });
  if (violations.length > 0) throw invalid(...violations);
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
  return exportWorld({
    store: service.store,
    clock,
    ids: new Ids(idSeed, leastIdCount(known, made)),
    tokens: new Tokens(idSeed),
    profile: defaultProfile,
  });
}

/** The ids of a seed that may have been made by the emulator: words are none of those. */
function idsOf({ users, organizations, apiKeys, databases }: CompleteSeed): string[] {
  const repositories = databases.flatMap((database) => database.repositories);
  const entities = repositories.flatMap((repository) => repository.entities);
  const parts = [...users, ...organizations, ...apiKeys, ...databases, ...repositories, ...entities];
  return [...parts.map(({ id }) => id), ...apiKeys.map(({ key }) => key)].filter((id) =>
    /_[0-9a-z]{16,}$/.test(id),
  );
}
