import type { ApiResponse } from "../client/client.js";
import { quoteResponse } from "../client/quote-response.js";
import { RunError } from "../client/violation.js";

/** Statuses that may indicate a limit or a required payment, rather than a mistake in the request. */
const limitStatuses: readonly number[] = [402, 403, 409, 429];

/**
 * Checks whether an organization was refused because the user has too many: the specification does not say how many are
 * allowed, and no operation returns this number.
 *
 * @throws RunError when this may be the reason
 */
export function assertNotAtOrganizationLimit(response: ApiResponse): void {
  if (limitStatuses.includes(response.status))
    throw new RunError(
      `an organization could not be created, perhaps because the number of organizations per user is limited: ${quoteResponse(response)}`,
    );
}
