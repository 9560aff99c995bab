import { unlimitedCount } from "../../openapi/clauses/limits.js";
import { defaultProfile } from "../../openapi/gaps/profile.js";
import { getNextChangeTime } from "../billing/billing-period.js";
import { getPlanLimits } from "../billing/plan-limits.js";
import {
  changeSubscriptionStatus,
  setCancelAtPeriodEnd,
  startSubscription,
  findSubscription,
} from "../billing/subscription.js";
import { addOrganization, rejectTakenSlug } from "../handlers/organizations.js";
import { clearOrganization } from "../store/clear-organization.js";
import type { OrganizationRow } from "../store/organizations.js";
import { normalizeEmail } from "../store/users.js";
import type { CompleteOrganization } from "./complete-seed.js";
import { type SeedService, toRequestBody } from "./seed-service.js";

/** Creates an organization as its founder, who invites the others. A personal one already exists. */
export function createSeedOrganization(service: SeedService, organization: CompleteOrganization): boolean {
  const { pointer, isPersonal, founder, members, hasOwnMembers } = organization;
  // a founder who has left counts as a member while the others are invited
  const aboveCeilings = organization.aboveCeilings || members.every(({ userId }) => userId !== founder);
  const isMade = service.try(pointer, () => {
    if (isPersonal) changePersonal(service, organization);
    else found(service, organization);
    if (aboveCeilings) liftCeilings(service, organization);
    else applySettings(service, organization);
  });
  const hasOthers = !isPersonal || hasOwnMembers;
  return isMade && (!hasOthers || applyMembers(service, organization));
}

/** Applies what would have prevented the other steps: the status, the subscription, and a smaller plan. */
export function finalizeSeedOrganization(
  service: SeedService,
  organization: CompleteOrganization,
  now: number,
): void {
  const { store } = service;
  const { id, ownerUserId, status, updatedAt } = organization;
  finishSubscription(service, organization, now);
  applySettings(service, organization);
  if (status === "deleted") clearOrganization(store, id);
  store.organizations.update({ ...rowOf(service, organization), ownerUserId, status, updatedAt });
}

function found(service: SeedService, organization: CompleteOrganization): void {
  const { id, name = "", slug, billingEmail, plan, createdAt: at } = organization;
  const { body } = service.request("createOrganization", {}, toRequestBody({ name, slug, billingEmail }));
  addOrganization(body, plan, service.context({ at, by: toFounderCaller(organization), ids: { org: id } }));
}

/** The founder, who may do everything in the organization. */
export function toFounderCaller({ id, founder }: CompleteOrganization) {
  return { kind: "user", userId: founder, organizationId: id, role: "owner" } as const;
}

/** Applies the fields of a personal organization that the seed gives. */
function changePersonal(service: SeedService, organization: CompleteOrganization): void {
  const row = rowOf(service, organization);
  const { name = row.name, slug = row.slug, billingEmail = row.billingEmail, createdAt } = organization;
  if (slug !== row.slug) rejectTakenSlug(service.store, slug);
  service.store.organizations.update({ ...row, name, slug, billingEmail, createdAt, updatedAt: createdAt });
  beginPersonalSubscription(service, organization, row.createdAt);
}

/** Lifts all ceilings until the organization is complete. */
function liftCeilings(service: SeedService, organization: CompleteOrganization): void {
  const ceilings = { maxDatabases: unlimitedCount, maxApiKeys: unlimitedCount, maxMembers: unlimitedCount };
  const row = rowOf(service, organization);
  service.store.organizations.update({ ...row, ...ceilings, plan: "enterprise", allowedRegions: null });
}

/** Applies the plan with its ceilings, and then the settings. */
function applySettings(service: SeedService, organization: CompleteOrganization): void {
  const { subscription, settings } = organization;
  const plan = subscription.status === "canceled" ? "free" : organization.plan;
  const row = rowOf(service, organization);
  service.store.organizations.update({ ...row, plan, ...getPlanLimits(plan), ...settings });
}

function rowOf({ store }: SeedService, { id }: CompleteOrganization): OrganizationRow {
  const row = store.organizations.byId(id);
  if (row === undefined) throw new Error("a newly created organization has no row");
  return row;
}

/**
 * Invites all other members as the founder, so that the service can refuse them, and records who accepted.
 *
 * @returns whether all of them became members
 */
function applyMembers(service: SeedService, organization: CompleteOrganization): boolean {
  const { id: organizationId, founder, members, createdAt } = organization;
  const by = toFounderCaller(organization);
  const invited = members
    .filter(({ userId }) => userId !== founder)
    .map(({ pointer, email, role, invitedAt }) =>
      service.try(pointer, () => {
        const making = { by, at: invitedAt ?? createdAt };
        service.call("inviteMember", { organizationId }, toRequestBody({ email, role }), making);
      }),
    );
  const { organizations } = service.store;
  const founding = members.filter(({ userId }) => userId === founder);
  for (const { pointer, email } of founding.slice(1))
    service.mistakes.add(pointer, `${email} is already a member`);
  organizations.removeMembersOf(organizationId);
  const rows = new Map(members.map((member) => [normalizeEmail(member.email, defaultProfile), member]));
  for (const [email, { userId, role, joinedAt, invitedAt, invitedBy }] of rows) {
    const status = userId === null ? "pending" : "active";
    const times = { joinedAt, invitedAt };
    organizations.insertMember({ organizationId, userId, email, role, status, ...times, invitedBy });
  }
  return founding.length < 2 && invited.every((isMember) => isMember);
}

/** Restarts the subscription of a personal organization if it differs from the one created with the user. */
function beginPersonalSubscription(
  { store }: SeedService,
  { id: organizationId, plan, createdAt }: CompleteOrganization,
  madeAt: number,
): void {
  if (plan === "free" && createdAt === madeAt) return;
  const { subscriptionId } = findSubscription(store, organizationId);
  store.orders.removeAllOf(organizationId);
  store.subscriptions.remove(organizationId);
  startSubscription(store, { organizationId, subscriptionId, plan, trial: false, now: createdAt });
}

/** Brings the subscription to the state in the seed: first by the rules of billing, then with the times of the seed. */
function finishSubscription(
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
  // the given orders cover everything up to now; later ones are derived from the subscription
  store.subscriptions.put({ ...row, dueAt: getNextChangeTime(row, orders === undefined ? row.anchor : now) });
  if (orders === undefined) return;
  store.orders.removeAllOf(organizationId);
  for (const order of orders) {
    const orderId = `order_${organizationId.replace(/^org_/, "")}_${order.number}`;
    store.orders.insert({ ...order, orderId, organizationId });
  }
}
