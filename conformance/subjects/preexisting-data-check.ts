import type { Check } from "../check/check.js";
import { actorNames } from "../target/needs.js";

/**
 * Reads data that existed in the accounts before the run: names, plans, limits, who invited whom. Differences in this data
 * say nothing about the deployments.
 */
export const preexistingDataCheck: Check = {
  id: "organizations/given",
  title: "Data that existed in the accounts before the run",
  clauses: [],
  needs: ["owner"],
  run: async (context) => {
    for (const name of actorNames) {
      if (!context.offers(name)) continue;
      const as = await context.actor(name);
      const { personalOrgId } = await context.actors.details(name);
      const own = await context.actors.organizationOf(name);
      const how = { as, unjudged: true };
      await context.call("listOrganizations", how);
      for (const organizationId of new Set([personalOrgId, own])) {
        await context.call("getOrganization", { ...how, path: { organizationId } });
        await context.call("listMembers", { ...how, path: { organizationId } });
      }
      for (const operationId of ["getPaymentInfo", "getPaymentStatus", "getUsage"] as const)
        await context.call(operationId, how);
    }
    if (!context.offers("database")) return;
    // it shows when the run began
    const databaseId = await context.resources.database();
    await context.call("getDatabase", { unjudged: true, path: { databaseId } });
  },
};
