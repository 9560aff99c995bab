import type { Answer } from "../client/client.js";
import { RunError } from "../client/violation.js";

/** Statuses that tell of a ceiling, or of what has to be paid for, rather than of a mistake in the request. */
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
      `an organization could not be created, perhaps because the number per user is limited: ${status} ${text.slice(0, 300)}`,
    );
}
