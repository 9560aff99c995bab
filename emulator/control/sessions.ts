import { limits } from "../../openapi/clauses/limits.js";
import { invalidBody, Problem } from "../domain/problem.js";
import { storedEmail, type UserRow } from "../store/users.js";
import { timestamp } from "../time/timestamp.js";
import type { World } from "../world/world.js";
import type { ControlHandler, ControlRequestOf } from "./control-types.js";
import { organizationToChange } from "./organizations.js";

/** POST /_emulator/sessions. It takes no id of the namespace, so that what comes after it is the same with it. */
export const createSession: ControlHandler<"createSession"> = ({ body }, { world }) => {
  const { store, clock, tokens } = world;
  const user = userOf(body, world);
  const { organizationId } = organizationToChange(body.organizationId ?? user.personalOrganizationId, world);
  if (store.organizations.memberOfUser(organizationId, user.userId)?.status !== "active")
    throw new Problem("member-not-found", `The user is no active member of ${organizationId}.`);
  const now = clock.now();
  // the token says the time in whole seconds
  const expiresAt = (Math.floor(now / 1000) + limits.accessTokenSeconds) * 1000;
  return {
    accessToken: tokens.issue("session", user.userId, organizationId, now),
    organizationId,
    expiresAt: timestamp(expiresAt),
  };
};

function userOf(
  { userId, email }: ControlRequestOf<"createSession">["body"],
  { store, profile }: World,
): UserRow {
  if (userId === undefined && email === undefined)
    throw invalidBody("/userId", "is required, or email in its place");
  if (userId !== undefined && email !== undefined) throw invalidBody("/email", "takes the place of userId");
  const user =
    userId === undefined ? store.users.byEmail(storedEmail(email ?? "", profile)) : store.users.byId(userId);
  if (user !== undefined) return user;
  const how = userId === undefined ? "e-mail address" : "id";
  throw new Problem("user-not-found", `There is no user of this ${how}. GET /_emulator/users lists them.`);
}
