import type { CheckContext } from "../check/context.js";

/**
 * Demands that an organization is deleted (ORG-16): who was a member finds nothing there any more, or the status
 * deleted, as part 3 calls it soft-deleted.
 */
export async function demandDeleted(context: CheckContext, organizationId: string): Promise<void> {
  const path = { organizationId };
  const answer = await context.call("getOrganization", { path });
  if (answer.status === 200) {
    context.demandEqual("ORG-16", answer.body.status, "deleted", "the status of a deleted organization");
    return;
  }
  context.demandRefused("ORG-16", answer, "the organization is deleted");
  const members = await context.call("listMembers", { path, intent: "invalid" });
  context.demandRefused("ORG-16", members, "the organization is deleted");
}
