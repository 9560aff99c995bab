import { limits } from "../../openapi/clauses/limits.js";
import type { Profile } from "../../openapi/gaps/profile.js";

/**
 * The number of entries of a page. A limit above the profile's largest gets this far only where it is clamped
 * (gap `page-limit-over`); otherwise validation has refused it.
 */
export function getPageSize(limit: number | string | undefined, profile: Profile): number {
  return Math.min(Number(limit ?? limits.defaultPageSize), profile["page-limit-max"]);
}
