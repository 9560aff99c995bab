import { planTypes } from "../clauses/limits.js";
import { defineSuccess } from "../operations/operation.js";
import { subscriptionStatuses } from "../schemas/billing.js";
import { ref } from "../schemas/ref.js";
import { identifierSchema, nullable, type SchemaGroup } from "../schemas/schema-builders.js";
import {
  defineControlOperations,
  arraySchema,
  objectSchema,
  controlTimestampSchema,
} from "./define-control.js";

const checkout = {
  checkoutId: "checkout_1b5z",
  organizationId: "org_demo_free",
  plan: "pro",
  amount: 2900,
  trialDays: 14,
  createdAt: "2030-01-01T00:00:00.000Z",
  completesAt: null,
  completedAt: null,
};
const order = {
  orderId: "order_demo_pro_1",
  organizationId: "org_demo_pro",
  amount: 2900,
  currency: "usd",
  status: "paid",
  invoiceNumber: "INV-000001",
  createdAt: "2030-01-01T00:00:00.000Z",
};
const subscription = {
  organizationId: "org_demo_pro",
  subscriptionId: "sub_demo_pro",
  plan: "pro",
  status: "trialing",
  currentPeriodStart: "2030-01-01T00:00:00.000Z",
  currentPeriodEnd: "2030-01-15T00:00:00.000Z",
  trialStart: "2030-01-01T00:00:00.000Z",
  trialEnd: "2030-01-15T00:00:00.000Z",
  cancelAtPeriodEnd: false,
};
const returnAddresses = {
  successUrl: "http://localhost:3000/billing/done?checkout={checkoutId}",
  cancelUrl: "http://localhost:3000/billing",
  portalReturnUrl: null,
};

/** What happens around checkout and portal, where the service sends its users to pages. */
export const billingOperations = defineControlOperations({
  getCheckout: {
    summary: "A checkout and what became of it",
    routes: { method: "get", path: "/_emulator/checkouts/{checkoutId}" },
    successes: [defineSuccess(200, "The checkout.", "CheckoutState")],
    problems: ["checkout-not-found"],
    example: { parameters: { checkoutId: "checkout_1b5z" }, response: checkout },
  },
  completeCheckout: {
    summary: "Complete a checkout",
    description:
      "What paying does: the plan of the checkout is in force, at once or, with `after`, when so much time has passed " +
      "by the clock of the namespace. The first pro subscription of an organization begins with its trial.",
    routes: { method: "post", path: "/_emulator/checkouts/{checkoutId}/complete" },
    requestBody: ref("CheckoutCompletion"),
    successes: [
      defineSuccess(
        200,
        "The subscription: the new one, or with `after` the one until then.",
        "SubscriptionState",
      ),
    ],
    problems: ["checkout-not-found", "checkout-completed"],
    example: { parameters: { checkoutId: "checkout_1b5z" }, request: {}, response: subscription },
  },
  getSubscription: {
    summary: "The subscription of an organization",
    routes: { method: "get", path: "/_emulator/subscriptions/{organizationId}" },
    successes: [defineSuccess(200, "The subscription.", "SubscriptionState")],
    problems: ["organization-not-found"],
    example: { parameters: { organizationId: "org_demo_pro" }, response: subscription },
  },
  changeSubscription: {
    summary: "Change plan or status of a subscription",
    description:
      "Another plan begins a new subscription. The status canceled takes the organization back to the free plan at " +
      "once, and any other status gives it its plan again; trialing begins a trial of 14 days.",
    routes: { method: "patch", path: "/_emulator/subscriptions/{organizationId}" },
    requestBody: ref("SubscriptionChange"),
    successes: [defineSuccess(200, "The subscription.", "SubscriptionState")],
    problems: ["organization-not-found"],
    example: {
      parameters: { organizationId: "org_demo_pro" },
      request: { status: "trialing" },
      response: subscription,
    },
  },
  listOrders: {
    summary: "What an organization was charged with",
    routes: { method: "get", path: "/_emulator/subscriptions/{organizationId}/orders" },
    successes: [defineSuccess(200, "The orders, newest first.", "OrderList")],
    problems: ["organization-not-found"],
    example: { parameters: { organizationId: "org_demo_pro" }, response: { orders: [order] } },
  },
  getReturnAddresses: {
    summary: "Where the pages of checkout and portal lead back to",
    routes: { method: "get", path: "/_emulator/return-addresses" },
    successes: [defineSuccess(200, "The addresses.", "ReturnAddresses")],
    example: { response: returnAddresses },
  },
  setReturnAddresses: {
    summary: "Say where the pages of checkout and portal lead back to",
    description:
      "The specification names no return address. Where none is set here (left out, or null), a page leads back to the " +
      "address that the visitor came from, and shows what happened where it knows of none. `{checkoutId}` stands for " +
      "the id of the checkout. The addresses stay after a reset, as the profile does.",
    routes: { method: "put", path: "/_emulator/return-addresses" },
    requestBody: ref("ReturnAddressesChange"),
    successes: [defineSuccess(200, "The addresses.", "ReturnAddresses")],
    example: { request: returnAddresses, response: returnAddresses },
  },
});

const returnAddress = {
  type: ["string", "null"] as ("string" | "null")[],
  pattern: "^https?://[^\\s/?#]+",
  maxLength: 2048,
};

/** What they take and give. */
export const billingSchemas: SchemaGroup = () => ({
  CheckoutState: objectSchema({
    checkoutId: identifierSchema("The checkout."),
    organizationId: identifierSchema("Who buys."),
    plan: { type: "string", enum: ["pro", "enterprise"] },
    amount: { type: "integer", description: "Cents a month." },
    trialDays: { type: "integer", description: "Days before the first charge; 0 where the trial was used." },
    createdAt: controlTimestampSchema,
    completesAt: nullable({
      ...controlTimestampSchema,
      description: "When the plan will be in force, once it is paid.",
    }),
    completedAt: nullable(controlTimestampSchema),
  }),
  CheckoutCompletion: objectSchema({
    "after?": {
      type: "string",
      description: "ISO 8601 duration until the plan is in force: `PT10M`. At once without it.",
    },
  }),
  SubscriptionChange: objectSchema(
    {
      "plan?": { type: "string", enum: [...planTypes] },
      "status?": { type: "string", enum: [...subscriptionStatuses] },
      "cancelAtPeriodEnd?": { type: "boolean" },
    },
    { minProperties: 1 },
  ),
  SubscriptionState: objectSchema({
    organizationId: identifierSchema("The organization."),
    subscriptionId: identifierSchema("Its subscription."),
    plan: { type: "string", enum: [...planTypes] },
    status: { type: "string", enum: [...subscriptionStatuses] },
    currentPeriodStart: controlTimestampSchema,
    currentPeriodEnd: controlTimestampSchema,
    trialStart: nullable(controlTimestampSchema),
    trialEnd: nullable(controlTimestampSchema),
    cancelAtPeriodEnd: { type: "boolean" },
  }),
  Order: objectSchema({
    orderId: identifierSchema("The order."),
    organizationId: identifierSchema("Who was charged."),
    amount: { type: "integer", description: "Cents." },
    currency: { type: "string" },
    status: { type: "string", enum: ["paid", "pending", "failed"] },
    invoiceNumber: { type: "string" },
    createdAt: controlTimestampSchema,
  }),
  OrderList: objectSchema({ orders: arraySchema("Order") }),
  ReturnAddresses: objectSchema({
    successUrl: { type: ["string", "null"], description: "Where a paid checkout leads." },
    cancelUrl: { type: ["string", "null"], description: "Where a checkout that is given up leads." },
    portalReturnUrl: { type: ["string", "null"], description: "Where the portal leads back to." },
  }),
  ReturnAddressesChange: objectSchema({
    "successUrl?": returnAddress,
    "cancelUrl?": returnAddress,
    "portalReturnUrl?": returnAddress,
  }),
});
