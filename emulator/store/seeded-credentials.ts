import type { ApiKeyRow } from "./credentials.js";
import type { Store } from "./store.js";

/** The ids of the users and API keys in a world's starting data. */
export interface SeededCredentialIds {
  readonly users: readonly string[];
  readonly apiKeys: readonly string[];
}

export function readSeededCredentialIds(store: Store): SeededCredentialIds {
  const stored = store.meta.read("seeded");
  return typeof stored === "string"
    ? (JSON.parse(stored) as SeededCredentialIds)
    : { users: [], apiKeys: [] };
}

/** Lists the API keys of the starting data that have not expired. */
export function listSeededApiKeys(store: Store, now: number): readonly ApiKeyRow[] {
  const seeded = new Set(readSeededCredentialIds(store).apiKeys);
  return store.credentials
    .allApiKeys()
    .filter(({ apiKeyId, expiresAt }) => seeded.has(apiKeyId) && (expiresAt === null || expiresAt > now));
}

export function writeSeededCredentialIds(store: Store, seeded: SeededCredentialIds): void {
  store.meta.write("seeded", JSON.stringify(seeded));
}
