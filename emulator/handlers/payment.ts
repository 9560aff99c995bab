import { bytesPerGigabyte, planTerms } from "../../openapi/clauses/limits.js";
import { getRequestCount } from "../access/count-request.js";
import { getBillingPeriod } from "../billing/billing-period.js";
import { planCurrency, describePlan, describeProduct, formatInvoiceNumber } from "../billing/plan-catalog.js";
import { findSubscription, rejectLowerPlan, startSubscription } from "../billing/subscription.js";
import { Problem } from "../domain/problem.js";
import type { OrderRow } from "../store/orders.js";
import { formatTimestamp, formatTimestampOrNull } from "../time/timestamp.js";
import { getCallerOrganization, getCallerOrganizationId } from "./database-access.js";
import type { HandlerContext, Handler } from "./handler.js";

const hourMs = 60 * 60 * 1000;

/** GET /api/v1/payment. */
export const getPaymentInfo: Handler<"getPaymentInfo"> = (_request, context) => {
  const { organization, subscription, period } = getBilling(context);
  if (organization.plan === "free" && context.profile["free-subscription"] === 404)
    throw new Problem(
      "subscription-not-found",
      "The organization is on the free plan and has no subscription.",
    );
  const { organizationId } = organization;
  const { subscriptionId, status, plan, cancelAtPeriodEnd } = subscription;
  return {
    status: 200,
    body: {
      organizationId,
      subscriptionId,
      status,
      planName: describePlan(plan).name,
      amount: planTerms[plan].monthlyPriceCents,
      currency: planCurrency,
      currentPeriodStart: formatTimestamp(period.start),
      currentPeriodEnd: formatTimestamp(period.end),
      trialStart: formatTimestampOrNull(subscription.trialStart),
      trialEnd: formatTimestampOrNull(subscription.trialEnd),
      cancelAtPeriodEnd,
      product: describeProduct(plan),
      latestOrder: describeOrder(getLatestOrder(organizationId, context), context),
    },
  };
};

/** POST /api/v1/payment/checkout. Whether the plan changes at once is gap `checkout-effect`. */
export const createCheckout: Handler<"createCheckout"> = ({ body }, context) => {
  const { store, ids, now, profile } = context;
  const organizationId = getCallerOrganizationId(context);
  const plan = body.planType;
  rejectLowerPlan(store, organizationId, plan);
  const checkoutId = ids.next("checkout");
  const completesAtOnce = profile["checkout-effect"] === "plan";
  store.orders.putCheckout({
    checkoutId,
    organizationId,
    plan,
    createdAt: now,
    completesAt: null,
    subscriptionId: null,
    completedAt: completesAtOnce ? now : null,
  });
  if (completesAtOnce)
    startSubscription(store, { organizationId, subscriptionId: ids.next("sub"), plan, trial: true, now });
  const { id, name } = describeProduct(plan);
  return {
    status: 200,
    body: {
      checkoutId,
      checkoutUrl: `${getConsoleUrl(context)}/checkout/${checkoutId}`,
      productId: id,
      productName: name,
    },
  };
};

/** GET /api/v1/payment/portal. */
export const getPaymentPortal: Handler<"getPaymentPortal"> = (_request, context) => ({
  status: 200,
  body: {
    portalUrl: `${getConsoleUrl(context)}/portal/${getCallerOrganizationId(context)}`,
    expiresAt: formatTimestamp(context.now + hourMs),
  },
});

/** GET /api/v1/payment/status. */
export const getPaymentStatus: Handler<"getPaymentStatus"> = (_request, context) => {
  const { organization, subscription, period } = getBilling(context);
  const { status } = subscription;
  const planType = organization.plan;
  return {
    status: 200,
    body: {
      status,
      isActive: status === "active" || status === "trialing" || status === "past_due",
      isTrial: status === "trialing",
      planType,
      expiresAt: planType === "free" ? null : formatTimestamp(period.end),
    },
  };
};

/** GET /api/v1/payment/usage. */
export const getUsage: Handler<"getUsage"> = (_request, context) => {
  const { store, now } = context;
  const { organization, period } = getBilling(context);
  const { organizationId } = organization;
  const order = getLatestOrder(organizationId, context);
  const charged = order.createdAt >= period.start ? order.amount : 0;
  const start = formatTimestamp(period.start);
  const end = formatTimestamp(period.end);
  return {
    status: 200,
    body: {
      databaseCount: store.databases.count(organizationId),
      totalStorageGb: store.databases.storageBytes(organizationId) / bytesPerGigabyte,
      totalRequests: getRequestCount(organizationId, context, now).requests,
      totalCost: charged / 100,
      billingPeriodStart: start,
      billingPeriodEnd: end,
      periodStart: start,
      periodEnd: end,
      generatedAt: formatTimestamp(now),
    },
  };
};

function getBilling(context: HandlerContext) {
  const organization = getCallerOrganization(context);
  const subscription = findSubscription(context.store, organization.organizationId);
  return { organization, subscription, period: getBillingPeriod(subscription, context.now) };
}

function getLatestOrder(organizationId: string, { store }: HandlerContext): OrderRow {
  const order = store.orders.latest(organizationId);
  if (order === undefined) throw new Error("a subscription has no order");
  return order;
}

function describeOrder({ orderId, number, amount, status, createdAt }: OrderRow, context: HandlerContext) {
  return {
    id: orderId,
    status,
    paid: status === "paid",
    amount,
    currency: planCurrency,
    invoiceNumber: formatInvoiceNumber(number),
    invoicePdfUrl: `${getConsoleUrl(context)}/invoices/${orderId}.pdf`,
    createdAt: formatTimestamp(createdAt),
  };
}

/** The console has the pages for which the service would use a payment provider. */
function getConsoleUrl({ baseUrl }: HandlerContext): string {
  return `${baseUrl()}/_emulator/console`;
}
