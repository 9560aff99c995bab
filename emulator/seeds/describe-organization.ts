import { getBytesPerGigabyte, planTerms } from "../../openapi/clauses/limits.js";
import { defaultProfile } from "../../openapi/gaps/profile.js";
import { getPlanLimits } from "../billing/plan-limits.js";
import { findSubscription } from "../billing/subscription.js";
import type { JsonValue } from "../json/json-value.js";
import { toSlug } from "../organizations/slug.js";
import type { MemberRow, OrganizationRow } from "../store/organizations.js";
import type { Store } from "../store/store.js";
import type { UserRow } from "../store/users.js";
import { formatTimestamp } from "../time/timestamp.js";
import {
  described,
  describedUnlessUsual,
  listOf,
  type Members,
  type Names,
  timeUnless,
  unless,
} from "./described.js";
import { toIdSuffix } from "./seed-defaults.js";

/** An organization beside the personal ones, as a seed has it. */
export function describeOrganization(
  store: Store,
  row: OrganizationRow,
  { names, firstUser, usual }: { readonly names: Names; readonly firstUser: string; readonly usual: number },
): JsonValue {
  const { name, organizationId, slug, billingEmail, createdAt } = row;
  const [owner] = ownersOf(store, organizationId);
  return described({
    name,
    id: unless(`org_${toIdSuffix(name)}`, organizationId),
    slug: unless(toSlug(name), slug),
    billingEmail: unless(owner?.email, billingEmail),
    owner: owner?.userId === row.ownerUserId ? undefined : names.user(row.ownerUserId),
    createdAt: timeUnless(usual, createdAt),
    ...describeRest(store, row, { names, usualMember: firstUser, founder: row.ownerUserId }),
  });
}

/** What is not as usual with the personal organization of a user: its id alone, or all that differs. */
export function describePersonal(
  store: Store,
  user: UserRow,
  names: Names,
  usualId: string,
): JsonValue | undefined {
  const { personalOrganizationId: organizationId, userId, name, email } = user;
  const id = unless(usualId, organizationId);
  const row = store.organizations.byId(organizationId);
  if (row === undefined || row.status === "deleted") return described({ id, status: "deleted" });
  const isOwner = ownersOf(store, organizationId).some((owner) => owner.userId === userId);
  const owner = isOwner ? userId : ownersOf(store, organizationId)[0]?.userId;
  const rest: Members = {
    name: unless(`Personal organization of ${name}`.slice(0, 100), row.name),
    slug: unless(organizationId.replaceAll("_", "-"), row.slug),
    billingEmail: unless(email, row.billingEmail),
    owner: owner === row.ownerUserId ? undefined : names.user(row.ownerUserId),
    createdAt: timeUnless(user.createdAt, row.createdAt),
    ...describeRest(store, row, { names, usualMember: userId, founder: userId }),
  };
  return describedUnlessUsual(rest) === undefined ? id : described({ id, ...rest });
}

interface Around {
  readonly names: Names;
  /** Who is a member where nobody says who is. */
  readonly usualMember: string;
  readonly founder: string;
}

function describeRest(store: Store, row: OrganizationRow, around: Around): Members {
  const { organizationId, status, createdAt, updatedAt } = row;
  const subscription = findSubscription(store, organizationId);
  return {
    updatedAt: timeUnless(createdAt, updatedAt),
    plan: unless("free", subscription.plan),
    status: unless("active", status),
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
  const told = members.map((member, index): JsonValue => {
    const { userId, email, role, joinedAt, invitedAt, invitedBy } = member;
    const user = userId === null ? undefined : names.user(userId);
    const by = invitedBy === null ? undefined : names.user(invitedBy);
    if (userId === null)
      return described({
        invite: email,
        role: unless("member", role),
        invitedAt: timeUnless(createdAt, invitedAt),
        invitedBy: invitedBy === founder ? undefined : by,
      });
    const more: Members = {
      role: unless(index === 0 ? "owner" : "member", role),
      joinedAt: timeUnless(createdAt, joinedAt),
      invitedAt: timeUnless(null, invitedAt),
      invitedBy: by,
    };
    return describedUnlessUsual(more) === undefined ? (user ?? userId) : described({ user, ...more });
  });
  return told.length === 1 && told[0] === names.user(usualMember) ? undefined : told;
}

function describeSettings(row: OrganizationRow): JsonValue | undefined {
  const usual = getPlanLimits(row.plan);
  return describedUnlessUsual({
    maxDatabases: unless(usual.maxDatabases, row.maxDatabases),
    maxApiKeys: unless(usual.maxApiKeys, row.maxApiKeys),
    maxMembers: unless(usual.maxMembers, row.maxMembers),
    allowedRegions: row.allowedRegions ?? undefined,
    requireMfa: unless(false, row.requireMfa),
    ssoEnabled: unless(false, row.ssoEnabled),
  });
}

/** Whether the service would not let it have all that it holds; a change of plan or settings takes nothing away. */
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

/** The subscription and its orders, unless they are what an organization begins with. */
function describeSubscription(store: Store, { organizationId, createdAt }: OrganizationRow): Members {
  const row = findSubscription(store, organizationId);
  const subscription = describedUnlessUsual({
    id: unless(`sub_${organizationId.replace(/^org_/, "")}`, row.subscriptionId),
    status: unless("active", row.status),
    cancelAtPeriodEnd: unless(false, row.cancelAtPeriodEnd),
    startedAt: timeUnless(createdAt, row.anchor),
    trialStart: timeUnless(null, row.trialStart),
    trialEnd: timeUnless(null, row.trialEnd),
    trialUsed: unless(false, row.trialUsed),
  });
  const orders = store.orders.all(organizationId).toReversed();
  const [first] = orders;
  const { monthlyPriceCents: price } = planTerms[row.plan];
  const isFirst =
    first?.number === 1 && first.amount === price && first.status === "paid" && first.createdAt === createdAt;
  if (subscription === undefined && isFirst && orders.length === 1) return {};
  const told = orders.map(({ number, amount, status, createdAt: at }) =>
    described({ number, amount, status, createdAt: formatTimestamp(at) }),
  );
  return { subscription, orders: listOf(told) };
}

function ownersOf(store: Store, organizationId: string): readonly MemberRow[] {
  return store.organizations.ownersOf(organizationId);
}
