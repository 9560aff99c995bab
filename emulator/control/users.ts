import { hashPassword } from "../access/password.js";
import { Problem } from "../problem.js";
import { insertPersonalOrganization } from "../store/load-fixture.js";
import { normalizeEmail } from "../store/users.js";
import type { ControlHandler } from "./control-handler.js";

/** POST /_emulator/users: what a signup would do. */
export const createUser: ControlHandler<"createUser"> = ({ body }, { world }) => {
  const { store, ids, clock } = world;
  const { password, emailVerified = true, mfaRequired = false } = body;
  const email = normalizeEmail(body.email);
  if (store.users.byEmail(email) !== undefined)
    throw new Problem("conflict", `There is a user with the e-mail address ${email} already.`);
  const userId = ids.next("user");
  const personalOrganizationId = ids.next("org");
  const name = body.name ?? email.slice(0, email.indexOf("@"));
  const now = clock.now();
  store.users.insert({
    userId,
    email,
    name,
    avatarUrl: null,
    passwordHash: hashPassword(userId, password),
    emailVerified,
    mfaRequired,
    personalOrganizationId,
    createdAt: now,
  });
  insertPersonalOrganization(store, personalOrganizationId, { userId, email, name }, now);
  return { status: 201, body: { userId, personalOrganizationId } };
};

/** DELETE /_emulator/users/{userId}: the user, their memberships, and the organizations they own with all in them. */
export const deleteUser: ControlHandler<"deleteUser"> = ({ path }, { world: { store } }) => {
  const { userId } = path;
  if (store.users.byId(userId) === undefined)
    throw new Problem("user-not-found", "There is no user of this id in the namespace.");
  for (const organizationId of store.organizations.ownedBy(userId)) {
    store.databases.removeAllOf(organizationId);
    store.credentials.removeApiKeysOf(organizationId);
    store.organizations.remove(organizationId);
  }
  store.organizations.removeMembershipsOf(userId);
  store.credentials.removeRefreshTokensOf(userId);
  store.users.remove(userId);
  return { status: 204 };
};
