import type { SqlJsStatic } from "sql.js";
import { readSeededCredentials, writeSeededCredentials } from "../store/seeded-credentials.js";
import { Store } from "../store/store.js";

/**
 * The state of a file as one to begin with: its users whose passwords are known and its API keys are what the world
 * was seeded with, so that whoever starts it is told how to log in.
 */
export function withKnownCredentials(sqlite: SqlJsStatic, bytes: Uint8Array): Uint8Array {
  const store = Store.open(sqlite, bytes);
  try {
    const before = readSeededCredentials(store);
    const known = store.users
      .all()
      .map(({ userId }) => userId)
      .filter((userId) => store.passwords.of(userId) !== undefined);
    const seeded = {
      users: merged(before.users, known),
      apiKeys: merged(
        before.apiKeys,
        store.credentials.allApiKeys().map(({ apiKeyId }) => apiKeyId),
      ),
    };
    if (JSON.stringify(seeded) === JSON.stringify(before)) return bytes;
    writeSeededCredentials(store, seeded);
    return store.export();
  } finally {
    store.close();
  }
}

/** Those that are still there in their order, and the others behind them. */
function merged(before: readonly string[], now: readonly string[]): string[] {
  const there = new Set(now);
  return [...new Set([...before.filter((id) => there.has(id)), ...now])];
}
