import type { Store } from "./store.js";

/** Statuses that the health endpoints report. */
export interface Health {
  readonly health: "Healthy" | "Unhealthy";
  readonly ready: "Ready" | "NotReady";
  readonly live: "Alive" | "Dead";
  /** Shown in failures. */
  readonly details: string;
}

export const healthy: Health = { health: "Healthy", ready: "Ready", live: "Alive", details: "" };

export function readHealth(store: Store): Health {
  const stored = store.meta.read("health");
  return typeof stored === "string" ? (JSON.parse(stored) as Health) : healthy;
}

/** Changes the given fields and keeps the others. */
export function writeHealth(store: Store, change: Partial<Health>): Health {
  const health = { ...readHealth(store), ...change };
  store.meta.write("health", JSON.stringify(health));
  return health;
}
