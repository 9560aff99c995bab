import { dueAt } from "../billing/billing-period.js";
import {
  changeStatus,
  setCancelAtPeriodEnd,
  startSubscription,
  subscriptionOf,
} from "../billing/subscription.js";
import type { SubscriptionRow } from "../store/subscriptions.js";
import { timeOf } from "./complete-seed.js";
import type { WholeOrganization } from "./whole-seed.js";
import type { SeedService } from "./seed-service.js";

/** Begins the subscription of a personal organization again, where it is not the one that came with its user. */
export function beginPersonalSubscription(
  { store }: SeedService,
  { given, organizationId, createdAt }: WholeOrganization,
  madeAt: number,
): void {
  const { plan = "free" } = given;
  if (plan === "free" && createdAt === madeAt) return;
  const { subscriptionId } = subscriptionOf(store, organizationId);
  store.orders.removeAllOf(organizationId);
  store.subscriptions.remove(organizationId);
  startSubscription(store, { organizationId, subscriptionId, plan, trial: false, now: createdAt });
}

/** Brings the subscription to where the seed has it, by the rules of billing and then by what it says of times. */
export function finishSubscription(
  { store }: SeedService,
  { given, organizationId, createdAt }: WholeOrganization,
  now: number,
): void {
  const { subscription = {} } = given;
  // a list that is left empty in YAML is null
  const orders = given.orders ?? undefined;
  const { status = "active", cancelAtPeriodEnd = false } = subscription;
  let row = changeStatus(store, subscriptionOf(store, organizationId), status, createdAt);
  if (cancelAtPeriodEnd) row = setCancelAtPeriodEnd(store, row, true, createdAt);
  const told: SubscriptionRow = {
    ...row,
    subscriptionId: subscription.id ?? row.subscriptionId,
    anchor: timeOf(subscription.startedAt) ?? row.anchor,
    trialStart: timeOf(subscription.trialStart) ?? row.trialStart,
    trialEnd: timeOf(subscription.trialEnd) ?? row.trialEnd,
    trialUsed: subscription.trialUsed ?? row.trialUsed,
  };
  // orders that are told are all up to now; others follow from what has passed since
  const counted = orders === undefined ? told.anchor : now;
  store.subscriptions.put({ ...told, dueAt: dueAt(told, counted) });
  if (orders === undefined) return;
  store.orders.removeAllOf(organizationId);
  for (const { number, amount, status: paid, createdAt: at } of orders) {
    const orderId = `order_${organizationId.replace(/^org_/, "")}_${number}`;
    store.orders.insert({
      orderId,
      organizationId,
      number,
      amount,
      status: paid,
      createdAt: timeOf(at) ?? createdAt,
    });
  }
}
