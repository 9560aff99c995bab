import { type GapId, gapIds } from "../../openapi/gaps/register.js";
import { isGapId } from "../../openapi/gaps/profile.js";
import type { Check } from "../check/check.js";
import { checks as suiteChecks } from "../checks/register.js";
import { toObserverChecks } from "../observe/observation.js";
import { selectChecks } from "../run/select-checks.js";
import { actorNames } from "../target/requirements.js";
import { combinedChecks } from "./combined-checks.js";

/**
 * Checks that fill the storage of a plan or send very many or very large requests, run only when named. They take long and
 * are seldom welcome.
 */
const costly: readonly string[] = ["databases/storage", "request-bytes-max", "rate-limit"];

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
      const { personalOrgId } = await context.actors.getSession(name);
      const own = await context.actors.getOrganizationId(name);
      const how = { as, skipValidation: true };
      await context.call("listOrganizations", how);
      for (const organizationId of new Set([personalOrgId, own])) {
        await context.call("getOrganization", { ...how, path: { organizationId } });
        await context.call("listMembers", { ...how, path: { organizationId } });
      }
      for (const operationId of ["getPaymentInfo", "getPaymentStatus", "getUsage"] as const)
        await context.call(operationId, how);
    }
    if (!context.offers("database")) return;
    // The database's timestamps depend on when the run began.
    const databaseId = await context.resources.getDatabase();
    await context.call("getDatabase", { skipValidation: true, path: { databaseId } });
  },
};

/**
 * All checks from which histories are recorded. Preconditions are left out, because a comparison waits for both sides
 * anyway. A check that may change the role of one of the target's users is left out, because the part of a history that
 * reproduces a difference need not restore the role.
 */
export const comparedChecks: readonly Check[] = [...combinedChecks, ...suiteChecks].filter(
  ({ id }) => !/^(?:preconditions\/.*|members\/(?:change-one-role|.*-promotes-self))$/.test(id),
);

/**
 * Selects the checks, and the observers as checks, from which histories are recorded, by names of areas, checks, clauses and gaps.
 *
 * @param names an empty list selects everything except costly checks
 * @throws RunError when a name is unknown
 */
export function selectRecordedChecks(names: readonly string[]): readonly Check[] {
  if (names.length === 0)
    return [
      ...[preexistingDataCheck, ...comparedChecks].filter(({ id }) => !costly.includes(id)),
      ...toObserverChecks(gapIds.filter((gap) => !costly.includes(gap))),
    ];
  const gaps = names.filter((name): name is GapId => isGapId(name));
  const others = names.filter((name) => !isGapId(name));
  const checks = others.length === 0 ? [] : selectChecks(others, comparedChecks);
  return [preexistingDataCheck, ...checks, ...toObserverChecks(gaps)];
}
