import { withComparisonKind } from "./compare-kinds.js";
import type { SchemaObject } from "openapi3-ts/oas31";
import type { Strictness } from "../gaps/strictness.js";
import { planTypes } from "../clauses/limits.js";
import { ref } from "./ref.js";
import {
  responseObjectSchema,
  identifierSchema,
  nullable,
  requestObjectSchema,
  type SchemaGroup,
  timestampSchema,
  countSchema,
  arraySchema,
} from "./schema-builders.js";

/** The states of part 3. */
export const subscriptionStatuses = ["active", "trialing", "past_due", "canceled", "incomplete"] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

/** The plans that a checkout can lead to (part 4.7). */
export const checkoutPlanTypes = ["pro", "enterprise"] as const;
export type CheckoutPlanType = (typeof checkoutPlanTypes)[number];

const text: SchemaObject = withComparisonKind("equal", { type: "string" });
const prose: SchemaObject = withComparisonKind("present", { type: "string" });
const flag: SchemaObject = withComparisonKind("equal", { type: "boolean" });
const url: SchemaObject = withComparisonKind("opaque", { type: "string", format: "uri" });
const currency: SchemaObject = withComparisonKind("equal", { type: "string", description: "ISO 4217 code." });
const amount: SchemaObject = withComparisonKind("equal", {
  type: "integer",
  description: "Amount in minor units (cents).",
});
const status: SchemaObject = withComparisonKind("equal", { type: "string", enum: [...subscriptionStatuses] });
const interval: SchemaObject = withComparisonKind("equal", {
  type: "string",
  description: "`month` or `year`.",
});

/** A one-time price has no interval. */
function intervalOf(strictness: Strictness): SchemaObject {
  return strictness.kind === "strict" ? interval : nullable(interval);
}

/** Subscriptions, checkout, portal and usage (parts 2, 3 and 4.7). */
export const billingSchemas: SchemaGroup = (strictness) => ({
  PaymentInfo: responseObjectSchema(strictness, {
    organizationId: identifierSchema("Id of the organization."),
    subscriptionId: identifierSchema("Id of the subscription."),
    status,
    planName: text,
    amount,
    currency,
    currentPeriodStart: timestampSchema(strictness),
    currentPeriodEnd: timestampSchema(strictness),
    trialStart: nullable(timestampSchema(strictness, "Null if there is no trial.")),
    trialEnd: nullable(timestampSchema(strictness, "Null if there is no trial.")),
    cancelAtPeriodEnd: {
      ...flag,
      description: "Whether the subscription will end at the end of the period.",
    },
    product: ref("Product"),
    latestOrder: ref("Order"),
  }),
  Product: responseObjectSchema(strictness, {
    id: withComparisonKind("present", identifierSchema("Id of the product.")),
    name: text,
    description: prose,
    recurringInterval: intervalOf(strictness),
    prices: arraySchema("unordered", "Price"),
    benefits: arraySchema("unordered", "Benefit"),
  }),
  Price: responseObjectSchema(strictness, {
    id: identifierSchema("Id of the price."),
    amount,
    currency,
    type: { ...text, description: "Type of the price, such as `recurring`." },
    recurringInterval: intervalOf(strictness),
  }),
  Benefit: responseObjectSchema(strictness, {
    id: identifierSchema("Id of the benefit."),
    type: text,
    description: prose,
  }),
  Order: responseObjectSchema(strictness, {
    id: identifierSchema("Id of the order."),
    status: { ...text, description: "Status of the order, such as `paid`." },
    paid: flag,
    amount,
    currency,
    // the specification does not show its type
    invoiceNumber: withComparisonKind("opaque", strictness.kind === "strict" ? { type: "string" } : {}),
    invoicePdfUrl: url,
    createdAt: timestampSchema(strictness),
  }),
  CreateCheckoutRequest: requestObjectSchema(strictness, {
    planType: { type: "string", enum: [...checkoutPlanTypes] },
  }),
  Checkout: responseObjectSchema(strictness, {
    checkoutId: identifierSchema("Id of the checkout."),
    checkoutUrl: { ...url, description: "Address to send the user to." },
    productId: withComparisonKind("present", identifierSchema("Id of the product that is bought.")),
    productName: text,
  }),
  PaymentPortal: responseObjectSchema(strictness, {
    portalUrl: { ...url, description: "Address at which the user can change or cancel the subscription." },
    expiresAt: timestampSchema(strictness, "Time at which the link expires."),
  }),
  PaymentStatus: responseObjectSchema(strictness, {
    status,
    isActive: {
      ...flag,
      description: "Whether the plan can be used.",
      "x-gap": ["past-due-active", "trialing-active"],
    },
    isTrial: flag,
    planType: { ...text, enum: [...planTypes] },
    expiresAt: {
      ...nullable(timestampSchema(strictness, "End of the paid period.")),
      "x-gap": "free-plan-expiry",
    },
  }),
  Usage: responseObjectSchema(strictness, {
    databaseCount: countSchema("lagging"),
    totalStorageGb: {
      type: "number",
      "x-compare": "lagging",
      minimum: 0,
      description: "Storage used by all databases, in GB.",
      "x-gap": "size-unit",
    },
    totalRequests: countSchema(
      "lagging",
      "Number of requests in the period that used credentials for the organization.",
      {
        format: "int64",
      },
    ),
    totalCost: withComparisonKind("lagging", {
      type: "number",
      minimum: 0,
      description: "Cost of the period in US dollars.",
    }),
    billingPeriodStart: timestampSchema(strictness),
    billingPeriodEnd: timestampSchema(strictness),
    periodStart: timestampSchema(strictness, "Start of the period that the figures cover."),
    periodEnd: timestampSchema(strictness, "End of the period that the figures cover."),
    generatedAt: timestampSchema(strictness),
  }),
});
