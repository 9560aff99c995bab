import { withComparisonKind } from "./compare-kinds.js";
import type { SchemaObject } from "openapi3-ts/oas31";
import { planTypes } from "../clauses/limits.js";
import { ref } from "./ref.js";
import * as schema from "./schema-builders.js";

/** The states of part 3. */
export const subscriptionStatuses = ["active", "trialing", "past_due", "canceled", "incomplete"] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

/** The plans that a checkout can lead to (part 4.7). */
export const checkoutPlanTypes = ["pro", "enterprise"] as const;
export type CheckoutPlanType = (typeof checkoutPlanTypes)[number];

const currency = schema.text("equal", "ISO 4217 code.");
const amount: SchemaObject = withComparisonKind("equal", {
  type: "integer",
  description: "Amount in minor units (cents).",
});
const productId = (description: string) => withComparisonKind("present", schema.identifier(description));
const urlSchema = (description: string) => schema.text("opaque", description, { format: "uri" });

/** Subscriptions, checkout, portal and usage (parts 2, 3 and 4.7). */
export const billingSchemas: schema.SchemaGroup = (builder) => {
  // a one-time price has no interval
  const interval = schema.text("equal", "`month` or `year`.");
  const recurringInterval = builder.isStrict ? interval : schema.nullable(interval);
  return {
    PaymentInfo: builder.response("An organization's subscription.", {
      organizationId: schema.identifier("Id of the organization."),
      subscriptionId: schema.identifier("Id of the subscription."),
      status: schema.choice(
        "equal",
        subscriptionStatuses,
        "`active`: active and paid. `trialing`: in the free trial. `past_due`: a payment failed, and the grace period has not ended. " +
          "`canceled`: ended. `incomplete`: the setup is not complete.",
      ),
      planName: schema.text("equal", "Name of the plan."),
      amount,
      currency,
      currentPeriodStart: builder.timestamp("Start of the paid period."),
      currentPeriodEnd: builder.timestamp("End of the paid period."),
      trialStart: schema.nullable(builder.timestamp("Null if there is no trial.")),
      trialEnd: schema.nullable(builder.timestamp("Null if there is no trial.")),
      cancelAtPeriodEnd: schema.flag("Whether the subscription will end at the end of the period."),
      product: ref("Product"),
      latestOrder: ref("Order"),
    }),
    Product: builder.response("The product of a subscription.", {
      id: productId("Id of the product."),
      name: schema.text("equal", "Name."),
      description: schema.text("present", "Description of the product."),
      recurringInterval,
      prices: schema.array("unordered", "Price", "Prices of the product."),
      benefits: schema.array("unordered", "Benefit", "Benefits of the product."),
    }),
    Price: builder.response("A price of a product.", {
      id: schema.identifier("Id of the price."),
      amount,
      currency,
      type: schema.text("equal", "Type of the price, such as `recurring`."),
      recurringInterval,
    }),
    Benefit: builder.response("A benefit of a product.", {
      id: schema.identifier("Id of the benefit."),
      type: schema.text("equal", "Kind of benefit."),
      description: schema.text("present", "Description of the benefit."),
    }),
    Order: builder.response("A charge to the organization.", {
      id: schema.identifier("Id of the order."),
      status: schema.text("equal", "Status of the order, such as `paid`."),
      paid: schema.flag("Whether the order was paid."),
      amount,
      currency,
      // the specification does not show its type
      invoiceNumber: withComparisonKind("opaque", {
        ...(builder.isStrict ? { type: "string" } : {}),
        description: "Invoice number.",
      }),
      invoicePdfUrl: urlSchema("URL for downloading the invoice."),
      createdAt: builder.timestamp("Creation time."),
    }),
    CreateCheckoutRequest: builder.request("The plan to subscribe to.", {
      planType: { type: "string", enum: [...checkoutPlanTypes], description: "Type of plan to buy." },
    }),
    Checkout: builder.response("A checkout session. Send the user to `checkoutUrl`.", {
      checkoutId: schema.identifier("Id of the checkout."),
      checkoutUrl: urlSchema("Address to send the user to."),
      productId: productId("Id of the product being bought."),
      productName: schema.text("equal", "Name of the product."),
    }),
    PaymentPortal: builder.response("A link to the billing portal.", {
      portalUrl: urlSchema("Address at which the user can change or cancel the subscription."),
      expiresAt: builder.timestamp("Time at which the link expires."),
    }),
    PaymentStatus: builder.response("Status of an organization's subscription.", {
      status: schema.choice(
        "equal",
        subscriptionStatuses,
        "Status of the subscription, as in the payment info.",
      ),
      isActive: schema.flag("Whether the organization can currently use the plan."),
      isTrial: schema.flag("Whether the subscription is in its free trial."),
      planType: schema.choice("equal", planTypes, "Type of the plan."),
      expiresAt: schema.nullable(builder.timestamp("End of the paid period.")),
    }),
    Usage: builder.response("An organization's usage.", {
      databaseCount: schema.count("lagging", "Number of databases."),
      totalStorageGb: withComparisonKind("lagging", {
        type: "number",
        minimum: 0,
        description: "Storage used by all databases, in GB.",
      }),
      totalRequests: schema.count(
        "lagging",
        "Number of requests made in the period with credentials for the organization.",
        { format: "int64" },
      ),
      totalCost: withComparisonKind("lagging", {
        type: "number",
        // there may be a credit
        ...(builder.isStrict ? { minimum: 0 } : {}),
        description: "Cost for the period, in US dollars.",
      }),
      billingPeriodStart: builder.timestamp("Start of the billing period."),
      billingPeriodEnd: builder.timestamp("End of the billing period."),
      periodStart: builder.timestamp("Start of the period that the figures cover."),
      periodEnd: builder.timestamp("End of the period that the figures cover."),
      generatedAt: builder.timestamp("Time at which the figures were computed."),
    }),
  };
};
