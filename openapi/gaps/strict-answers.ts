import type { Profile } from "./profile.js";

/**
 * The answers that help most to find mistakes of a client: what the contract does not know is refused, not ignored.
 * A name that was misspelt fails its test.
 */
export const strictAnswers = {
  "unknown-request-members": "reject",
} as const satisfies Partial<Profile>;
