import { type Access, defineOperations } from "./operation.js";
import { ref } from "../schemas/ref.js";

const details = "The database does not respond.";

const access: Access = { kind: "public", strayGap: "needless-credential" };

/** Health (part 4.9). */
export const healthOperations = defineOperations({
  getHealth: {
    tag: "Health",
    summary: "Whether the service is healthy",
    routes: { method: "get", path: "/health" },
    access,
    effect: "read",
    successes: () => [
      { status: 200, description: "All is well.", schema: ref("Healthy") },
      {
        status: 503,
        description: "Something is wrong.",
        schema: ref("Unhealthy"),
        example: { status: "Unhealthy", details },
      },
    ],
    problems: [],
    clauses: ["HEALTH-01", "HEALTH-02", "HEALTH-06", "GEN-08"],
    example: { response: { status: "Healthy" } },
  },
  getReadiness: {
    tag: "Health",
    summary: "Whether the service takes requests",
    routes: { method: "get", path: "/health/ready" },
    access,
    effect: "read",
    successes: () => [
      { status: 200, description: "It does.", schema: ref("Ready") },
      {
        status: 503,
        description: "It does not.",
        schema: ref("NotReady"),
        example: { status: "NotReady", details },
      },
    ],
    problems: [],
    clauses: ["HEALTH-03", "HEALTH-04", "HEALTH-06", "GEN-08"],
    example: { response: { status: "Ready" } },
  },
  getLiveness: {
    tag: "Health",
    summary: "Whether the service is alive",
    routes: { method: "get", path: "/health/live" },
    access,
    effect: "read",
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
    problems: [],
    clauses: ["HEALTH-05", "HEALTH-06", "GEN-08"],
    example: { response: { status: "Alive" } },
  },
});
