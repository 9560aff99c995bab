import { type Access, defineOperationGroup, defineSuccess, get } from "./operation.js";
import { ref } from "../schemas/ref.js";

const details = "The database does not respond.";

const access: Access = { kind: "public" };

/** Health (part 4.9). */
export const healthOperations = defineOperationGroup({
  tag: "Health",
  access,
  clauses: ["HEALTH-06", "GEN-08"],
})({
  getHealth: get("/health", "Check the health of the service", {
    description: "Returns 503 with `details` when something is wrong. Use this operation for alerts.",
    successes: [
      defineSuccess(200, "The service is healthy.", "Healthy"),
      defineSuccess(503, "The service is not healthy.", "Unhealthy", {
        example: { status: "Unhealthy", details },
      }),
    ],
    clauses: ["HEALTH-01", "HEALTH-02"],
    example: { response: { status: "Healthy" } },
  }),
  getReadiness: get("/health/ready", "Check whether the service accepts requests", {
    description:
      "Returns 503 with `details` while the service does not accept requests. Use this operation for load balancers.",
    successes: [
      defineSuccess(200, "The service accepts requests.", "Ready"),
      defineSuccess(503, "The service does not accept requests.", "NotReady", {
        example: { status: "NotReady", details },
      }),
    ],
    clauses: ["HEALTH-03", "HEALTH-04"],
    example: { response: { status: "Ready" } },
  }),
  getLiveness: get("/health/live", "Check whether the process is alive", {
    description:
      "Does not report the health of the service. Use this operation to decide whether to restart the process.",
    successes: (strictness) => {
      if (strictness.kind === "strict")
        return [
          { status: 200, description: "The process is alive.", schema: ref("Alive") },
          {
            status: 503,
            description: "The process is dead.",
            schema: ref("Dead"),
            example: { status: "Dead" },
          },
        ];
      return [
        {
          status: 200,
          description: "The process is alive or dead.",
          schema: { anyOf: [ref("Alive"), ref("Dead")] },
        },
        ...(["4XX", "5XX"] as const).map((status) => ({
          status,
          description: "The process is dead.",
          schema: ref("Dead"),
        })),
      ];
    },
    clauses: ["HEALTH-05"],
    example: { response: { status: "Alive" } },
  }),
});
