import type { ApiKeyRow } from "./credentials.js";
import type { Store } from "./store.js";

/** The ids of the users and API keys in a world's starting data. */
export interface SeededCredentials {
  readonly users: readonly string[];
  readonly apiKeys: readonly string[];
}

export function readSeededCredentials(store: Store): SeededCredentials {
  const stored = store.meta.read("seeded");
  return typeof stored === "string" ? (JSON.parse(stored) as SeededCredentials) : { users: [], apiKeys: [] };
}

/** Lists the API keys of the starting data that have not expired. */
export function listSeededApiKeys(store: Store, now: number): readonly ApiKeyRow[] {
  const seeded = new Set(readSeededCredentials(store).apiKeys);
  return store.credentials
    .allApiKeys()
    .filter(({ apiKeyId, expiresAt }) => seeded.has(apiKeyId) && (expiresAt === null || expiresAt > now));
}

export function writeSeededCredentials(store: Store, seeded: SeededCredentials): void {
  store.meta.write("seeded", JSON.stringify(seeded));
}
