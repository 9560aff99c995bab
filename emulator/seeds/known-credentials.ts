import type { SqlJsStatic } from "sql.js";
import { hashPassword } from "../access/password.js";
import { seededIn, writeSeeded } from "../store/seeded.js";
import { Store } from "../store/store.js";
import { defaultPassword } from "./seed-defaults.js";

/** What users of fixtures have whose passwords a file does not tell: those of files that are older than that. */
const wellKnown = ["demo-password", defaultPassword];

/**
 * The state of a file as one to begin with: its users whose passwords are known and its API keys are what the world
 * was seeded with, so that whoever starts it is told how to log in.
 */
export function withKnownCredentials(sqlite: SqlJsStatic, bytes: Uint8Array): Uint8Array {
  const store = Store.open(sqlite, bytes);
  try {
    const users = store.users.all();
    for (const { userId, passwordHash } of users) {
      if (store.passwords.of(userId) !== undefined) continue;
      const known = wellKnown.find((password) => hashPassword(userId, password) === passwordHash);
      if (known !== undefined) store.passwords.write(userId, known);
    }
    const before = seededIn(store);
    const known = users
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
    writeSeeded(store, seeded);
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
