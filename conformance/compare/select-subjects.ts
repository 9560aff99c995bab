import { type GapId, gapIds } from "../../openapi/gaps/register.js";
import { isGapId } from "../../openapi/gaps/profile.js";
import type { Check } from "../check/check.js";
import { selectChecks } from "../run/select-checks.js";
import { combinedChecks } from "./combined-checks.js";
import { checks as suiteChecks } from "../checks/register.js";
import { actorNames } from "../target/needs.js";

/** What histories are recorded from. */
export interface Subjects {
  readonly checks: readonly Check[];
  readonly gaps: readonly GapId[];
}

/**
 * What fills a plan's storage, uses up its requests, or sends as much as it can: only for those who name it. It takes
 * long, and it is seldom welcome.
 */
const costly: readonly string[] = [
  "databases/storage",
  "request-bytes-max",
  "rate-limit",
  "storage-ceiling",
  "monthly-requests",
];

/** Checks that wait for what may come: both sides are waited for anyway. */
const inapplicable: readonly string[] = ["preconditions"];

/** All checks that histories can come from. */
export const allSubjects: readonly Check[] = [...combinedChecks, ...suiteChecks].filter(
  ({ id }) => !inapplicable.includes(id.slice(0, id.indexOf("/"))),
);

/**
 * Chooses by names of areas, checks, clauses and gaps.
 *
 * @param names none for all but what is costly
 * @throws RunTrouble when a name fits nothing
 */
export function selectSubjects(names: readonly string[]): Subjects {
  if (names.length === 0)
    return {
      checks: [givenCheck, ...allSubjects].filter(({ id }) => !costly.includes(id)),
      gaps: gapIds.filter((gap) => !costly.includes(gap)),
    };
  const gaps = names.filter((name): name is GapId => isGapId(name));
  const others = names.filter((name) => !isGapId(name));
  return { checks: [givenCheck, ...(others.length === 0 ? [] : selectChecks(others, allSubjects))], gaps };
}

/**
 * Reads what the accounts have from before the run: names, plans, ceilings, who invited whom. Where that differs it says
 * nothing about the deployments.
 */
export const givenCheck: Check = {
  id: "organizations/given",
  title: "What the accounts were given before",
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
  },
};
