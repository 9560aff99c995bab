import { planTypes } from "../clauses/limits.js";
import { defineSuccess, get, patch, post, put } from "../operations/operation.js";
import { subscriptionStatuses } from "../schemas/billing.js";
import { ref } from "../schemas/ref.js";
import * as schema from "../schemas/schema-builders.js";
import * as control from "./define-control.js";

const returnAddresses = {
  successUrl: "http://localhost:3000/billing/done?checkout={checkoutId}",
  cancelUrl: "http://localhost:3000/billing",
  portalReturnUrl: null,
};

/** Checkout, subscriptions and orders. */
export const billingOperations = control.defineOperations({
  getCheckout: get("/_emulator/checkouts/{checkoutId}", "Get a checkout", {
    successes: [defineSuccess(200, "The checkout.", "CheckoutState")],
    problems: ["checkout-not-found"],
  }),
  completeCheckout: post("/_emulator/checkouts/{checkoutId}/complete", "Complete a checkout", {
    description:
      "Simulates the payment. By default, the purchased plan takes effect immediately. With `after`, it takes effect " +
      "once that much time has passed on the namespace's clock, unless the organization has a higher plan by then. " +
      "An organization's first pro subscription starts with a trial.",
    requestBody: ref("CheckoutCompletion"),
    successes: [
      defineSuccess(
        200,
        "With `after`, the current subscription; otherwise, the new one.",
        "SubscriptionState",
      ),
    ],
    problems: ["checkout-not-found", "checkout-completed", "lower-plan"],
    example: { request: {} },
  }),
  getSubscription: get("/_emulator/subscriptions/{organizationId}", "Get an organization's subscription", {
    successes: [defineSuccess(200, "The subscription.", "SubscriptionState")],
    problems: ["organization-not-found"],
  }),
  changeSubscription: patch(
    "/_emulator/subscriptions/{organizationId}",
    "Change a subscription's plan or status",
    {
      description:
        "Changing the plan starts a new subscription. After a cancellation, a request without `status` can also start one " +
        "with the same plan. Changing the status to `canceled` returns the organization to the free plan immediately. Any " +
        "other status restores the subscription's plan. The status `trialing` also starts a 14-day trial.",
      requestBody: ref("SubscriptionChange"),
      successes: [defineSuccess(200, "The subscription.", "SubscriptionState")],
      problems: ["organization-not-found"],
      example: {
        request: { status: "trialing" },
      },
    },
  ),
  listOrders: get("/_emulator/subscriptions/{organizationId}/orders", "List an organization's charges", {
    successes: [defineSuccess(200, "The orders, newest first.", "OrderList")],
    problems: ["organization-not-found"],
  }),
  getReturnAddresses: get(
    "/_emulator/return-addresses",
    "Get the return addresses for the checkout and portal pages",
    {
      successes: [defineSuccess(200, "The return addresses.", "ReturnAddresses")],
    },
  ),
  setReturnAddresses: put(
    "/_emulator/return-addresses",
    "Set the return addresses for the checkout and portal pages",
    {
      description:
        "The specification defines no return addresses. To clear an address, omit it or set it to null. Without an address, " +
        "the visitor returns to the previous page or, if that page is unknown, stays on the current page and sees the " +
        "result. In an address, `{checkoutId}` is replaced with the id of the checkout. A reset does not change the " +
        "addresses.",
      requestBody: ref("ReturnAddressesChange"),
      successes: [defineSuccess(200, "The return addresses.", "ReturnAddresses")],
      example: { request: returnAddresses },
    },
  ),
});

const returnAddress = {
  type: ["string", "null"] as ("string" | "null")[],
  pattern: "^https?://[^\\s/?#]+",
  maxLength: 2048,
};

/** The schemas of requests and responses. */
export const billingSchemas: schema.SchemaGroup = () => ({
  CheckoutState: control.object({
    checkoutId: schema.identifier("Id of the checkout."),
    organizationId: schema.identifier("Id of the organization that buys the plan."),
    plan: { type: "string", enum: ["pro", "enterprise"] },
    amount: { type: "integer", description: "Monthly price in cents." },
    trialDays: {
      type: "integer",
      description: "Length of the trial in days; 0 if the organization has already had a trial.",
    },
    createdAt: control.timestamp,
    completesAt: schema.nullable({
      ...control.timestamp,
      description:
        "Time at which the paid plan will take effect; null before payment and once the plan is in effect.",
    }),
    completedAt: schema.nullable(control.timestamp),
  }),
  CheckoutCompletion: control.object({
    "after?": {
      type: "string",
      description:
        "Duration until the plan takes effect, such as `10m` or `PT10M` (ISO 8601). By default, it takes effect immediately.",
    },
  }),
  SubscriptionChange: control.object(
    {
      "plan?": { type: "string", enum: [...planTypes] },
      "status?": { type: "string", enum: [...subscriptionStatuses] },
      "cancelAtPeriodEnd?": { type: "boolean" },
    },
    { minProperties: 1 },
  ),
  SubscriptionState: control.object({
    organizationId: schema.identifier("Id of the organization."),
    subscriptionId: schema.identifier("Id of the subscription."),
    plan: { type: "string", enum: [...planTypes] },
    status: { type: "string", enum: [...subscriptionStatuses] },
    currentPeriodStart: control.timestamp,
    currentPeriodEnd: control.timestamp,
    trialStart: schema.nullable(control.timestamp),
    trialEnd: schema.nullable(control.timestamp),
    cancelAtPeriodEnd: { type: "boolean" },
    upcomingPlans: control.array(
      "UpcomingPlan",
      "Plans that are paid but not in effect yet, earliest first.",
    ),
  }),
  UpcomingPlan: control.object({
    plan: { type: "string", enum: ["pro", "enterprise"] },
    startsAt: { ...control.timestamp, description: "Time at which the plan takes effect." },
  }),
  Order: control.object(
    {
      orderId: schema.identifier("Id of the order."),
      organizationId: schema.identifier("Id of the organization that was charged."),
      amount: { type: "integer", description: "Amount in cents." },
      currency: { type: "string" },
      status: { type: "string", enum: ["paid", "pending", "failed"] },
      invoiceNumber: { type: "string", description: "Invoice number." },
      createdAt: { ...control.timestamp, description: "Creation time." },
    },
    { description: "A charge to the organization." },
  ),
  OrderList: control.object({ orders: control.array("Order") }),
  ReturnAddresses: control.object({
    successUrl: {
      type: ["string", "null"],
      description: "Address that the checkout page sends the user back to after payment.",
    },
    cancelUrl: {
      type: ["string", "null"],
      description: "Address that the checkout page sends the user back to after cancellation.",
    },
    portalReturnUrl: {
      type: ["string", "null"],
      description: "Address that the portal page sends the user back to.",
    },
  }),
  ReturnAddressesChange: control.object({
    "successUrl?": returnAddress,
    "cancelUrl?": returnAddress,
    "portalReturnUrl?": returnAddress,
  }),
});
