import { getClauseRange } from "../clauses/register.js";
import { planTerms } from "../clauses/limits.js";
import { getPossibleAnswers, defineGapRoutes, parseRouteAnswer } from "./gap-routes.js";
import { type Access, defineOperationGroup, defineSuccess, type GapRoutes, type Route } from "./operation.js";

const access: Access = { kind: "public" };

const paths = ["/api/v1/plans", "/api/v1/payment/plans", "/plans"];

const listRoutes = defineGapRoutes(
  "plans-route",
  Object.fromEntries(paths.map((path) => [path, [{ method: "get", path }]])),
);

/** The routes of a single plan: under the route of the list, or separate from it. */
const planRoutes: GapRoutes = {
  gap: "plan-route",
  alternatives: (known) =>
    getPossibleAnswers("plan-route", known).flatMap((answer) =>
      answer === "under-plans-route"
        ? listRoutes.alternatives(known).map(appendPlanId)
        : [parseRouteAnswer(answer)],
    ),
};

function appendPlanId(list: readonly Route[]): readonly Route[] {
  return list.map(({ method, path }) => ({ method, path: `${path}/{planId}` }));
}

const free = {
  planId: "plan_free",
  name: "Free",
  planType: "free",
  description: "For trying things out.",
  ...planTerms.free,
  currency: "USD",
  isActive: true,
  sortOrder: 1,
  features: [
    { name: "Raw items", included: true },
    { name: "Support", included: false },
  ],
};

/** The public plan catalog (part 4.7). */
export const planOperations = defineOperationGroup({
  tag: "Plans",
  access,
  clauses: [...getClauseRange("BILL-21", "BILL-24"), "GEN-02"],
})({
  listPlans: {
    summary: "List all plans",
    description: "Returns all plans in the order of `sortOrder`, as an array. Prices are in cents.",
    routes: listRoutes,
    effect: "read",
    successes: [defineSuccess(200, "All plans.", "PlanList")],
    clauses: ["BILL-20", "BILL-18"],
    example: { response: [free] },
  },
  getPlan: {
    summary: "Get a plan",
    description:
      "Returns the prices in cents, the features and the limits. `limits` is null for the enterprise plan, which has no limits.",
    routes: planRoutes,
    successes: [defineSuccess(200, "The plan.", "Plan")],
    problems: ["plan-not-found"],
    clauses: ["BILL-20", "BILL-19"],
    example: { response: free },
  },
});
