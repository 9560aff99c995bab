import type { Seed, SeedApiKey, SeedUser } from "../../fixtures/seed.js";
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
import { loadDatabases } from "./load-database.js";
import {
  beginOrganization,
  finishOrganization,
  readOrganization,
  readOrganizations,
  type SeededOrganization,
} from "./load-organization.js";
import { defaultPassword, idWord, inFull, localPart, timeOf } from "./seed-defaults.js";
import { personalOf, SeedNames } from "./seed-names.js";
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
  const service = new SeedService(store, seed.ids?.seed ?? 1, mistakes);
  const names = new SeedNames(mistakes);
  names.takeIds(seed);
  if (mistakes.length > 0) return { mistakes };
  const clock = clockOf(seed);
  const createdAt = timeOf(seed.createdAt) ?? timeOf(seed.clock?.now) ?? startOfTime;
  // one transaction to SQLite: it stays open until the export
  store.single(() => {
    const personal = loadUsers(service, seed, names, createdAt);
    const organizations = [...personal, ...readOrganizations(seed, names, createdAt)];
    if (mistakes.length > 0) return;
    const made = new Map(
      organizations
        .filter((organization) => beginOrganization(service, organization))
        .map((organization) => [organization.id, organization]),
    );
    const apiKeys = loadApiKeys(service, seed, names, createdAt, made);
    // one whose own making fails has nothing
    loadDatabases(service, seed, names, createdAt, (organizationId) => {
      const userId = made.get(organizationId)?.ownerUserId;
      return userId === undefined ? undefined : { kind: "user", role: "owner", organizationId, userId };
    });
    for (const organization of made.values()) finishOrganization(service, organization, clock.now());
    store.meta.write("fixture", seed.name ?? name);
    writeSeeded(store, { users: names.users.map(({ id }) => id), apiKeys });
    if (seed.health !== undefined) writeHealth(store, seed.health);
  });
  if (mistakes.length > 0) return { mistakes };
  applyDueChanges(store, clock.now());
  return { bytes: finished(service, seed, clock, names.ids), name: seed.name ?? name };
}

/** Adds the users with their personal organizations, by the rules of a signup. */
function loadUsers(service: SeedService, seed: Seed, names: SeedNames, usual: number): SeededOrganization[] {
  const users = inFull(seed.users, (email): SeedUser => ({ email })).map((given, index) => {
    const email = given.email.trim();
    const word = idWord(localPart(email));
    const id = given.id ?? names.make("user", `user_${word}`);
    const personal = personalOf(given.personalOrganization);
    const organizationId = personal.id ?? names.make("organization", `org_personal_${word}`);
    const at = timeOf(given.createdAt) ?? usual;
    names.users.push({ id, email });
    const { name = localPart(email) || email, password = seed.password ?? defaultPassword } = given;
    const { emailVerified = true, mfaRequired = false, passwordHash } = given;
    const body = { email, password, name, emailVerified, mfaRequired };
    service.try(`/users/${index}`, () => {
      checkControlCall("createUser", body);
      const world = service.world({ at, ids: { user: id, org: organizationId } });
      addUser(world, { ...body, ...(passwordHash === undefined ? {} : { passwordHash }) });
    });
    return { id, at, personal, organizationId, pointer: `/users/${index}/personalOrganization` };
  });
  // members may be named before they come
  return users.map(({ id: userId, at, personal, organizationId: id, pointer }) => {
    const place = { pointer, id, createdAt: timeOf(personal.createdAt) ?? at };
    return readOrganization(personal, place, [userId], names, userId);
  });
}

/** Adds API keys, by the rules of the dashboard. @returns their ids */
function loadApiKeys(
  service: SeedService,
  { apiKeys }: Seed,
  names: SeedNames,
  usual: number,
  made: ReadonlyMap<string, SeededOrganization>,
): string[] {
  return inFull(apiKeys, (key): SeedApiKey => ({ key })).map((given, index) => {
    const pointer = `/apiKeys/${index}`;
    const { name = given.key ?? `key ${index + 1}`, scopes = ["*"], expiresAt = null } = given;
    const word = idWord(name.replace(/^dsk_/, ""));
    const { id = names.make("API key", `key_${word}`) } = given;
    const { key = names.make("API key", `dsk_${word}`) } = given;
    const organizationId = names.organizationId(given.organization, pointer);
    const body = { organizationId, name, scopes: [...scopes], expiresAt };
    if (made.has(organizationId))
      service.try(pointer, () => {
        checkControlCall("createApiKey", body);
        const at = timeOf(given.createdAt) ?? usual;
        addApiKey(service.world({ at, ids: { key: id, dsk: key } }), body);
      });
    return id;
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
    ids: new Ids(idSeed, leastIdCount(known.filter(isLikeMade), made)),
    tokens: new Tokens(idSeed),
    profile: defaultProfile,
  });
}

/** Whether an id of a seed may have been made by the emulator: words are none of those. */
function isLikeMade(id: string): boolean {
  return /_[0-9a-z]{16,}$/.test(id);
}
