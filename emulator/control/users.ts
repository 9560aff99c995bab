import { hashPassword } from "../access/password.js";
import { Problem } from "../domain/problem.js";
import { countOwners, updateOwner } from "../organizations/ownership.js";
import { emptyOrganization } from "../store/empty-organization.js";
import { insertPersonalOrganization } from "../organizations/insert-organization.js";
import { normalizeEmail, type UserRow } from "../store/users.js";
import { formatTimestamp } from "../time/timestamp.js";
import type { World } from "../world/world.js";
import type { ControlHandler } from "./control-types.js";

/** GET /_emulator/users. */
export const listUsers: ControlHandler<"listUsers"> = (_request, { world: { store } }) => ({
  users: store.users
    .all()
    .map(({ userId, email, name, emailVerified, mfaRequired, personalOrganizationId, createdAt }) => ({
      userId,
      email,
      name,
      emailVerified,
      mfaRequired,
      personalOrganizationId,
      createdAt: formatTimestamp(createdAt),
    })),
});

/** POST /_emulator/users: what a signup would do. */
export const createUser: ControlHandler<"createUser"> = ({ body }, { world }) => {
  const { userId, personalOrganizationId } = addUser(world, body);
  return { userId, personalOrganizationId };
};

/** Adds a user with their personal organization. @throws a problem `conflict` if the address is taken */
export function addUser(world: World, given: NewUser): UserRow {
  const email = normalizeEmail(given.email, world.profile);
  if (world.store.users.byEmail(email) !== undefined)
    throw new Problem("conflict", `There is a user with the e-mail address ${email} already.`);
  return insertUser(world, { ...given, email });
}

/** Adds a user whose address is already normalized and free. */
export function insertUser({ store, ids, clock }: World, given: NewUser): UserRow {
  const { email, password, emailVerified = true, mfaRequired = false } = given;
  const userId = ids.next("user");
  const now = clock.now();
  const user: UserRow = {
    userId,
    email,
    name: given.name ?? email.split("@")[0] ?? email,
    avatarUrl: null,
    passwordHash: given.passwordHash ?? hashPassword(userId, password),
    emailVerified,
    mfaRequired,
    personalOrganizationId: ids.next("org"),
    createdAt: now,
  };
  store.users.insert(user);
  if (given.passwordHash === undefined) store.passwords.write(userId, password);
  insertPersonalOrganization(store, user.personalOrganizationId, user, now);
  return user;
}

interface NewUser {
  readonly email: string;
  readonly password: string;
  /** Stands in for an unknown password. */
  readonly passwordHash?: string;
  readonly name?: string;
  readonly emailVerified?: boolean;
  readonly mfaRequired?: boolean;
}

/**
 * DELETE /_emulator/users/{userId}: the user, their memberships, and the organizations that nobody else owns with
 * all in them.
 */
export const deleteUser: ControlHandler<"deleteUser"> = ({ path }, { world: { store, clock } }) => {
  const { userId } = path;
  if (store.users.byId(userId) === undefined)
    throw new Problem("user-not-found", "There is no user of this id in the namespace.");
  const owned = store.organizations.ownedBy(userId);
  store.organizations.removeMembershipsOf(userId);
  for (const organizationId of owned)
    if (countOwners(store, organizationId) > 0) updateOwner(store, organizationId, clock.now());
    else {
      emptyOrganization(store, organizationId);
      store.organizations.remove(organizationId);
    }
  store.credentials.removeRefreshTokensOf(userId);
  store.users.remove(userId);
  store.passwords.remove(userId);
};
