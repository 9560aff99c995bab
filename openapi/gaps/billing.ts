import { defineGaps } from "./gap.js";

/** Questions about subscriptions, usage and the plan catalog. */
export const billingGaps = defineGaps({
  "plans-route": {
    part: "4.7",
    question: "What are method and path of the list of plans?",
    choices: ["/api/v1/plans", "/api/v1/payment/plans", "/plans"],
    route: { methods: ["GET", "POST"], parameters: [] },
    samples: ["GET /catalog/all-plans"],
    observable: "yes",
    note: "The paths without a method are for GET.",
  },
  "plan-route": {
    part: "4.7",
    question: "What are method and path of a single plan?",
    choices: ["below the list"],
    route: { methods: ["GET", "POST"], parameters: ["planId"] },
    samples: ["GET /catalog/plan/{planId}"],
    observable: "yes",
    note: "`below the list`: the route of the list with `/{planId}` behind it.",
  },
  "payment-credential": {
    part: "5",
    question: "Which credential do checkout, portal, status and usage take?",
    choices: ["jwt", "jwt-or-api-key"],
    observable: "yes",
    note: "`jwt-or-api-key`: a key needs the scope `*`. Payment info needs a JWT in any case.",
  },
  "free-subscription": {
    part: "4.7",
    question: "What does payment info answer for an organization of the free plan?",
    choices: ["zero-amount", 404],
    observable: "yes",
    note: "`zero-amount`: 200 with an active subscription of the free plan that costs nothing, or the canceled one that it had.",
  },
  "free-plan-expiry": {
    part: "4.7",
    question: "What is expiresAt of the subscription status under the free plan?",
    choices: ["null", "period-end"],
    observable: "yes",
    note: "Under the other plans it is the end of the current period, which is that of the trial while it lasts.",
  },
  "past-due-active": {
    part: "4.7",
    question: "Is isActive true in the grace period of a past_due subscription?",
    choices: ["yes", "no"],
    observable: "partly",
    note: "It is true for active and trialing, and false for canceled and incomplete.",
  },
  "checkout-current-plan": {
    part: "4.7",
    question: "What happens to a checkout for the plan that the organization has?",
    choices: ["allow", "reject"],
    observable: "partly",
    note: "`reject` answers with `conflict-status`.",
  },
  "usage-period": {
    part: "4.7",
    question: "What are periodStart and periodEnd of the usage figures?",
    choices: ["billing-period", "to-date"],
    observable: "yes",
    note: "`to-date`: from the start of the billing period to generatedAt.",
  },
  "monthly-requests": {
    part: "8",
    question: "What happens to requests beyond the plan's maxRequestsPerMonth?",
    choices: ["not-enforced", 429],
    observable: "partly",
    note: "429 refuses data operations (items, entities, SQL) until the billing period ends.",
  },
});
