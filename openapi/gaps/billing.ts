import { defineGaps } from "./gap.js";

/** Gaps about subscriptions, usage and the plan catalog. */
export const billingGaps = defineGaps({
  "plans-route": {
    part: "4.7",
    question: "What are the method and path for listing plans?",
    choices: ["/api/v1/plans", "/api/v1/payment/plans", "/plans"],
    route: { methods: ["GET", "POST"], parameters: [] },
    samples: ["GET /catalog/all-plans"],
    note: "An answer without a method means GET.",
  },
  "plan-route": {
    part: "4.7",
    question: "What are the method and path for getting a single plan?",
    choices: ["under-plans-route"],
    route: { methods: ["GET", "POST"], parameters: ["planId"] },
    samples: ["GET /catalog/plan/{planId}"],
    note: "`under-plans-route`: the route for listing plans, followed by `/{planId}`.",
  },
  "billing-readers": {
    part: "4.6",
    question: "Which users may view payment info, status and usage with an access token?",
    choices: ["members", "owner-and-admin", "owner"],
    note: "`members`: members with any role. `owner-and-admin`: owners and admins. `owner`: only owners.",
  },
  "billing-managers": {
    part: "4.6",
    question: "Which users may start a checkout and get a portal link with an access token?",
    choices: ["owner", "owner-and-member"],
    note: "Whatever the answer, an admin cannot change billing, and a readonly member cannot change anything.",
  },
  "checkout-effect": {
    part: "4.7",
    question: "What changes as soon as a checkout is created?",
    choices: ["nothing", "plan"],
    note: "`plan`: the subscription to the new plan starts immediately, as if the checkout had been completed.",
  },
  "payment-credential": {
    part: "5",
    question: "Which credentials do checkout, portal, status and usage accept?",
    choices: ["jwt", "jwt-or-api-key"],
    note: "`jwt-or-api-key`: a key needs the scope `*`. Payment info always needs a JWT.",
  },
  "free-subscription": {
    part: "4.7",
    question: "What does the payment info operation return for an organization on the free plan?",
    choices: ["zero-amount", 404],
    note:
      "`zero-amount`: 200 with an active subscription whose amount is 0; after a cancellation, 200 with the canceled " +
      "subscription.",
  },
});
