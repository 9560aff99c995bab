import { mutant } from "./mutant.js";
import { createSuccessResponse, isRefusal } from "./tampers.js";

export const healthMutants = [
  mutant("health/always-healthy", "HEALTH-02", "getHealth").replaceResponse(isRefusal, () =>
    createSuccessResponse({ status: "Healthy" }),
  ),
  mutant("health/unready-without-details", "HEALTH-04", "getReadiness").replaceResponse(
    isRefusal,
    (_, answer) => ({ ...answer, body: { status: "NotReady" } }),
  ),
  mutant("health/needs-credential", "HEALTH-06", "getReadiness").rejectRequests(
    401,
    (wire) => wire.credential === undefined,
  ),
];
