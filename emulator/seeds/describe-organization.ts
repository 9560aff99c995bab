import { isDeepStrictEqual } from "node:util";
import { getBytesPerGigabyte, planTerms } from "../../openapi/clauses/limits.js";
import { defaultProfile } from "../../openapi/gaps/profile.js";
import { getPlanLimits, findSubscription } from "../billing/subscription.js";
import type { JsonValue } from "../json/json-value.js";
import { getPersonalOrganizationName, toPersonalSlug } from "../organizations/insert-organization.js";
import { toSlug } from "../organizations/slug.js";
import type { OrganizationRow } from "../store/organizations.js";
import type { Store } from "../store/store.js";
import type { SubscriptionRow } from "../store/subscriptions.js";
import type { UserRow } from "../store/users.js";
import { formatTimestamp } from "../time/timestamp.js";
import {
  toSeedObject,
  toSeedObjectUnlessEmpty,
  omitEmptyList,
  type OptionalFields,
  type SeedReferences,
  describeTimes,
  formatTimeUnlessDefault,
  omitDefault,
} from "./to-seed-object.js";
import { toIdSuffix } from "./seed-defaults.js";

/** Describes an organization that is not personal, as in a seed. */
export function describeOrganization(
  store: Store,
  row: OrganizationRow,
  references: SeedReferences,
  defaults: { readonly createdAt: number; readonly member: string },
): JsonValue {
  const { name, organizationId, slug, billingEmail, ownerUserId } = row;
  const [owner] = store.organizations.ownersOf(organizationId);
  return toSeedObject({
    name,
    id: omitDefault(`org_${toIdSuffix(name)}`, organizationId),
    slug: omitDefault(toSlug(name), slug),
    billingEmail: omitDefault(owner?.email, billingEmail),
    owner: owner?.userId === ownerUserId ? undefined : references.user(ownerUserId),
    ...describeTimes(row, defaults.createdAt),
    ...describeContents(store, row, references, { founder: ownerUserId, member: defaults.member }),
  });
}

/** Describes a personal organization as in a seed: its id, or all fields that differ from the defaults. */
export function describePersonalOrganization(
  store: Store,
  { personalOrganizationId: organizationId, userId, name, email, createdAt }: UserRow,
  references: SeedReferences,
  defaultId: string,
): JsonValue | undefined {
  const id = omitDefault(defaultId, organizationId);
  const row = store.organizations.byId(organizationId);
  if (row === undefined || row.status === "deleted") return toSeedObject({ id, status: "deleted" });
  const owners = store.organizations.ownersOf(organizationId);
  const { userId: owner } = owners.find((one) => one.userId === userId) ?? owners[0] ?? {};
  const fields: OptionalFields = {
    name: omitDefault(getPersonalOrganizationName(name), row.name),
    slug: omitDefault(toPersonalSlug(organizationId), row.slug),
    billingEmail: omitDefault(email, row.billingEmail),
    owner: owner === row.ownerUserId ? undefined : references.user(row.ownerUserId),
    ...describeTimes(row, createdAt),
    ...describeContents(store, row, references, { founder: userId, member: userId }),
  };
  return toSeedObjectUnlessEmpty(fields) === undefined ? id : toSeedObject({ id, ...fields });
}

/** @param defaults the ids of the user who invites members by default, and of the only member by default */
function describeContents(
  store: Store,
  row: OrganizationRow,
  references: SeedReferences,
  defaults: { readonly founder: string; readonly member: string },
): OptionalFields {
  const subscription = findSubscription(store, row.organizationId);
  return {
    plan: omitDefault("free", subscription.plan),
    status: omitDefault("active", row.status),
    members: describeMembers(store, row, references, defaults),
    settings: describeSettings(row),
    aboveCeilings: isAboveCeilings(store, row) ? true : undefined,
    ...describeSubscription(store, row, subscription),
  };
}

function describeMembers(
  { organizations }: Store,
  { organizationId, createdAt }: OrganizationRow,
  references: SeedReferences,
  defaults: { readonly founder: string; readonly member: string },
): JsonValue | undefined {
  const members = organizations.membersOf(organizationId).map((member, index): JsonValue => {
    const { userId, email, role, joinedAt, invitedAt, invitedBy } = member;
    const inviter = invitedBy === null ? undefined : references.user(invitedBy);
    if (userId === null)
      return toSeedObject({
        invite: email,
        role: omitDefault("member", role),
        invitedAt: formatTimeUnlessDefault(createdAt, invitedAt),
        invitedBy: invitedBy === defaults.founder ? undefined : inviter,
      });
    const fields: OptionalFields = {
      role: omitDefault(index === 0 ? "owner" : "member", role),
      joinedAt: formatTimeUnlessDefault(createdAt, joinedAt),
      invitedAt: formatTimeUnlessDefault(null, invitedAt),
      invitedBy: inviter,
    };
    const user = references.user(userId);
    return toSeedObjectUnlessEmpty(fields) === undefined
      ? (user ?? userId)
      : toSeedObject({ user, ...fields });
  });
  return members.length === 1 && members[0] === references.user(defaults.member) ? undefined : members;
}

function describeSettings(row: OrganizationRow): JsonValue | undefined {
  const defaults = getPlanLimits(row.plan);
  return toSeedObjectUnlessEmpty({
    maxDatabases: omitDefault(defaults.maxDatabases, row.maxDatabases),
    maxApiKeys: omitDefault(defaults.maxApiKeys, row.maxApiKeys),
    maxMembers: omitDefault(defaults.maxMembers, row.maxMembers),
    allowedRegions: row.allowedRegions ?? undefined,
    requireMfa: omitDefault(false, row.requireMfa),
    ssoEnabled: omitDefault(false, row.ssoEnabled),
  });
}

/** Whether an organization exceeds its limits, which is possible after a change of its plan or settings. */
function isAboveCeilings(store: Store, row: OrganizationRow): boolean {
  const { organizationId, plan, maxDatabases, maxApiKeys, maxMembers, allowedRegions } = row;
  const { limits } = planTerms[plan];
  const databases = store.databases.allOf(organizationId);
  const storage = (limits?.maxStorageGb ?? Infinity) * getBytesPerGigabyte(defaultProfile["size-unit"]);
  return (
    databases.length > Math.min(maxDatabases, limits?.maxDatabases ?? Infinity) ||
    store.credentials.countApiKeys(organizationId) > maxApiKeys ||
    store.organizations.countMembers(organizationId) >
      Math.min(maxMembers, limits?.maxTeamMembers ?? Infinity) ||
    store.databases.storageBytes(organizationId) > storage ||
    databases.some(({ region }) => allowedRegions?.includes(region) === false)
  );
}

/** Describes a subscription and its orders, unless they are the initial ones. */
function describeSubscription(
  store: Store,
  { organizationId, createdAt }: OrganizationRow,
  row: SubscriptionRow,
): OptionalFields {
  const subscription = toSeedObjectUnlessEmpty({
    id: omitDefault(`sub_${organizationId.replace(/^org_/, "")}`, row.subscriptionId),
    status: omitDefault("active", row.status),
    cancelAtPeriodEnd: omitDefault(false, row.cancelAtPeriodEnd),
    startedAt: formatTimeUnlessDefault(createdAt, row.anchor),
    trialStart: formatTimeUnlessDefault(null, row.trialStart),
    trialEnd: formatTimeUnlessDefault(null, row.trialEnd),
    trialUsed: omitDefault(false, row.trialUsed),
  });
  const orders = store.orders.all(organizationId).map((order) => ({
    number: order.number,
    amount: order.amount,
    status: order.status,
    createdAt: formatTimestamp(order.createdAt),
  }));
  const { monthlyPriceCents: amount } = planTerms[row.plan];
  const initial = [{ number: 1, amount, status: "paid", createdAt: formatTimestamp(createdAt) }];
  if (subscription === undefined && isDeepStrictEqual(orders, initial)) return {};
  return { subscription, orders: omitEmptyList(orders.toReversed().map(toSeedObject)) };
}
