import { limits } from "../../openapi/clauses/limits.js";
import { invalidBodyProblem, Problem } from "../domain/problem.js";
import { normalizeEmail, type UserRow } from "../store/users.js";
import { formatTimestamp } from "../time/timestamp.js";
import type { World } from "../world/world.js";
import type { ControlHandler, ControlRequest } from "./control-types.js";
import { findChangeableOrganization } from "./organizations.js";

/** POST /_emulator/sessions. It uses none of the namespace's ids, so later ids do not depend on it. */
export const createSession: ControlHandler<"createSession"> = ({ body }, { world }) => {
  const { store, clock, tokens } = world;
  const user = findSessionUser(body, world);
  const { organizationId } = findChangeableOrganization(
    body.organizationId ?? user.personalOrganizationId,
    world,
  );
  if (store.organizations.memberOfUser(organizationId, user.userId)?.status !== "active")
    throw new Problem("member-not-found", `The user is no active member of ${organizationId}.`);
  const now = clock.now();
  // the token says the time in whole seconds
  const expiresAt = (Math.floor(now / 1000) + limits.accessTokenSeconds) * 1000;
  return {
    accessToken: tokens.issue("session", user.userId, organizationId, now),
    organizationId,
    expiresAt: formatTimestamp(expiresAt),
  };
};

function findSessionUser(
  { userId, email }: ControlRequest<"createSession">["body"],
  { store, profile }: World,
): UserRow {
  if (userId === undefined && email === undefined)
    throw invalidBodyProblem("/userId", "is required, or email in its place");
  if (userId !== undefined && email !== undefined)
    throw invalidBodyProblem("/email", "takes the place of userId");
  const user =
    userId === undefined
      ? store.users.byEmail(normalizeEmail(email ?? "", profile))
      : store.users.byId(userId);
  if (user !== undefined) return user;
  const how = userId === undefined ? "e-mail address" : "id";
  throw new Problem("user-not-found", `There is no user of this ${how}. GET /_emulator/users lists them.`);
}
