import type { Statement } from "./statement.js";

/** Part 4.9: health. */
export const healthStatements: readonly Statement[] = [
  { part: "4.9", says: "Health takes no credential", clauses: ["HEALTH-06"] },
  { part: "4.9", says: "GET /health when healthy: 200 and Healthy", clauses: ["HEALTH-01"] },
  { part: "4.9", says: "GET /health otherwise: 503, Unhealthy and details", clauses: ["HEALTH-02"] },
  { part: "4.9", says: "GET /health/ready when ready: 200 and Ready", clauses: ["HEALTH-03"] },
  { part: "4.9", says: "GET /health/ready otherwise: 503, NotReady and details", clauses: ["HEALTH-04"] },
  { part: "4.9", says: "GET /health/live when alive: 200 and Alive", clauses: ["HEALTH-05"] },
  {
    part: "4.9",
    says: "GET /health/live otherwise: Dead, no HTTP status told",
    clauses: ["HEALTH-05"],
  },
  { part: "4.9", says: "Not said: the status of /health/live when Dead", open: true },
  { part: "4.9", says: "Not shown: endpoints for API keys", reason: "there is nothing to call" },
];
