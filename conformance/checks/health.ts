import type { OperationId } from "../../openapi/operations/register.js";
import { anonymous } from "../client/client.js";
import { defineChecks } from "../check/check.js";
import { isSuccess } from "../client/is-success.js";
import { readUntil } from "../steps/read-until.js";

const healthy = [
  ["getHealth", "HEALTH-01", "Healthy"],
  ["getReadiness", "HEALTH-03", "Ready"],
  ["getLiveness", "HEALTH-05", "Alive"],
] as const satisfies readonly (readonly [OperationId, string, string])[];

const unhealthy = [
  ["getHealth", "HEALTH-02", "Unhealthy", { health: "Unhealthy" }],
  ["getReadiness", "HEALTH-04", "NotReady", { ready: "NotReady" }],
] as const;

/** Checks of the health endpoints (part 4.9). */
export const healthChecks = defineChecks(
  {
    id: "health/healthy",
    title: "A healthy deployment reports to any caller that it is healthy",
    clauses: ["HEALTH-01", "HEALTH-03", "HEALTH-05", "HEALTH-06"],
    needs: [],
    run: async (context) => {
      for (const [operation, clause, status] of healthy) {
        // The deployment may be unhealthy for a while.
        const read = () => context.call(operation, { as: anonymous });
        const response = await readUntil(context, read, isSuccess);
        context.assertStatus("HEALTH-06", response, 200);
        context.assertEqual(clause, (response.body as { status?: unknown }).status, status, "status");
      }
    },
  },
  {
    id: "health/unhealthy",
    title: "An unhealthy deployment reports that it is unhealthy, with details",
    clauses: ["HEALTH-02", "HEALTH-04", "HEALTH-05"],
    needs: ["control-plane"],
    run: async (context) => {
      const details = "the disk is full";
      try {
        for (const [operation, clause, status, change] of unhealthy) {
          await context.control.call("setHealth", { body: { ...change, details } });
          const response = await context.call(operation, { as: anonymous, skipRetries: true });
          context.assertStatus(clause, response, 503);
          context.assertFields(clause, response.body as object, { status, details }, "the body");
        }
        await context.control.call("setHealth", { body: { live: "Dead" } });
        const dead = await context.call("getLiveness", { as: anonymous, skipRetries: true });
        context.assertEqual("HEALTH-05", (dead.body as { status?: unknown }).status, "Dead", "status");
      } finally {
        await context.control.call("setHealth", {
          body: { health: "Healthy", ready: "Ready", live: "Alive" },
        });
      }
    },
  },
);
