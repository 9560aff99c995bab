import { defineClauses } from "./clause.js";

/** Part 4.9: health. */
export const healthClauses = defineClauses({
  "HEALTH-01": { part: "4.9", statement: "GET /health answers 200 with status Healthy when all is well." },
  "HEALTH-02": {
    part: "4.9",
    statement: "GET /health answers 503 with status Unhealthy and details otherwise.",
  },
  "HEALTH-03": {
    part: "4.9",
    statement: "GET /health/ready answers 200 with status Ready when all is well.",
  },
  "HEALTH-04": {
    part: "4.9",
    statement: "GET /health/ready answers 503 with status NotReady and details otherwise.",
  },
  "HEALTH-05": { part: "4.9", statement: "GET /health/live answers 200 with status Alive, or status Dead." },
  "HEALTH-06": { part: "5", statement: "The health endpoints need no credential." },
});
