import { bytesPerGigabyte, planTerms, unlimitedCount } from "../../openapi/clauses/limits.js";
import type { Role } from "../../openapi/schemas/roles.js";
import { getNextChangeTime } from "../billing/billing-period.js";
import {
  changeSubscriptionStatus,
  findSubscription,
  getPlanLimits,
  setCancelAtPeriodEnd,
} from "../billing/subscription.js";
import { Problem } from "../domain/problem.js";
import { rejectTakenSlug } from "../handlers/organizations.js";
import type { JsonValue } from "../json/json-value.js";
import {
  getPersonalOrganizationName,
  insertOrganization,
  toPersonalSlug,
} from "../organizations/insert-organization.js";
import { enforceMemberLimit } from "../organizations/members.js";
import { findUnusedSlug, toSlug } from "../organizations/slug.js";
import type { OrderRow } from "../store/orders.js";
import type { MemberRow, OrganizationRow } from "../store/organizations.js";
import type { Store } from "../store/store.js";
import { normalizeEmail, type UserRow } from "../store/users.js";
import { type MemberElement, type OrganizationElement, writeElement } from "./seed-element.js";
import { toIdSuffix } from "./seed-names.js";
import type { SeedContext } from "./seed-context.js";

/** @param user the user, for a personal organization */
function getDefaults(
  { organizationId, name, createdAt }: Pick<OrganizationRow, "organizationId" | "name" | "createdAt">,
  owner: UserRow | undefined,
  user: UserRow | undefined,
) {
  return {
    name: user === undefined ? "" : getPersonalOrganizationName(user.name),
    slug: user === undefined ? toSlug(name) : toPersonalSlug(organizationId),
    billingEmail: (user ?? owner)?.email ?? "",
    plan: "free",
    status: "active",
    aboveCeilings: false,
    updatedAt: createdAt,
  } as const;
}

function getDefaultRole({ invite }: { readonly invite?: string }, index: number): Role {
  return index === 0 && invite === undefined ? "owner" : "member";
}

/**
 * Creates an organization with its subscription and members. Until its contents have been created, it is active, and has
 * no limits if it is allowed to exceed them.
 *
 * @param user the user, for a personal organization
 * @returns the final row; undefined if there is a mistake
 */
export function applyOrganization(
  service: SeedContext,
  given: OrganizationElement,
  defaultCreatedAt: number,
  user?: UserRow,
): OrganizationRow | undefined {
  const { store, names } = service;
  const { pointer, createdAt = user?.createdAt ?? defaultCreatedAt } = given;
  const organizationId =
    user?.personalOrganizationId ??
    given.id ??
    names.generate("organization", `org_${toIdSuffix(given.name ?? "")}`);
  names.organizations.add(
    organizationId,
    ...(user === undefined && given.name !== undefined ? [given.name] : []),
  );
  const owner = given.owner === undefined ? undefined : names.users.find(given.owner, `${pointer}/owner`);
  const members = resolveMembers(service, given, user?.userId ?? owner ?? names.users.ids[0]);
  const ownerUserId = members && chooseOwner(service, given, members, owner ?? user?.userId);
  if (members === undefined || ownerUserId === undefined) return undefined;
  const row = service.try(pointer, () => {
    const defaults = getDefaults(
      { organizationId, name: given.name ?? "", createdAt },
      store.users.byId(ownerUserId),
      user,
    );
    const { name, billingEmail, plan } = { ...defaults, ...given };
    service.request("createOrganization", {}, { name, slug: given.slug, billingEmail });
    if (given.slug !== undefined) rejectTakenSlug(store, given.slug);
    const { ids } = service.world({ at: createdAt });
    const nextSuffix = () => ids.next("slug", 6).replace("slug_", "");
    insertOrganization(store, {
      organizationId,
      name,
      slug: given.slug ?? findUnusedSlug(defaults.slug, store.organizations.hasSlug, nextSuffix),
      plan,
      ownerUserId,
      billingEmail,
      isPersonal: user !== undefined,
      now: createdAt,
    });
    return applySubscription(service, given, organizationId, createdAt);
  });
  if (row === undefined) return undefined;
  const limits = given.aboveCeilings === true ? unlimited : {};
  store.organizations.update({ ...row, status: "active", ...limits });
  const added = members.map((member) => service.try(member.pointer, () => addMember(service, row, member)));
  return added.includes(undefined) ? undefined : row;
}

const unlimited = {
  maxDatabases: unlimitedCount,
  maxApiKeys: unlimitedCount,
  maxMembers: unlimitedCount,
  plan: "enterprise",
  allowedRegions: null,
} as const;

type ResolvedMember = MemberElement & { readonly userId: string | null; readonly role: Role };

/** @returns undefined if there is a mistake */
function resolveMembers(
  { names, mistakes }: SeedContext,
  { pointer, members }: OrganizationElement,
  defaultMember: string | undefined,
): readonly ResolvedMember[] | undefined {
  const given: readonly MemberElement[] =
    members ?? (defaultMember === undefined ? [] : [{ user: defaultMember, pointer }]);
  const found = given.map((member, index): ResolvedMember | undefined => {
    const { user, invite, role = getDefaultRole(member, index) } = member;
    if ((user === undefined) === (invite === undefined)) {
      mistakes.add(member.pointer, "must have either user or invite");
      return undefined;
    }
    const userId = user === undefined ? null : names.users.find(user, `${member.pointer}/user`);
    return userId === undefined ? undefined : { ...member, userId, role };
  });
  return found.every((member) => member !== undefined) ? found : undefined;
}

/**
 * Returns the id of the user who is shown as the owner; undefined if there is a mistake.
 *
 * @param preferred the owner in the seed; otherwise the user of a personal organization
 */
function chooseOwner(
  { names, mistakes }: SeedContext,
  { pointer, owner }: OrganizationElement,
  members: readonly ResolvedMember[],
  preferred: string | undefined,
): string | undefined {
  const owners = members.filter(({ role }) => role === "owner").map(({ userId }) => userId);
  const [first] = owners.filter((userId) => userId !== null);
  if (preferred !== undefined && owners.includes(preferred)) return preferred;
  if (owner !== undefined) {
    if (preferred !== undefined)
      mistakes.add(`${pointer}/owner`, "must also be in members, with the role owner");
    return undefined;
  }
  if (first !== undefined) return first;
  const advice =
    names.users.ids.length === 0 ? "add a user to the seed file" : "give one of its users the role owner";
  mistakes.add(pointer, `has no owner: ${advice}`);
  return undefined;
}

/** Adds a member or an invitation, by the rules of invitations. */
function addMember(
  service: SeedContext,
  { organizationId, createdAt, ownerUserId }: OrganizationRow,
  { pointer, userId, invite = "", role, ...given }: ResolvedMember,
): true {
  const { organizations, users } = service.store;
  const isInvited = userId === null;
  const address = isInvited ? invite : users.byId(userId)?.email;
  const { body } = service.request("inviteMember", { organizationId }, { email: address, role });
  const email = normalizeEmail(body.email);
  if (organizations.memberOfEmail(organizationId, email) !== undefined)
    throw new Problem("conflict", `${email} is already a member or has already been invited.`);
  enforceMemberLimit(organizationId, service.world({ at: createdAt }));
  const { invitedBy = isInvited ? ownerUserId : undefined } = given;
  organizations.insertMember({
    organizationId,
    userId,
    email,
    role,
    status: isInvited ? "pending" : "active",
    joinedAt: isInvited ? null : (given.joinedAt ?? createdAt),
    invitedAt: given.invitedAt ?? (isInvited ? createdAt : null),
    invitedBy: (invitedBy && service.names.users.find(invitedBy, `${pointer}/invitedBy`)) ?? null,
  });
  return true;
}

/**
 * Applies the subscription's status by the rules of billing, and then the ids and times in the seed.
 *
 * @returns the row of the organization with the plan, its limits, and the settings in the seed
 */
function applySubscription(
  { store, now, mistakes }: SeedContext,
  { subscription = {}, orders, settings, status = "active", updatedAt }: OrganizationElement,
  organizationId: string,
  createdAt: number,
): OrganizationRow {
  let row = findSubscription(store, organizationId);
  row = changeSubscriptionStatus(store, row, subscription.status ?? "active", createdAt);
  if (subscription.cancelAtPeriodEnd === true) row = setCancelAtPeriodEnd(store, row, true, createdAt);
  row = {
    ...row,
    subscriptionId: subscription.id ?? row.subscriptionId,
    anchor: subscription.startedAt ?? row.anchor,
    trialStart: subscription.trialStart ?? row.trialStart,
    trialEnd: subscription.trialEnd ?? row.trialEnd,
    trialUsed: subscription.trialUsed ?? row.trialUsed,
  };
  // The seed contains all orders up to now; later ones are derived from the subscription.
  store.subscriptions.put({ ...row, dueAt: getNextChangeTime(row, orders === undefined ? row.anchor : now) });
  if (orders !== undefined) store.orders.removeAllOf(organizationId);
  const numbers = new Set<number>();
  for (const order of orders ?? []) {
    if (numbers.has(order.number)) {
      mistakes.add(`${order.pointer}/number`, `another order already has the number ${order.number}`);
      continue;
    }
    numbers.add(order.number);
    const orderId = `order_${organizationId.replace(/^org_/, "")}_${order.number}`;
    store.orders.insert({ ...order, orderId, organizationId });
  }
  const organization = store.organizations.byId(organizationId);
  if (organization === undefined) throw new Error("a newly created organization has no row");
  return { ...organization, ...settings, status, updatedAt: updatedAt ?? createdAt };
}

/**
 * Describes an organization that is not deleted, as in a seed.
 *
 * @param context the default id and time of creation; the default member; the user of a personal organization
 */
export function describeOrganization(
  store: Store,
  row: OrganizationRow,
  context: {
    readonly id?: string;
    readonly createdAt: number;
    readonly member: string;
    readonly user?: UserRow;
  },
): JsonValue | undefined {
  const { organizationId, name, slug, billingEmail, ownerUserId, status, createdAt, updatedAt } = row;
  const { id = `org_${toIdSuffix(name)}`, member, user } = context;
  const owners = store.organizations.ownersOf(organizationId).map(({ userId }) => userId);
  const { plan } = findSubscription(store, organizationId);
  const subscription = describeSubscription(store, row);
  const amount = planTerms[plan].monthlyPriceCents;
  return writeElement(
    {
      name,
      id: organizationId,
      slug,
      billingEmail,
      owner: ownerUserId,
      createdAt,
      updatedAt,
      plan,
      status,
      members: store.organizations
        .membersOf(organizationId)
        .map((one, index) => describeMember(store, row, one, index)),
      settings: describeSettings(row),
      aboveCeilings: isAboveCeilings(store, row),
      subscription,
      orders: store.orders.all(organizationId).toReversed().map(describeOrder),
    },
    {
      ...getDefaults(row, store.users.byId(ownerUserId), user),
      id,
      createdAt: context.createdAt,
      owner: owners.find((owner) => owner === user?.userId) ?? owners[0],
      members: [member],
      orders:
        subscription === undefined
          ? [describeOrder({ number: 1, amount, status: "paid", createdAt })]
          : undefined,
    },
    user === undefined ? "name" : "id",
  );
}

function describeMember(
  store: Store,
  { createdAt, ownerUserId }: OrganizationRow,
  { userId, email, role, joinedAt, invitedAt, invitedBy }: MemberRow,
  index: number,
): JsonValue | undefined {
  const member = userId === null ? { invite: email } : { user: userId };
  const inviter = invitedBy === null ? undefined : store.users.byId(invitedBy);
  const defaults =
    userId === null ? { invitedAt: createdAt, invitedBy: ownerUserId } : { joinedAt: createdAt };
  return writeElement(
    { ...member, role, joinedAt, invitedAt, invitedBy: inviter?.userId },
    { ...defaults, role: getDefaultRole(member, index) },
    "user",
  );
}

function describeSettings(row: OrganizationRow): JsonValue | undefined {
  const { maxDatabases, maxApiKeys, maxMembers, allowedRegions, requireMfa, ssoEnabled } = row;
  return writeElement(
    { maxDatabases, maxApiKeys, maxMembers, allowedRegions, requireMfa, ssoEnabled },
    { ...getPlanLimits(row.plan), requireMfa: false, ssoEnabled: false },
  );
}

function describeSubscription(
  store: Store,
  { organizationId, createdAt }: OrganizationRow,
): JsonValue | undefined {
  const row = findSubscription(store, organizationId);
  const { subscriptionId: id, status, cancelAtPeriodEnd, anchor, trialStart, trialEnd, trialUsed } = row;
  return writeElement(
    { id, status, cancelAtPeriodEnd, startedAt: anchor, trialStart, trialEnd, trialUsed },
    {
      id: `sub_${organizationId.replace(/^org_/, "")}`,
      status: "active",
      cancelAtPeriodEnd: false,
      startedAt: createdAt,
      trialUsed: false,
    },
  );
}

function describeOrder({ number, amount, status, createdAt }: Omit<OrderRow, "orderId" | "organizationId">) {
  return writeElement({ number, amount, status, createdAt });
}

/** Whether an organization exceeds its limits, which is possible after a change of its plan or settings. */
function isAboveCeilings(store: Store, row: OrganizationRow): boolean {
  const { organizationId, plan, maxDatabases, maxApiKeys, maxMembers, allowedRegions } = row;
  const { limits } = planTerms[plan];
  const databases = store.databases.allOf(organizationId);
  const storage = (limits?.maxStorageGb ?? Infinity) * bytesPerGigabyte;
  return (
    databases.length > Math.min(maxDatabases, limits?.maxDatabases ?? Infinity) ||
    store.credentials.countApiKeys(organizationId) > maxApiKeys ||
    store.organizations.countMembers(organizationId) >
      Math.min(maxMembers, limits?.maxTeamMembers ?? Infinity) ||
    store.databases.storageBytes(organizationId) > storage ||
    databases.some(({ region }) => allowedRegions?.includes(region) === false)
  );
}
