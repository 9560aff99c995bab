import { mutant } from "./mutant.js";

export const healthMutants = [
  mutant("health/always-healthy", "HEALTH-02", "getHealth").by(() => async (wire) => {
    const answer = await wire.send();
    return answer.status === 200 ? answer : { status: 200, headers: {}, body: { status: "Healthy" } };
  }),
  mutant("health/unready-without-details", "HEALTH-04", "getReadiness").by(() => async (wire) => {
    const answer = await wire.send();
    return answer.status === 200 ? answer : { ...answer, body: { status: "NotReady" } };
  }),
  mutant("health/needs-credential", "HEALTH-06", "getReadiness").rejectRequests(
    401,
    (wire) => wire.credential === undefined,
  ),
];
