import { defineClauses } from "./clause.js";

/** Parts 2, 3, 4.7 and 8: subscriptions, usage and the plan catalog. */
export const billingClauses = defineClauses({
  "2": {
    "BILL-01":
      "Payment info has organizationId, subscriptionId, status, planName, amount, currency, the current period, the trial, cancelAtPeriodEnd, product and latestOrder.",
    "BILL-02": "product has id, name, description, recurringInterval, prices and benefits.",
    "BILL-03":
      "latestOrder has id, status, paid, amount, currency, invoiceNumber, invoicePdfUrl and createdAt.",
    "BILL-05": "Amounts are whole numbers of minor currency units.",
    "BILL-20":
      "A plan has planId, name, planType, description, a monthly and a yearly price, currency, trialDays, isActive, sortOrder, features and limits.",
  },
  "3": {
    "BILL-04": "A subscription's status is one of active, trialing, past_due, canceled and incomplete.",
  },
  "4.7": {
    "BILL-06": "Payment info is that of the organization for which the access token was issued.",
    "BILL-08":
      "A checkout for pro or enterprise returns 200 with checkoutId, checkoutUrl, productId and productName.",
    "BILL-09": "A checkout without planType, or for a plan other than pro or enterprise, is rejected.",
    "BILL-11": "A request for the billing portal returns 200 with portalUrl and expiresAt.",
    "BILL-12":
      "A request for the payment status returns 200 with status, isActive, isTrial, planType and expiresAt.",
    "BILL-13":
      "isTrial is true for the status trialing and false for active; isActive is true for the status active and false for incomplete.",
    "BILL-14":
      "The payment status has a planType; for an active or trialing subscription, this is the subscription's plan type.",
    "BILL-15":
      "A request for usage figures returns 200 with databaseCount, totalStorageGb, totalRequests, totalCost, the start and end of two periods, and generatedAt.",
    "BILL-16": "databaseCount is the number of databases in the organization.",
    "BILL-18": "There is an operation that lists all plans.",
    "BILL-19": "There is an operation that returns a single plan by its planId.",
    "BILL-27": "A checkout for a plan lower than the current one does not change the plan.",
  },
  "5": {
    "BILL-07": "Payment info requires a JWT and rejects API keys.",
    "BILL-24": "The plan catalog can be read without a credential.",
  },
  "4.6": {
    "BILL-17": "An owner can manage billing; users with the role admin or readonly cannot change it.",
  },
  "8": {
    "BILL-21":
      "The free plan has a price of 0, no trial, and limits of 3 databases, 0.1 GB of storage, 10,000 requests a month and 1 team member.",
    "BILL-22":
      "The pro plan has limits of 10 databases, 10 GB of storage, 1,000,000 requests a month and 10 team members, a trial of 14 days, and prices of 2,900 cents a month and 29,000 cents a year.",
    "BILL-23": "The enterprise plan has no trial, its limits are null, and its listed prices are 0.",
    "BILL-25": "The trial of the pro plan lasts 14 days.",
    "BILL-26": "An organization can make as many requests per month as its plan allows.",
  },
});
