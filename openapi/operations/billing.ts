import { type ClauseId, getClauseRange } from "../clauses/register.js";
import { type Access, defineOperationGroup, defineSuccess, get, post } from "./operation.js";
import { ref } from "../schemas/ref.js";
import { allRoles } from "../schemas/roles.js";

const prefix = "/api/v1/payment";

const keyScope = { gap: "payment-credential", byAnswer: { "jwt-or-api-key": "*" } } as const;
const readers = {
  gap: "billing-readers",
  byAnswer: { members: allRoles, "owner-and-admin": ["owner", "admin"], owner: ["owner"] },
} as const;
const managers = {
  gap: "billing-managers",
  byAnswer: { owner: ["owner"], "owner-and-member": ["owner", "member"] },
} as const;
const readAccess: Access = { kind: "protected", roles: readers, roleIn: "token", scope: keyScope };
const writeAccess: Access = { kind: "protected", roles: managers, roleIn: "token", scope: keyScope };
const accessClauses: readonly ClauseId[] = [
  ...getClauseRange("AUTH-15", "AUTH-17"),
  "GEN-02",
  "GEN-05",
  "GEN-08",
];

const start = "2030-01-01T00:00:00.000Z";
const end = "2030-01-15T00:00:00.000Z";
const payment = {
  organizationId: "org_demo_pro",
  subscriptionId: "sub_3v7n",
  status: "trialing",
  planName: "Pro",
  amount: 2900,
  currency: "USD",
  currentPeriodStart: start,
  currentPeriodEnd: end,
  trialStart: start,
  trialEnd: end,
  cancelAtPeriodEnd: false,
  product: {
    id: "prod_pro",
    name: "Pro",
    description: "For teams in production.",
    recurringInterval: "month",
    prices: [
      { id: "price_pro_month", amount: 2900, currency: "USD", type: "recurring", recurringInterval: "month" },
      { id: "price_pro_year", amount: 29000, currency: "USD", type: "recurring", recurringInterval: "year" },
    ],
    benefits: [{ id: "benefit_databases", type: "limit", description: "10 databases" }],
  },
  latestOrder: {
    id: "order_6c1x",
    status: "paid",
    paid: true,
    amount: 0,
    currency: "USD",
    invoiceNumber: "INV-000001",
    invoicePdfUrl: "http://127.0.0.1:4100/_emulator/console/invoices/INV-000001.pdf",
    createdAt: start,
  },
};

/** Subscription, checkout, portal and usage (part 4.7). */
export const billingOperations = defineOperationGroup({ tag: "Billing", clauses: accessClauses })({
  getPaymentInfo: get(prefix, "Get the organization's subscription", {
    description:
      "Returns the period, the trial, the product and the latest order, with amounts in cents. An organization on the free plan " +
      "has a subscription with the amount 0 (gap `free-subscription`).",
    access: { kind: "protected", roles: readers, roleIn: "token" },
    successes: [defineSuccess(200, "The subscription.", "PaymentInfo", { gap: "free-subscription" })],
    problems: ["subscription-not-found"],
    clauses: ["BILL-01", ...getClauseRange("BILL-02", "BILL-07"), "BILL-25", "GEN-01"],
    example: { response: payment },
  }),
  createCheckout: post(`${prefix}/checkout`, "Start a checkout for a plan", {
    description:
      "Send the user to `checkoutUrl`. The plan changes only when the user completes the checkout there (gap " +
      "`checkout-effect`).",
    access: writeAccess,
    requestBody: ref("CreateCheckoutRequest"),
    successes: [defineSuccess(200, "The checkout.", "Checkout")],
    problems: ["lower-plan"],
    clauses: ["BILL-08", "BILL-09", "BILL-17", "BILL-27", "GEN-06"],
    example: {
      request: { planType: "pro" },
      response: {
        checkoutId: "checkout_1b5z",
        checkoutUrl: "http://127.0.0.1:4100/_emulator/console/checkout/checkout_1b5z",
        productId: payment.product.id,
        productName: payment.product.name,
      },
    },
  }),
  getPaymentPortal: get(`${prefix}/portal`, "Get a link to the billing portal", {
    description:
      "Send the user to `portalUrl` before `expiresAt`. Downgrades and cancellations are possible only in the portal.",
    access: writeAccess,
    successes: [defineSuccess(200, "The link to the portal.", "PaymentPortal")],
    clauses: ["BILL-11", "BILL-17", "GEN-01"],
    example: {
      response: {
        portalUrl: "http://127.0.0.1:4100/_emulator/console/portal/org_demo_pro",
        expiresAt: "2030-01-01T01:00:00.000Z",
      },
    },
  }),
  getPaymentStatus: get(`${prefix}/status`, "Check the subscription's status", {
    description:
      "Returns whether the organization can currently use its plan, whether the subscription is a trial, and when the paid period ends.",
    access: readAccess,
    successes: [defineSuccess(200, "The subscription's status.", "PaymentStatus")],
    clauses: ["BILL-12", "BILL-04", "BILL-13", "BILL-14", "GEN-01"],
    example: {
      response: { status: "trialing", isActive: true, isTrial: true, planType: "pro", expiresAt: end },
    },
  }),
  getUsage: get(`${prefix}/usage`, "Get the organization's usage figures", {
    description:
      "Returns the organization's storage use, its number of requests in the current billing period, and the cost in " +
      "US dollars.",
    access: readAccess,
    successes: [defineSuccess(200, "The usage figures.", "Usage")],
    clauses: ["BILL-15", "BILL-16", "GEN-01"],
    example: {
      response: {
        databaseCount: 1,
        totalStorageGb: 0.000012,
        totalRequests: 42,
        totalCost: 0,
        billingPeriodStart: start,
        billingPeriodEnd: end,
        periodStart: start,
        periodEnd: end,
        generatedAt: "2030-01-01T00:00:42.000Z",
      },
    },
  }),
});
