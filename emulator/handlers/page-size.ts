import { limits } from "../../openapi/clauses/limits.js";
import type { Profile } from "../../openapi/gaps/profile.js";

/**
 * The limit that a request asks for. One below 1 gets this far only where it counts as none (gap `page-limit-under`);
 * otherwise validation has refused it.
 */
export function askedFor(limit: number | undefined): number | undefined {
  return limit === undefined || limit < 1 ? undefined : limit;
}

/**
 * The number of entries of a page. A limit above the profile's largest gets this far only where it is clamped
 * (gap `page-limit-over`); otherwise validation has refused it.
 */
export function pageSize(limit: number | undefined, profile: Profile): number {
  return Math.min(askedFor(limit) ?? limits.defaultPageSize, profile["page-limit-max"]);
}
