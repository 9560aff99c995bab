import { readHealth } from "../store/health.js";
import type { Handler } from "./handler.js";

/** GET /health. */
export const getHealth: Handler<"getHealth"> = (_request, { store }) => {
  const { health, details } = readHealth(store);
  return health === "Healthy"
    ? { status: 200, body: { status: health } }
    : { status: 503, body: { status: health, details } };
};

/** GET /health/ready. */
export const getReadiness: Handler<"getReadiness"> = (_request, { store }) => {
  const { ready, details } = readHealth(store);
  return ready === "Ready"
    ? { status: 200, body: { status: ready } }
    : { status: 503, body: { status: ready, details } };
};

/** GET /health/live; the status of Dead is the profile's (gap `dead-status`). */
export const getLiveness: Handler<"getLiveness"> = (_request, { store, profile }) => {
  const { live } = readHealth(store);
  if (live === "Alive") return { status: 200, body: { status: live } };
  // the types are those of the default profile, which answers 503
  return { status: profile["dead-status"] as 503, body: { status: live } };
};
