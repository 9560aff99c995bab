import type { SchemaObject } from "openapi3-ts/oas31";
import { planTypes } from "../clauses/limits.js";
import { ref } from "./ref.js";
import {
  answerObject,
  identifier,
  orNull,
  requestObject,
  type SchemaGroup,
  timestamp,
} from "./schema-builders.js";

/** The states of part 3. */
export const subscriptionStatuses = ["active", "trialing", "past_due", "canceled", "incomplete"] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

/** The plans that a checkout can lead to (part 4.7). */
export const checkoutPlanTypes = ["pro", "enterprise"] as const;
export type CheckoutPlanType = (typeof checkoutPlanTypes)[number];

const text: SchemaObject = { type: "string" };
const flag: SchemaObject = { type: "boolean" };
const url: SchemaObject = { type: "string", format: "uri" };
const currency: SchemaObject = { type: "string", description: "ISO 4217 code." };
const amount: SchemaObject = { type: "integer", minimum: 0, description: "In minor units: cents." };
const status: SchemaObject = { type: "string", enum: [...subscriptionStatuses] };

/** Subscriptions, checkout, portal and usage (parts 2, 3 and 4.7). */
export const billingSchemas: SchemaGroup = (face) => ({
  PaymentInfo: answerObject(face, {
    organizationId: identifier("The organization."),
    subscriptionId: identifier("Its subscription."),
    status,
    planName: text,
    amount,
    currency,
    currentPeriodStart: timestamp(face),
    currentPeriodEnd: timestamp(face),
    trialStart: orNull(timestamp(face, "Null without a trial.")),
    trialEnd: orNull(timestamp(face, "Null without a trial.")),
    cancelAtPeriodEnd: { type: "boolean", description: "Whether the subscription ends with the period." },
    product: ref("Product"),
    latestOrder: ref("Order"),
  }),
  Product: answerObject(face, {
    id: identifier("The product."),
    name: text,
    description: text,
    recurringInterval: { type: "string", description: "`month` or `year`." },
    prices: { type: "array", items: ref("Price") },
    benefits: { type: "array", items: ref("Benefit") },
  }),
  Price: answerObject(face, {
    id: identifier("The price."),
    amount,
    currency,
    type: { type: "string", description: "For example `recurring`." },
    recurringInterval: { type: "string", description: "`month` or `year`." },
  }),
  Benefit: answerObject(face, { id: identifier("The benefit."), type: text, description: text }),
  Order: answerObject(face, {
    id: identifier("The order."),
    status: { type: "string", description: "For example `paid`." },
    paid: flag,
    amount,
    currency,
    invoiceNumber: text,
    invoicePdfUrl: url,
    createdAt: timestamp(face),
  }),
  CreateCheckoutRequest: requestObject(face, {
    planType: { type: "string", enum: [...checkoutPlanTypes] },
  }),
  Checkout: answerObject(face, {
    checkoutId: identifier("The checkout."),
    checkoutUrl: { ...url, description: "Where to send the user." },
    productId: identifier("The product that is bought."),
    productName: text,
  }),
  PaymentPortal: answerObject(face, {
    portalUrl: { ...url, description: "Where the user changes or cancels the subscription." },
    expiresAt: timestamp(face, "Until when the link works."),
  }),
  PaymentStatus: answerObject(face, {
    status,
    isActive: {
      ...flag,
      description: "Whether the plan may be used.",
      "x-gap": ["past-due-active", "trialing-active"],
    },
    isTrial: flag,
    planType: { type: "string", enum: [...planTypes] },
    expiresAt: { ...orNull(timestamp(face, "End of what is paid for.")), "x-gap": "free-plan-expiry" },
  }),
  Usage: answerObject(face, {
    databaseCount: { type: "integer", minimum: 0 },
    totalStorageGb: {
      type: "number",
      minimum: 0,
      description: "GB that all databases hold.",
      "x-gap": "gigabyte",
    },
    totalRequests: {
      type: "integer",
      format: "int64",
      minimum: 0,
      description: "Requests with credentials for the organization in the period.",
    },
    totalCost: { type: "number", minimum: 0, description: "US dollars for the period." },
    billingPeriodStart: timestamp(face),
    billingPeriodEnd: timestamp(face),
    periodStart: { ...timestamp(face, "From when the figures count."), "x-gap": "usage-period" },
    periodEnd: { ...timestamp(face, "Until when the figures count."), "x-gap": "usage-period" },
    generatedAt: timestamp(face),
  }),
});
