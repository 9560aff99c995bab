import { getBytesPerGigabyte, planTerms } from "../../openapi/clauses/limits.js";
import { defaultProfile } from "../../openapi/gaps/profile.js";
import { getPlanLimits } from "../billing/plan-limits.js";
import { findSubscription } from "../billing/subscription.js";
import type { JsonValue } from "../json/json-value.js";
import { getPersonalOrganizationName } from "../organizations/insert-organization.js";
import { toPersonalSlug } from "../organizations/insert-organization.js";
import { toSlug } from "../organizations/slug.js";
import type { MemberRow, OrganizationRow } from "../store/organizations.js";
import type { Store } from "../store/store.js";
import type { UserRow } from "../store/users.js";
import { formatTimestamp } from "../time/timestamp.js";
import {
  toSeedObject,
  toSeedObjectUnlessEmpty,
  omitEmptyList,
  type OptionalMembers,
  type SeedReferenceResolver,
  formatTimeUnlessDefault,
  omitDefault,
} from "./to-seed-object.js";
import { toIdSuffix } from "./seed-defaults.js";

/** Describes an organization that is not personal, as in a seed. */
export function describeOrganization(
  store: Store,
  row: OrganizationRow,
  {
    names,
    firstUser,
    usual,
  }: { readonly names: SeedReferenceResolver; readonly firstUser: string; readonly usual: number },
): JsonValue {
  const { name, organizationId, slug, billingEmail, createdAt } = row;
  const [owner] = store.organizations.ownersOf(organizationId);
  return toSeedObject({
    name,
    id: omitDefault(`org_${toIdSuffix(name)}`, organizationId),
    slug: omitDefault(toSlug(name), slug),
    billingEmail: omitDefault(owner?.email, billingEmail),
    owner: owner?.userId === row.ownerUserId ? undefined : names.user(row.ownerUserId),
    createdAt: formatTimeUnlessDefault(usual, createdAt),
    ...describeRest(store, row, { names, usualMember: firstUser, founder: row.ownerUserId }),
  });
}

/** Describes a personal organization: its id, or all fields that differ from the defaults. */
export function describePersonalOrganization(
  store: Store,
  user: UserRow,
  names: SeedReferenceResolver,
  usualId: string,
): JsonValue | undefined {
  const { personalOrganizationId: organizationId, userId, name, email } = user;
  const id = omitDefault(usualId, organizationId);
  const row = store.organizations.byId(organizationId);
  if (row === undefined || row.status === "deleted") return toSeedObject({ id, status: "deleted" });
  const owners = store.organizations.ownersOf(organizationId);
  const { userId: owner } = owners.find((one) => one.userId === userId) ?? owners[0] ?? {};
  const rest: OptionalMembers = {
    name: omitDefault(getPersonalOrganizationName(name), row.name),
    slug: omitDefault(toPersonalSlug(organizationId), row.slug),
    billingEmail: omitDefault(email, row.billingEmail),
    owner: owner === row.ownerUserId ? undefined : names.user(row.ownerUserId),
    createdAt: formatTimeUnlessDefault(user.createdAt, row.createdAt),
    ...describeRest(store, row, { names, usualMember: userId, founder: userId }),
  };
  return toSeedObjectUnlessEmpty(rest) === undefined ? id : toSeedObject({ id, ...rest });
}

interface Around {
  readonly names: SeedReferenceResolver;
  /** The default members. */
  readonly usualMember: string;
  readonly founder: string;
}

function describeRest(store: Store, row: OrganizationRow, around: Around): OptionalMembers {
  const { organizationId, status, createdAt, updatedAt } = row;
  const subscription = findSubscription(store, organizationId);
  return {
    updatedAt: formatTimeUnlessDefault(createdAt, updatedAt),
    plan: omitDefault("free", subscription.plan),
    status: omitDefault("active", status),
    members: describeMembers(store.organizations.membersOf(organizationId), row, around),
    settings: describeSettings(row),
    aboveCeilings: isAboveCeilings(store, row) ? true : undefined,
    ...describeSubscription(store, row),
  };
}

function describeMembers(
  members: readonly MemberRow[],
  { createdAt }: OrganizationRow,
  { names, usualMember, founder }: Around,
): JsonValue | undefined {
  const described = members.map((member, index): JsonValue => {
    const { userId, email, role, joinedAt, invitedAt, invitedBy } = member;
    const user = userId === null ? undefined : names.user(userId);
    const by = invitedBy === null ? undefined : names.user(invitedBy);
    if (userId === null)
      return toSeedObject({
        invite: email,
        role: omitDefault("member", role),
        invitedAt: formatTimeUnlessDefault(createdAt, invitedAt),
        invitedBy: invitedBy === founder ? undefined : by,
      });
    const more: OptionalMembers = {
      role: omitDefault(index === 0 ? "owner" : "member", role),
      joinedAt: formatTimeUnlessDefault(createdAt, joinedAt),
      invitedAt: formatTimeUnlessDefault(null, invitedAt),
      invitedBy: by,
    };
    return toSeedObjectUnlessEmpty(more) === undefined ? (user ?? userId) : toSeedObject({ user, ...more });
  });
  return described.length === 1 && described[0] === names.user(usualMember) ? undefined : described;
}

function describeSettings(row: OrganizationRow): JsonValue | undefined {
  const usual = getPlanLimits(row.plan);
  return toSeedObjectUnlessEmpty({
    maxDatabases: omitDefault(usual.maxDatabases, row.maxDatabases),
    maxApiKeys: omitDefault(usual.maxApiKeys, row.maxApiKeys),
    maxMembers: omitDefault(usual.maxMembers, row.maxMembers),
    allowedRegions: row.allowedRegions ?? undefined,
    requireMfa: omitDefault(false, row.requireMfa),
    ssoEnabled: omitDefault(false, row.ssoEnabled),
  });
}

/** Whether the organization exceeds its ceilings, which is possible after a change of plan or settings. */
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

/** Describes the subscription and its orders, unless they are the initial ones. */
function describeSubscription(store: Store, { organizationId, createdAt }: OrganizationRow): OptionalMembers {
  const row = findSubscription(store, organizationId);
  const subscription = toSeedObjectUnlessEmpty({
    id: omitDefault(`sub_${organizationId.replace(/^org_/, "")}`, row.subscriptionId),
    status: omitDefault("active", row.status),
    cancelAtPeriodEnd: omitDefault(false, row.cancelAtPeriodEnd),
    startedAt: formatTimeUnlessDefault(createdAt, row.anchor),
    trialStart: formatTimeUnlessDefault(null, row.trialStart),
    trialEnd: formatTimeUnlessDefault(null, row.trialEnd),
    trialUsed: omitDefault(false, row.trialUsed),
  });
  const orders = store.orders.all(organizationId).toReversed();
  const [first] = orders;
  const { monthlyPriceCents: price } = planTerms[row.plan];
  const isFirst =
    first?.number === 1 && first.amount === price && first.status === "paid" && first.createdAt === createdAt;
  if (subscription === undefined && isFirst && orders.length === 1) return {};
  const described = orders.map(({ number, amount, status, createdAt: at }) =>
    toSeedObject({ number, amount, status, createdAt: formatTimestamp(at) }),
  );
  return { subscription, orders: omitEmptyList(described) };
}
