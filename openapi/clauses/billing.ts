import { defineClauses } from "./clause.js";

/** Parts 2, 3, 4.7 and 8: subscriptions, usage and the plan catalog. */
export const billingClauses = defineClauses({
  "BILL-01": {
    part: "2",
    statement:
      "Payment info has organizationId, subscriptionId, status, planName, amount, currency, the current period, the trial, cancelAtPeriodEnd, product and latestOrder.",
  },
  "BILL-02": {
    part: "2",
    statement: "product has id, name, description, recurringInterval, prices and benefits.",
  },
  "BILL-03": {
    part: "2",
    statement:
      "latestOrder has id, status, paid, amount, currency, invoiceNumber, invoicePdfUrl and createdAt.",
  },
  "BILL-04": {
    part: "3",
    statement: "The status of a subscription is one of active, trialing, past_due, canceled and incomplete.",
  },
  "BILL-05": { part: "2", statement: "Amounts are whole numbers of minor currency units." },
  "BILL-06": { part: "4.7", statement: "Payment info is that of the organization the token is for." },
  "BILL-07": { part: "5", statement: "Payment info requires a JWT and refuses API keys." },
  "BILL-08": {
    part: "4.7",
    statement:
      "Checkout for pro or enterprise answers 200 with checkoutId, checkoutUrl, productId and productName.",
  },
  "BILL-09": {
    part: "4.7",
    statement: "A checkout without planType, or for any other plan, is refused.",
  },
  "BILL-11": { part: "4.7", statement: "Portal answers 200 with portalUrl and expiresAt." },
  "BILL-12": {
    part: "4.7",
    statement: "Status answers 200 with status, isActive, isTrial, planType and expiresAt.",
  },
  "BILL-13": {
    part: "4.7",
    statement:
      "isTrial is true while the status is trialing and false while it is active; isActive is true while it is active and false while it is incomplete.",
  },
  "BILL-14": {
    part: "4.7",
    statement:
      "planType of the status is a plan type; of a subscription that is active or trialing it is its plan.",
  },
  "BILL-15": {
    part: "4.7",
    statement:
      "Usage answers 200 with databaseCount, totalStorageGb, totalRequests, totalCost, both periods and generatedAt.",
  },
  "BILL-16": { part: "4.7", statement: "databaseCount is the number of databases of the organization." },
  "BILL-17": {
    part: "4.6",
    statement: "An owner may manage billing; admin and readonly may not change it.",
  },
  "BILL-18": { part: "4.7", statement: "One operation lists all plans." },
  "BILL-19": { part: "4.7", statement: "One operation returns a single plan by its planId." },
  "BILL-20": {
    part: "2",
    statement:
      "A plan has planId, name, planType, description, both prices, currency, trialDays, isActive, sortOrder, features and limits.",
  },
  "BILL-21": {
    part: "8",
    statement:
      "The free plan: 3 databases, 0.1 GB, 10000 requests a month, 1 team member, no trial, price 0.",
  },
  "BILL-22": {
    part: "8",
    statement:
      "The pro plan: 10 databases, 10 GB, 1000000 requests a month, 10 team members, 14 days of trial, 2900 a month, 29000 a year.",
  },
  "BILL-23": {
    part: "8",
    statement: "The enterprise plan: limits null, no trial, listed prices 0.",
  },
  "BILL-24": { part: "5", statement: "The plan catalog needs no credential." },
  "BILL-25": { part: "8", statement: "The trial of the pro plan lasts 14 days." },
  "BILL-26": {
    part: "8",
    statement: "An organization can make as many requests a month as its plan allows.",
  },
  "BILL-27": {
    part: "4.7",
    statement: "A checkout for a lower plan than the organization has does not change its plan.",
  },
});
