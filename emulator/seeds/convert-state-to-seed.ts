import type { SqlJsStatic } from "sql.js";
import { defaultProfile } from "../../openapi/gaps/profile.js";
import type { JsonValue } from "../json/json-value.js";
import { healthy, readHealth } from "../store/health.js";
import { manualClockStart } from "../time/clock.js";
import { applyDueChanges } from "../world/apply-due-changes.js";
import { extractState } from "../state-files/state-file.js";
import { openWorld } from "../world/open-world.js";
import type { World } from "../world/world.js";
import { describeApiKey } from "./api-keys.js";
import { defaultPassword } from "./build-seed-schema.js";
import { describeDatabase } from "./databases.js";
import { describeOrganization } from "./organizations.js";
import { writeElement } from "./seed-element.js";
import { describeUser, getKnownPassword } from "./users.js";

/**
 * Converts the world in a state file to a seed.
 *
 * @throws StateFileError for a file that is damaged, from another program or of another version
 */
export function convertStateToSeed(sqlite: SqlJsStatic, file: Uint8Array): JsonValue {
  const world = openWorld(sqlite, { bytes: extractState(sqlite, file) }, defaultProfile);
  try {
    return describeWorld(world);
  } finally {
    world.store.close();
  }
}

/**
 * Describes a world as a seed. Omits what a seed cannot contain: sessions, checkouts (including paid ones whose plan has not
 * started yet), stored responses to transactions, deleted organizations, and usage figures.
 */
function describeWorld({ store, clock, ids }: World): JsonValue {
  applyDueChanges(store, clock.now());
  const users = store.users.all();
  const shared = store.organizations.all().filter(({ isPersonal }) => !isPersonal);
  const apiKeys = store.credentials.allApiKeys();
  const databases = store.databases.all();
  const now = clock.mode === "manual" ? clock.now() : manualClockStart;
  const { createdAt = now } = [...users, ...shared, ...apiKeys, ...databases][0] ?? {};
  const password =
    users.map((user) => getKnownPassword(store, user)).find((known) => known !== undefined) ??
    defaultPassword;
  const member = users[0]?.userId ?? "";
  const seed = writeElement(
    {
      password,
      clock: writeElement({ mode: clock.mode, now }, { mode: "manual", now: manualClockStart }),
      createdAt,
      ids: writeElement({ seed: ids.seed, count: ids.count }, { seed: 1, count: 0 }),
      health: writeElement({ ...readHealth(store) }, { ...healthy }),
      users: users.map((user) => describeUser(store, user, { createdAt, password })),
      organizations: shared.map((row) => describeOrganization(store, row, { createdAt, member })),
      apiKeys: apiKeys.map((row) => describeApiKey(row, createdAt)),
      databases: databases.map((row) => describeDatabase(store, row, createdAt)),
    },
    { password: defaultPassword, createdAt: now, users: [], organizations: [], apiKeys: [], databases: [] },
  );
  return seed ?? new Map();
}
