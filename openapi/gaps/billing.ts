import { defineGaps } from "./gap.js";

/** Questions about subscriptions, usage and the plan catalog. */
export const billingGaps = defineGaps({
  "plans-route": {
    part: "4.7",
    question: "What are method and path of the list of plans?",
    choices: ["/api/v1/plans", "/api/v1/payment/plans", "/plans"],
    route: { methods: ["GET", "POST"], parameters: [] },
    samples: ["GET /catalog/all-plans"],
    note: "The paths without a method are for GET.",
  },
  "plan-route": {
    part: "4.7",
    question: "What are method and path of a single plan?",
    choices: ["below the list"],
    route: { methods: ["GET", "POST"], parameters: ["planId"] },
    samples: ["GET /catalog/plan/{planId}"],
    note: "`below the list`: the route of the list with `/{planId}` behind it.",
  },
  "plan-list-form": {
    part: "4.7",
    question: "What does the list of plans answer?",
    choices: ["array", "object"],
    note: "`object`: the array is the member `plans` of an object.",
  },
  "billing-readers": {
    part: "4.6",
    question: "Whose access tokens may see payment info, status and usage?",
    choices: ["members", "owner-and-admin", "owner"],
    note: "`members`: those of every role.",
  },
  "billing-managers": {
    part: "4.6",
    question: "Whose access tokens may start a checkout and ask for the portal?",
    choices: ["owner", "owner-and-member"],
    note: "An admin cannot change billing, and readonly changes nothing.",
  },
  "checkout-effect": {
    part: "4.7",
    question: "What does creating a checkout change by itself?",
    choices: ["nothing", "plan"],
    note: "`plan`: the subscription of the new plan begins at once, as if the checkout had been completed.",
  },
  "payment-credential": {
    part: "5",
    question: "Which credential do checkout, portal, status and usage take?",
    choices: ["jwt", "jwt-or-api-key"],
    note: "`jwt-or-api-key`: a key needs the scope `*`. Payment info needs a JWT in any case.",
  },
  "free-subscription": {
    part: "4.7",
    question: "What does payment info answer for an organization of the free plan?",
    choices: ["zero-amount", 404],
    note: "`zero-amount`: 200 with an active subscription of the free plan that costs nothing, or the canceled one that it had.",
  },
  "free-plan-expiry": {
    part: "4.7",
    question: "What is expiresAt of the subscription status under the free plan?",
    choices: ["never", "period-end"],
    note: "`never` is null. Under the other plans it is the end of the current period, which is that of the trial while it lasts.",
  },
  "past-due-active": {
    part: "4.7",
    question: "Is isActive true in the grace period of a past_due subscription?",
    choices: ["active", "inactive"],
    observable: "partly",
    note: "It is true for active, and false for canceled and incomplete.",
  },
  "trialing-active": {
    part: "4.7",
    question: "Is isActive true while a subscription is trialing?",
    choices: ["active", "inactive"],
    observable: "partly",
  },
  "monthly-requests": {
    part: "8",
    question: "What happens to requests beyond the plan's maxRequestsPerMonth?",
    choices: ["not-enforced", 429],
    observable: "partly",
    note: "429 refuses data operations (items, entities, SQL) until the billing period ends.",
  },
});
