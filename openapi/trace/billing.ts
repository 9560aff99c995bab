import type { Statement } from "./statement.js";

/** Part 4.7: subscription, checkout, usage and plans. */
export const billingStatements: readonly Statement[] = [
  { part: "4.7", says: "GET /api/v1/payment takes a JWT", clauses: ["BILL-07"] },
  { part: "4.7", says: "GET /api/v1/payment answers 200 with payment info", clauses: ["BILL-01", "BILL-06"] },
  { part: "4.7", says: "Not said: payment info under the free plan", gaps: ["free-subscription"] },
  { part: "4.7", says: "Checkout requires planType, pro or enterprise", clauses: ["BILL-09"] },
  {
    part: "4.7",
    says: "Checkout answers checkoutId, checkoutUrl, productId, productName",
    clauses: ["BILL-08"],
  },
  { part: "4.7", says: "Not said: a checkout for the plan one has", open: true },
  {
    part: "4.7",
    says: "The user is redirected to checkoutUrl",
    clauses: ["BILL-08"],
    reason: "the redirection is the application's; the page there is no part of the interface",
  },
  { part: "4.7", says: "Portal answers 200 with portalUrl and expiresAt", clauses: ["BILL-11"] },
  {
    part: "4.7",
    says: "Status answers 200 with status, isActive, isTrial, planType, expiresAt",
    clauses: ["BILL-12", "BILL-13", "BILL-14"],
    gaps: ["past-due-active", "free-plan-expiry", "trialing-active"],
  },
  {
    part: "4.7",
    says: "Not said: isActive of a canceled subscription",
    clauses: ["BILL-13"],
    reason: "either passes: what is paid for may last longer; false in the emulator",
  },
  {
    part: "4.7",
    says: "Usage answers databaseCount, totalStorageGb, totalRequests, totalCost in USD",
    clauses: ["BILL-15", "BILL-16"],
  },
  {
    part: "4.7",
    says: "Not said: what totalRequests and totalCost count",
    clauses: ["BILL-15"],
    reason: "any numbers pass; the contract describes those of the emulator",
  },
  {
    part: "4.7",
    says: "Usage answers both periods and generatedAt",
    clauses: ["BILL-15"],
  },
  { part: "4.7", says: "Not said: periodStart and periodEnd beside the billing period", open: true },
  { part: "4.7", says: "Plans take no credential", clauses: ["BILL-24"] },
  { part: "4.7", says: "One operation lists all plans", clauses: ["BILL-18"], gaps: ["plan-list-form"] },
  { part: "4.7", says: "One operation returns a plan by its planId", clauses: ["BILL-19"] },
  { part: "4.7", says: "Not shown: the paths of the plans", gaps: ["plans-route", "plan-route"] },
  {
    part: "4.7",
    says: "Upgrade: a checkout for the plan, then its checkoutUrl",
    clauses: ["BILL-08"],
    gaps: ["checkout-effect"],
  },
  {
    part: "4.7",
    says: "Downgrades and cancellations go through the portal",
    clauses: ["BILL-11", "BILL-27"],
    reason: "what happens on the portal's page is no part of the interface; the link to it is",
  },
  {
    part: "4.7",
    says: "Not said: the answer to a checkout for a lower plan",
    open: true,
  },
];
