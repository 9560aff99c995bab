import type { Store } from "./store.js";

/** The users and API keys that a world began with, by their ids. */
export interface SeededCredentials {
  readonly users: readonly string[];
  readonly apiKeys: readonly string[];
}

export function readSeededCredentials(store: Store): SeededCredentials {
  const stored = store.meta.read("seeded");
  return typeof stored === "string" ? (JSON.parse(stored) as SeededCredentials) : { users: [], apiKeys: [] };
}

export function writeSeededCredentials(store: Store, seeded: SeededCredentials): void {
  store.meta.write("seeded", JSON.stringify(seeded));
}
