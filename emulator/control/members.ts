import { refuseAboveMemberLimit } from "../organizations/member-limit.js";
import { updateOwner } from "../organizations/ownership.js";
import { invalidBodyProblem, Problem } from "../domain/problem.js";
import { normalizeEmail } from "../store/users.js";
import type { ControlHandler } from "./control-types.js";
import { findChangeableOrganization } from "./organizations.js";
import { insertUser } from "./users.js";

/** POST /_emulator/invitations/accept: what the link in an invitation would do. */
export const acceptInvitation: ControlHandler<"acceptInvitation"> = ({ body }, { world }) => {
  const { store, clock } = world;
  const { organizationId } = findChangeableOrganization(body.organizationId, world);
  const email = normalizeEmail(body.email, world.profile);
  const member = store.organizations.memberOfEmail(organizationId, email);
  if (member?.status !== "pending")
    throw new Problem("member-not-found", `The organization has no pending invitation for ${email}.`);
  if (world.profile["pending-members-count"] === "not-counted") refuseAboveMemberLimit(organizationId, world);
  let user = store.users.byEmail(email);
  if (user === undefined) {
    const { password, name } = body;
    if (password === undefined)
      throw invalidBodyProblem("/password", `is required: ${email} is no user yet, and becomes one with it`);
    user = insertUser(world, { email, password, ...(name === undefined ? {} : { name }) });
  }
  store.organizations.activate(member, user.userId, clock.now());
  updateOwner(store, organizationId, clock.now());
  return { organizationId, userId: user.userId, role: member.role };
};
