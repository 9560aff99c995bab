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

/** GET /health/live. */
export const getLiveness: Handler<"getLiveness"> = (_request, { store }) => {
  const { live } = readHealth(store);
  return live === "Alive" ? { status: 200, body: { status: live } } : { status: 503, body: { status: live } };
};
