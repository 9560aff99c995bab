import { planTerms, planTypes } from "../../openapi/clauses/limits.js";

/**
 * Returns how many databases or members an organization may have: the lower of the limits from its plan and its settings.
 * A setting may use any integer for "no limit" that is not a limit itself, so zero and negative numbers mean "no limit".
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
