import type { Answer } from "../client/client.js";
import { RunError } from "../client/violation.js";

/** Statuses that may indicate a limit or a required payment, rather than a mistake in the request. */
const ofCeilings: readonly number[] = [402, 403, 409, 429];

/**
 * Looks whether another organization was refused as one too many: how many a user may have is not said, and nothing in
 * the interface shows it.
 *
 * @throws RunError when it may have been
 */
export function assertRoomForOrganization({ status, text }: Answer): void {
  if (ofCeilings.includes(status))
    throw new RunError(
      `an organization could not be created, perhaps because the number of organizations per user is limited: ${status} ${text.slice(0, 300)}`,
    );
}
