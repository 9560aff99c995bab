import type { Store } from "./store.js";

/** The users and API keys that a world began with, by their ids. */
export interface Seeded {
  readonly users: readonly string[];
  readonly apiKeys: readonly string[];
}

export function seededIn(store: Store): Seeded {
  const stored = store.meta.read("seeded");
  return typeof stored === "string" ? (JSON.parse(stored) as Seeded) : { users: [], apiKeys: [] };
}

export function writeSeeded(store: Store, seeded: Seeded): void {
  store.meta.write("seeded", JSON.stringify(seeded));
}
