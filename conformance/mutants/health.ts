import { createSuccessResponse, isErrorResponse } from "./intercept.js";
import { mutant } from "./mutant.js";

export const healthMutants = [
  mutant("health/always-healthy", "HEALTH-02", "getHealth").replaceResponse(isErrorResponse, () =>
    createSuccessResponse({ status: "Healthy" }),
  ),
  mutant("health/needs-credential", "HEALTH-06", "getReadiness").rejectRequests(
    (request) => request.credential === undefined,
  ),
];
