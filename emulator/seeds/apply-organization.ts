import { unlimitedCount } from "../../openapi/clauses/limits.js";
import { defaultProfile } from "../../openapi/gaps/profile.js";
import { getNextChangeTime } from "../billing/billing-period.js";
import {
  changeSubscriptionStatus,
  getPlanLimits,
  setCancelAtPeriodEnd,
  startSubscription,
  findSubscription,
} from "../billing/subscription.js";
import { addOrganization, rejectTakenSlug } from "../handlers/organizations.js";
import { clearOrganization } from "../store/clear-organization.js";
import type { OrganizationRow } from "../store/organizations.js";
import { normalizeEmail } from "../store/users.js";
import type { CompleteOrganization } from "./complete-seed.js";
import type { SeedService } from "./seed-service.js";

/**
 * Creates an organization as its founder, who invites the other members. A personal organization already exists, because
 * it was created with its user.
 *
 * @returns whether the organization and all its members were created
 */
export function createSeedOrganization(service: SeedService, organization: CompleteOrganization): boolean {
  const { pointer, isPersonal, founder, members, hasOwnMembers } = organization;
  // A founder who has left counts as a member while the others are invited.
  const isUnlimited = organization.aboveCeilings || members.every(({ userId }) => userId !== founder);
  const isCreated = service.try(pointer, () => {
    if (isPersonal) changePersonalOrganization(service, organization);
    else createSharedOrganization(service, organization);
    if (isUnlimited) liftCeilings(service, organization);
    else applySettings(service, organization);
  });
  return isCreated && ((isPersonal && !hasOwnMembers) || applyMembers(service, organization));
}

/** Applies the status, the subscription and a smaller plan, which would have prevented the other steps. */
export function finalizeSeedOrganization(
  service: SeedService,
  organization: CompleteOrganization,
  now: number,
): void {
  const { store } = service;
  const { id, ownerUserId, status, updatedAt } = organization;
  applySubscription(service, organization, now);
  applySettings(service, organization);
  if (status === "deleted") clearOrganization(store, id);
  store.organizations.update({ ...getRow(service, organization), ownerUserId, status, updatedAt });
}

function createSharedOrganization(service: SeedService, organization: CompleteOrganization): void {
  const { id, name = "", slug, billingEmail, plan, createdAt: at } = organization;
  const { body } = service.request("createOrganization", {}, { name, slug, billingEmail });
  addOrganization(body, plan, service.context({ at, by: toFounderCaller(organization), ids: { org: id } }));
}

/** Returns the founder as an owner, who is allowed to do everything in the organization. */
export function toFounderCaller({ id, founder }: CompleteOrganization) {
  return { kind: "user", userId: founder, organizationId: id, role: "owner" } as const;
}

/** Applies the fields that the seed gives for a personal organization. */
function changePersonalOrganization(service: SeedService, organization: CompleteOrganization): void {
  const row = getRow(service, organization);
  const { name = row.name, slug = row.slug, billingEmail = row.billingEmail, createdAt } = organization;
  if (slug !== row.slug) rejectTakenSlug(service.store, slug);
  service.store.organizations.update({ ...row, name, slug, billingEmail, createdAt, updatedAt: createdAt });
  restartPersonalSubscription(service, organization, row.createdAt);
}

/** Removes all limits until the organization is complete. */
function liftCeilings(service: SeedService, organization: CompleteOrganization): void {
  const ceilings = { maxDatabases: unlimitedCount, maxApiKeys: unlimitedCount, maxMembers: unlimitedCount };
  const row = getRow(service, organization);
  service.store.organizations.update({ ...row, ...ceilings, plan: "enterprise", allowedRegions: null });
}

/** Applies the plan with its limits, and then the settings. */
function applySettings(service: SeedService, organization: CompleteOrganization): void {
  const { subscription, settings } = organization;
  const plan = subscription.status === "canceled" ? "free" : organization.plan;
  const row = getRow(service, organization);
  service.store.organizations.update({ ...row, plan, ...getPlanLimits(plan), ...settings });
}

function getRow({ store }: SeedService, { id }: CompleteOrganization): OrganizationRow {
  const row = store.organizations.byId(id);
  if (row === undefined) throw new Error("a newly created organization has no row");
  return row;
}

/**
 * Invites all other members as the founder, so that the service can reject invitations. Then replaces the members with
 * those in the seed.
 *
 * @returns whether no invitation was rejected
 */
function applyMembers(service: SeedService, organization: CompleteOrganization): boolean {
  const { id: organizationId, founder, members, createdAt } = organization;
  const by = toFounderCaller(organization);
  const invited = members
    .filter(({ userId }) => userId !== founder)
    .map(({ pointer, email, role, invitedAt }) =>
      service.try(pointer, () => {
        const creation = { by, at: invitedAt ?? createdAt };
        service.call("inviteMember", { organizationId }, { email, role }, creation);
      }),
    );
  const { organizations } = service.store;
  const [, ...duplicates] = members.filter(({ userId }) => userId === founder);
  for (const { pointer, email } of duplicates) service.mistakes.add(pointer, `${email} is already a member`);
  organizations.removeMembersOf(organizationId);
  const rows = new Map(members.map((member) => [normalizeEmail(member.email, defaultProfile), member]));
  for (const [email, { userId, role, joinedAt, invitedAt, invitedBy: inviter }] of rows) {
    const status = userId === null ? "pending" : "active";
    const invitedBy = inviter ?? (userId === null ? founder : null);
    organizations.insertMember({
      organizationId,
      userId,
      email,
      role,
      status,
      joinedAt,
      invitedAt,
      invitedBy,
    });
  }
  return duplicates.length === 0 && invited.every((isInvited) => isInvited);
}

/** Restarts the subscription of a personal organization if it differs from the one created with the user. */
function restartPersonalSubscription(
  { store }: SeedService,
  { id: organizationId, plan, createdAt }: CompleteOrganization,
  userCreatedAt: number,
): void {
  if (plan === "free" && createdAt === userCreatedAt) return;
  const { subscriptionId } = findSubscription(store, organizationId);
  store.orders.removeAllOf(organizationId);
  store.subscriptions.remove(organizationId);
  startSubscription(store, { organizationId, subscriptionId, plan, trial: false, now: createdAt });
}

/** Applies the subscription's status by the rules of billing, and then the ids and times in the seed. */
function applySubscription(
  { store }: SeedService,
  { id: organizationId, subscription, orders, createdAt }: CompleteOrganization,
  now: number,
): void {
  let row = changeSubscriptionStatus(
    store,
    findSubscription(store, organizationId),
    subscription.status,
    createdAt,
  );
  if (subscription.cancelAtPeriodEnd) row = setCancelAtPeriodEnd(store, row, true, createdAt);
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
  if (orders === undefined) return;
  store.orders.removeAllOf(organizationId);
  for (const order of orders) {
    const orderId = `order_${organizationId.replace(/^org_/, "")}_${order.number}`;
    store.orders.insert({ ...order, orderId, organizationId });
  }
}
