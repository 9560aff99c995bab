import type { Check } from "../check/check.js";
import { usualRequests } from "./usual-requests.js";

/** What a check costs that nobody has counted yet. */
const unknownCost = 60;

/** What setting up and tidying up costs beside the requests of a check. */
const baseCost = 5;

/** The share of a run that a check has, in requests of a run with the usual number of tries. */
export function costOf({ id }: Pick<Check, "id">): number {
  return baseCost + (usualRequests[id] ?? unknownCost);
}
