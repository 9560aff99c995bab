import { mutant } from "./mutant.js";
import { refusal } from "./refusal.js";
import { changed } from "./intercept.js";

export const healthMutants = [
  mutant(
    "health/other-word",
    "HEALTH-01",
    "/health answers OK in place of Healthy",
    ["getHealth"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        body.status = "OK";
      }),
  ),
  mutant(
    "health/ready-means-healthy",
    "HEALTH-03",
    "/health/ready answers Healthy in place of Ready",
    ["getReadiness"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        body.status = "Healthy";
      }),
  ),
  mutant(
    "health/always-healthy",
    "HEALTH-02",
    "/health says Healthy whatever happens",
    ["getHealth"],
    () => async (wire) => {
      const answer = await wire.send();
      return answer.status === 200 ? answer : { status: 200, headers: {}, body: { status: "Healthy" } };
    },
  ),
  mutant(
    "health/unready-without-details",
    "HEALTH-04",
    "/health/ready gives no details",
    ["getReadiness"],
    () => async (wire) => {
      const answer = await wire.send();
      return answer.status === 200 ? answer : { ...answer, body: { status: "NotReady" } };
    },
  ),
  mutant(
    "health/needs-credential",
    "HEALTH-06",
    "/health/ready needs a credential",
    ["getReadiness"],
    () => async (wire) => (wire.credential === undefined ? refusal(401) : wire.send()),
  ),
  mutant(
    "health/lives-in-lower-case",
    "HEALTH-05",
    "/health/live answers alive",
    ["getLiveness"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        body.status = String(body.status).toLowerCase();
      }),
  ),
];
