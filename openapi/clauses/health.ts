import { defineClauses } from "./clause.js";

/** Part 4.9: health. */
export const healthClauses = defineClauses({
  "4.9": {
    "HEALTH-01": "GET /health returns 200 with the status Healthy if the service is healthy.",
    "HEALTH-02":
      "GET /health returns 503 with the status Unhealthy and details if the service is not healthy.",
    "HEALTH-03": "GET /health/ready returns 200 with the status Ready if the service is ready.",
    "HEALTH-04":
      "GET /health/ready returns 503 with the status NotReady and details if the service is not ready.",
    "HEALTH-05": "GET /health/live returns 200 with the status Alive, or a response with the status Dead.",
  },
  "5": {
    "HEALTH-06": "The health endpoints can be called without a credential.",
  },
});
