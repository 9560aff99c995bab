import type { Statement } from "./statement.js";

/** Part 2: subscriptions and plans. */
export const billingFieldStatements: readonly Statement[] = [
  { part: "2", says: "Subscription: organizationId and subscriptionId, strings", clauses: ["BILL-01"] },
  { part: "2", says: "Subscription: status, one of part 3", clauses: ["BILL-01"] },
  { part: "2", says: "Subscription: planName, a string", clauses: ["BILL-01"] },
  { part: "2", says: "Subscription: amount, in minor units", clauses: ["BILL-01", "BILL-05"] },
  { part: "2", says: "Subscription: currency, a string", clauses: ["BILL-01"] },
  { part: "2", says: "Subscription: currentPeriodStart and currentPeriodEnd", clauses: ["BILL-01"] },
  { part: "2", says: "Subscription: trialStart and trialEnd, or null", clauses: ["BILL-01"] },
  { part: "2", says: "Subscription: cancelAtPeriodEnd, a boolean", clauses: ["BILL-01"] },
  {
    part: "2",
    says: "Product: id, name, description, recurringInterval",
    clauses: ["BILL-01", "BILL-02"],
  },
  {
    part: "2",
    says: "Prices: id, amount, currency, type, recurringInterval",
    clauses: ["BILL-02", "BILL-05"],
  },
  { part: "2", says: "Benefits: id, type, description", clauses: ["BILL-02"] },
  { part: "2", says: "Latest order: id, status, paid, amount, currency", clauses: ["BILL-03", "BILL-05"] },
  { part: "2", says: "Latest order: invoiceNumber, invoicePdfUrl, createdAt", clauses: ["BILL-03"] },

  { part: "2", says: "Plan: planId, name and description, strings", clauses: ["BILL-20"] },
  { part: "2", says: "Plan: planType free, pro or enterprise", clauses: ["BILL-20"] },
  {
    part: "2",
    says: "Plan: monthlyPriceCents and yearlyPriceCents, integers",
    clauses: ["BILL-05", "BILL-20"],
  },
  { part: "2", says: "Plan: currency, a string", clauses: ["BILL-20"] },
  { part: "2", says: "Plan: trialDays and sortOrder, integers", clauses: ["BILL-20"] },
  { part: "2", says: "Plan: isActive, a boolean", clauses: ["BILL-20"] },
  { part: "2", says: "Plan: features of name and included", clauses: ["BILL-20"] },
  {
    part: "2",
    says: "Plan: limits on databases, storage, requests and team members",
    clauses: ["BILL-20", "BILL-21", "BILL-22"],
  },
  { part: "2", says: "Plan: limits null for enterprise", clauses: ["BILL-20", "BILL-23"] },
];
