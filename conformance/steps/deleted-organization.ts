import type { CheckContext } from "../check/context.js";
import { assertRevealsNothing } from "./out-of-reach.js";

/**
 * Asserts that an organization is deleted (ORG-16): former members no longer find it, or find it with the status deleted,
 * because part 3 calls it soft-deleted. This holds for tokens for this organization, while they are valid, and for others.
 */
export async function assertOrganizationDeleted(
  context: CheckContext,
  organizationId: string,
): Promise<void> {
  const path = { organizationId };
  for (const call of [{ path }, { path, as: await context.actor("owner") }]) {
    const answer = await context.call("getOrganization", call);
    if (answer.status === 200) {
      context.assertEqual("ORG-16", answer.body.status, "deleted", "the status of a deleted organization");
      continue;
    }
    context.assertRefused("ORG-16", answer, "the organization is deleted");
    const members = await context.call("listMembers", { ...call, intent: "invalid" });
    assertRevealsNothing(context, "ORG-16", members, "the organization is deleted");
  }
}
