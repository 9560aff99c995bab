import { planTerms, planTypes } from "../../openapi/clauses/limits.js";

/**
 * How many databases or members an organization may have: the lower of what plan and settings say. A setting that
 * stands for "no ceiling" may be any integer that is none of a ceiling, so what is not above zero is taken for one.
 */
export function getResourceLimit(
  of: "databases" | "members",
  { plan, settings }: { readonly plan?: unknown; readonly settings?: Readonly<Record<string, unknown>> },
): number {
  const planType = planTypes.find((known) => known === plan);
  const limits = planType === undefined ? null : planTerms[planType].limits;
  const ofPlan = limits?.[of === "databases" ? "maxDatabases" : "maxTeamMembers"] ?? Infinity;
  const ofSettings = settings?.[of === "databases" ? "maxDatabases" : "maxMembers"];
  return typeof ofSettings === "number" && ofSettings > 0 ? Math.min(ofPlan, ofSettings) : ofPlan;
}
