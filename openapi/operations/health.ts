import { type Access, operationGroup, success } from "./operation.js";
import { ref } from "../schemas/ref.js";

const details = "The database does not respond.";

const access: Access = { kind: "public", strayGap: "needless-credential" };

/** Health (part 4.9). */
export const healthOperations = operationGroup({ tag: "Health", access, clauses: ["HEALTH-06", "GEN-08"] })({
  getHealth: {
    summary: "Whether the service is healthy",
    description: "Answers 503 with `details` when something is wrong: point an alert at it.",
    routes: { method: "get", path: "/health" },
    successes: [
      success(200, "All is well.", "Healthy"),
      success(503, "Something is wrong.", "Unhealthy", { example: { status: "Unhealthy", details } }),
    ],
    clauses: ["HEALTH-01", "HEALTH-02"],
    example: { response: { status: "Healthy" } },
  },
  getReadiness: {
    summary: "Whether the service takes requests",
    description:
      "Answers 503 with `details` while it does not: let a load balancer ask it before it sends requests.",
    routes: { method: "get", path: "/health/ready" },
    successes: [
      success(200, "It does.", "Ready"),
      success(503, "It does not.", "NotReady", { example: { status: "NotReady", details } }),
    ],
    clauses: ["HEALTH-03", "HEALTH-04"],
    example: { response: { status: "Ready" } },
  },
  getLiveness: {
    summary: "Whether the service is alive",
    description:
      "Answers whether the process is alive, whatever its state: let a supervisor ask it before it starts another.",
    routes: { method: "get", path: "/health/live" },
    successes: (strictness) => {
      if (strictness.kind === "strict")
        return [
          { status: 200, description: "It is.", schema: ref("Alive") },
          { status: 503, description: "It is not.", schema: ref("Dead"), example: { status: "Dead" } },
        ];
      return [
        { status: 200, description: "Whether it is.", schema: { anyOf: [ref("Alive"), ref("Dead")] } },
        ...(["4XX", "5XX"] as const).map((status) => ({
          status,
          description: "It is not.",
          schema: ref("Dead"),
        })),
      ];
    },
    clauses: ["HEALTH-05"],
    example: { response: { status: "Alive" } },
  },
});
