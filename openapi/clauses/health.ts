import { defineClauses } from "./clause.js";

/** Part 4.9: health. */
export const healthClauses = defineClauses({
  "4.9": {
    "HEALTH-01": "GET /health answers 200 with status Healthy when all is well.",
    "HEALTH-02": "GET /health answers 503 with status Unhealthy and details otherwise.",
    "HEALTH-03": "GET /health/ready answers 200 with status Ready when all is well.",
    "HEALTH-04": "GET /health/ready answers 503 with status NotReady and details otherwise.",
    "HEALTH-05": "GET /health/live answers 200 with status Alive, or status Dead.",
  },
  "5": {
    "HEALTH-06": "The health endpoints need no credential.",
  },
});
