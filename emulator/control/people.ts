import { hashPassword } from "../access/password.js";
import { Problem, createInvalidBodyProblem } from "../domain/problem.js";
import { reassignOwnerIfNeeded } from "../organizations/members.js";
import { clearOrganization } from "../store/clear-organization.js";
import { insertPersonalOrganization } from "../organizations/insert-organization.js";
import { normalizeEmail, type UserRow } from "../store/users.js";
import { formatTimestamp } from "../time/timestamp.js";
import type { World } from "../world/world.js";
import type { ControlHandlers, ControlRequest } from "./control-types.js";
import { limits } from "../../openapi/clauses/limits.js";
import { findChangeableOrganization } from "./organizations.js";

/** Users, their sessions and their invitations. */
export const peopleHandlers = {
  listUsers: (_request, { world: { store } }) => ({ users: store.users.all().map(describeUser) }),
  /** Does what a signup would do. */
  createUser: ({ body }, { world }) => {
    const user = addUser(world, body);
    insertPersonalOrganization(world.store, user);
    return describeUser(user);
  },
  /** Deletes the user, their memberships, and the organizations that nobody else owns. */
  deleteUser: ({ path }, { world: { store, clock } }) => {
    const { userId } = path;
    const user = store.users.byId(userId);
    if (user === undefined) throw createUserNotFoundProblem(`id ${userId}`);
    // It stays if it has another owner, who may delete it.
    const personal = store.organizations.byId(user.personalOrganizationId);
    if (personal !== undefined) store.organizations.update({ ...personal, isPersonal: false });
    const owned = store.organizations.ownedBy(userId);
    store.organizations.removeMembershipsOf(userId);
    for (const organizationId of owned)
      if (store.organizations.ownersOf(organizationId).length > 0)
        reassignOwnerIfNeeded(store, organizationId, clock.now());
      else {
        clearOrganization(store, organizationId);
        store.organizations.remove(organizationId);
      }
    store.credentials.removeRefreshTokensOf(userId);
    store.users.remove(userId);
    store.passwords.remove(userId);
  },
  /** Does not generate an id, so that sessions do not affect later ids. */
  createSession: ({ body }, { world }) => {
    const { store, clock, tokens } = world;
    const user = findSessionUser(body, world);
    const { organizationId } = findChangeableOrganization(
      body.organizationId ?? user.personalOrganizationId,
      world,
    );
    if (store.organizations.memberOfUser(organizationId, user.userId)?.status !== "active")
      throw new Problem("member-not-found", `The user is not an active member of ${organizationId}.`);
    const now = clock.now();
    // The token contains the time in whole seconds.
    const expiresAt = (Math.floor(now / 1000) + limits.accessTokenSeconds) * 1000;
    return {
      accessToken: tokens.issue("session", user.userId, organizationId, now),
      organizationId,
      expiresAt: formatTimestamp(expiresAt),
    };
  },
  /** Does what the link in an invitation would do. */
  acceptInvitation: ({ body }, { world }) => {
    const { store, clock } = world;
    const { organizationId } = findChangeableOrganization(body.organizationId, world);
    const email = normalizeEmail(body.email);
    const member = store.organizations.memberOfEmail(organizationId, email);
    if (member?.status !== "pending")
      throw new Problem("member-not-found", `The organization has no pending invitation for ${email}.`);
    let user = store.users.byEmail(email);
    if (user === undefined) {
      const { password, name } = body;
      if (password === undefined)
        throw createInvalidBodyProblem(
          "/password",
          `is required, because there is no user ${email} yet; this request creates the user`,
        );
      user = addUser(world, { email, password, ...(name === undefined ? {} : { name }) });
      insertPersonalOrganization(store, user);
    }
    const { userId } = user;
    const now = clock.now();
    store.organizations.updateMember({ ...member, status: "active", userId, joinedAt: now });
    reassignOwnerIfNeeded(store, organizationId, now);
    return { organizationId, userId, role: member.role };
  },
} satisfies Partial<ControlHandlers>;

function describeUser(row: UserRow) {
  const { userId, email, name, emailVerified, mfaRequired, personalOrganizationId } = row;
  const createdAt = formatTimestamp(row.createdAt);
  return { userId, email, name, emailVerified, mfaRequired, personalOrganizationId, createdAt };
}

/** Adds a user without their personal organization. @throws a problem `conflict` if the email address is taken */
export function addUser({ store, ids, clock }: World, given: NewUser): UserRow {
  const { password, emailVerified = true, mfaRequired = false } = given;
  const email = normalizeEmail(given.email);
  if (store.users.byEmail(email) !== undefined)
    throw new Problem("conflict", `There is already a user with the email address ${email}.`);
  const userId = ids.next("user");
  const user: UserRow = {
    userId,
    email,
    name: given.name ?? email.split("@")[0] ?? email,
    avatarUrl: null,
    passwordHash: given.passwordHash ?? hashPassword(userId, password),
    emailVerified,
    mfaRequired,
    personalOrganizationId: ids.next("org"),
    createdAt: clock.now(),
  };
  store.users.insert(user);
  if (given.passwordHash === undefined) store.passwords.write(userId, password);
  return user;
}

/** A user to add, with the hash of the password if the password is unknown. */
type NewUser = ControlRequest<"createUser">["body"] & { readonly passwordHash?: string };

function findSessionUser(
  { userId, email }: ControlRequest<"createSession">["body"],
  { store }: World,
): UserRow {
  if (userId === undefined && email === undefined)
    throw createInvalidBodyProblem("/userId", "is required unless email is given");
  if (userId !== undefined && email !== undefined)
    throw createInvalidBodyProblem("/email", "must not be combined with userId: give only one of the two");
  const user =
    userId === undefined ? store.users.byEmail(normalizeEmail(email ?? "")) : store.users.byId(userId);
  if (user !== undefined) return user;
  throw createUserNotFoundProblem(userId === undefined ? `email address ${email}` : `id ${userId}`);
}

function createUserNotFoundProblem(description: string): Problem {
  return new Problem(
    "user-not-found",
    `There is no user with the ${description}. GET /_emulator/users lists all users.`,
  );
}
