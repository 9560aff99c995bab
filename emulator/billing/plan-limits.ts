import {
  emulatorDefinedLimits,
  planTerms,
  type PlanType,
  unlimitedCount,
} from "../../openapi/clauses/limits.js";
import type { OrganizationRow } from "../store/organizations.js";

/**
 * The ceilings in an organization's settings that its plan defines; no limit is the largest 32-bit
 * integer. Part 8 says nothing about API keys.
 */
export function getPlanLimits(
  plan: PlanType,
): Pick<OrganizationRow, "maxDatabases" | "maxApiKeys" | "maxMembers"> {
  const { limits } = planTerms[plan];
  return {
    maxDatabases: limits?.maxDatabases ?? unlimitedCount,
    maxApiKeys: emulatorDefinedLimits.apiKeys[plan],
    maxMembers: limits?.maxTeamMembers ?? unlimitedCount,
  };
}
