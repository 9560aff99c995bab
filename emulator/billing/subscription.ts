import {
  emulatorDefinedLimits,
  planTerms,
  type PlanType,
  planTypes,
  unlimitedCount,
} from "../../openapi/clauses/limits.js";
import { Problem } from "../domain/problem.js";
import type { SubscriptionStatus } from "../../openapi/schemas/billing.js";
import type { OrderStatus } from "../store/orders.js";
import type { OrganizationRow } from "../store/organizations.js";
import type { Store } from "../store/store.js";
import type { SubscriptionRow } from "../store/subscriptions.js";
import { getBillingPeriod, getNextChangeTime, countMonths } from "./billing-period.js";

const dayMs = 24 * 60 * 60 * 1000;

/** The length of all trials is that of the pro plan (clause BILL-25). The control plane can start trials of other plans. */
const trialMs = planTerms.pro.trialDays * dayMs;

/** Returns the ceilings in an organization's settings that its plan defines. Part 8 says nothing about API keys. */
export function getPlanLimits(
  plan: PlanType,
): Pick<OrganizationRow, "maxDatabases" | "maxApiKeys" | "maxMembers"> {
  const { limits } = planTerms[plan];
  return {
    maxDatabases: limits?.maxDatabases ?? unlimitedCount,
    maxApiKeys: emulatorDefinedLimits.apiKeys[plan],
    maxMembers: limits?.maxTeamMembers ?? unlimitedCount,
  };
}

/** Returns the plan of an organization if it is higher than another plan (clause BILL-27). */
export function getHigherPlan(store: Store, organizationId: string, plan: PlanType): PlanType | undefined {
  const current = store.organizations.byId(organizationId)?.plan ?? "free";
  return planTypes.indexOf(current) > planTypes.indexOf(plan) ? current : undefined;
}

/** @throws Problem if a checkout would lower the plan of an organization (clause BILL-27) */
export function rejectLowerPlan(store: Store, organizationId: string, plan: PlanType): void {
  const current = getHigherPlan(store, organizationId, plan);
  if (current !== undefined)
    throw new Problem(
      "lower-plan",
      `The organization is on the ${current} plan. To downgrade, use the billing portal.`,
    );
}

/** Returns the subscription of an organization. Every organization has one from its creation to its deletion. */
export function findSubscription(store: Store, organizationId: string): SubscriptionRow {
  const row = store.subscriptions.of(organizationId);
  if (row === undefined) throw new Error(`organization ${organizationId} has no subscription`);
  return row;
}

/**
 * Starts a subscription that replaces the previous one, and applies its plan.
 *
 * @param given.trial whether the organization gets the trial of the plan, if there is one and it has never had a trial
 */
export function startSubscription(
  store: Store,
  given: {
    readonly subscriptionId: string;
    readonly organizationId: string;
    readonly plan: PlanType;
    readonly trial: boolean;
    readonly now: number;
  },
): SubscriptionRow {
  const { organizationId, subscriptionId, plan, now } = given;
  const trialUsed = store.subscriptions.of(organizationId)?.trialUsed ?? false;
  const trial = given.trial && !trialUsed && planTerms[plan].trialDays > 0;
  charge(store, organizationId, trial ? 0 : planTerms[plan].monthlyPriceCents, "paid", now);
  setPlan(store, organizationId, plan, now);
  return put(
    store,
    {
      organizationId,
      subscriptionId,
      plan,
      status: trial ? "trialing" : "active",
      anchor: now,
      trialStart: trial ? now : null,
      trialEnd: trial ? now + trialMs : null,
      trialUsed: trial || trialUsed,
      cancelAtPeriodEnd: false,
    },
    now,
  );
}

/** Changes the status of a subscription, and the plan and the last order accordingly. */
export function changeSubscriptionStatus(
  store: Store,
  row: SubscriptionRow,
  status: SubscriptionStatus,
  now: number,
): SubscriptionRow {
  if (status === row.status) return row;
  const { organizationId, plan } = row;
  if (status === "canceled") {
    setPlan(store, organizationId, "free", now);
    return put(store, { ...endTrial(row, now), status, cancelAtPeriodEnd: false }, now);
  }
  if (row.status === "canceled") setPlan(store, organizationId, plan, now);
  if (status === "trialing") {
    charge(store, organizationId, 0, "paid", now);
    return put(
      store,
      { ...row, status, trialStart: now, trialEnd: now + trialMs, trialUsed: true, anchor: now },
      now,
    );
  }
  const startsPeriod = row.status === "trialing" || row.status === "canceled";
  if (startsPeriod)
    charge(store, organizationId, planTerms[plan].monthlyPriceCents, orderStatuses[status], now);
  else updateLatestOrder(store, organizationId, orderStatuses[status]);
  return put(store, { ...endTrial(row, now), status, anchor: startsPeriod ? now : row.anchor }, now);
}

export function setCancelAtPeriodEnd(
  store: Store,
  row: SubscriptionRow,
  cancelAtPeriodEnd: boolean,
  now: number,
): SubscriptionRow {
  return put(store, { ...row, cancelAtPeriodEnd }, now);
}

/** Applies changes that are due: ends trials, starts periods and applies cancellations. */
export function applyDueSubscriptionChanges(store: Store, now: number): void {
  if (now < store.subscriptions.nextDueAt()) return;
  store.transaction(() => {
    for (const row of store.subscriptions.due(now)) applyDueChange(store, row, now);
  });
}

function applyDueChange(store: Store, row: SubscriptionRow, now: number): void {
  const due = row.dueAt ?? now;
  if (row.cancelAtPeriodEnd) {
    changeSubscriptionStatus(store, row, "canceled", due);
    return;
  }
  const renewed: SubscriptionRow =
    row.status === "trialing" ? { ...row, status: "active", anchor: row.trialEnd ?? due } : row;
  // Missed periods are skipped, but their orders are counted.
  const skipped = countMonths(renewed.anchor, now) - countMonths(renewed.anchor, due);
  const price = planTerms[row.plan].monthlyPriceCents;
  const { start } = getBillingPeriod(renewed, now);
  charge(store, row.organizationId, price, renewed.status === "past_due" ? "failed" : "paid", start, skipped);
  put(store, renewed, now);
}

const orderStatuses = { active: "paid", past_due: "failed", incomplete: "pending" } as const;

function endTrial(row: SubscriptionRow, now: number): SubscriptionRow {
  return row.status === "trialing" && row.trialEnd !== null
    ? { ...row, trialEnd: Math.min(row.trialEnd, now) }
    : row;
}

function put(store: Store, row: Omit<SubscriptionRow, "dueAt">, now: number): SubscriptionRow {
  const scheduled = { ...row, dueAt: getNextChangeTime(row, now) };
  store.subscriptions.put(scheduled);
  store.requestCounts.invalidatePeriod(row.organizationId);
  return scheduled;
}

/** Applies a plan and its ceilings. Existing data is kept even if it exceeds them. */
function setPlan(store: Store, organizationId: string, plan: PlanType, now: number): void {
  const organization = store.organizations.byId(organizationId);
  if (organization === undefined || organization.plan === plan) return;
  store.organizations.update({ ...organization, ...getPlanLimits(plan), plan, updatedAt: now });
}

function charge(
  store: Store,
  organizationId: string,
  amount: number,
  status: OrderStatus,
  now: number,
  skipped = 0,
): void {
  const number = (store.orders.latest(organizationId)?.number ?? 0) + 1 + skipped;
  const orderId = `order_${organizationId.replace(/^org_/, "")}_${number}`;
  store.orders.insert({ orderId, organizationId, number, amount, status, createdAt: now });
}

function updateLatestOrder(store: Store, organizationId: string, status: OrderStatus): void {
  const order = store.orders.latest(organizationId);
  if (order !== undefined) store.orders.put({ ...order, status });
}
