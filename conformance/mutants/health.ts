import { mutant } from "./mutant.js";
import { createSuccessResponse, isRefusal } from "./tampers.js";

export const healthMutants = [
  mutant("health/always-healthy", "HEALTH-02", "getHealth").replaceResponse(isRefusal, () =>
    createSuccessResponse({ status: "Healthy" }),
  ),
  mutant("health/needs-credential", "HEALTH-06", "getReadiness").rejectRequests(
    401,
    (wire) => wire.credential === undefined,
  ),
];
