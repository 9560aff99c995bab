import { clausesFrom } from "../clauses/register.js";
import { type Strictness, strictAnswer } from "../gaps/strictness.js";
import { planNumbers } from "../clauses/limits.js";
import { answersIn, openRoutes, readRouteAnswer } from "./open-routes.js";
import { type Access, operationGroup, success, type OpenRoutes, type Route } from "./operation.js";

const access: Access = { kind: "public", strayGap: "needless-credential" };

const paths = ["/api/v1/plans", "/api/v1/payment/plans", "/plans"];

const listRoutes = openRoutes(
  "plans-route",
  Object.fromEntries(paths.map((path) => [path, [{ method: "get", path }]])),
);

/** One plan: below the list, wherever that is, or at a route of its own. */
const planRoutes: OpenRoutes = {
  gap: "plan-route",
  ways: (known) =>
    answersIn("plan-route", known).flatMap((answer) =>
      answer === "below the list" ? listRoutes.ways(known).map(belowList) : [readRouteAnswer(answer)],
    ),
};

function belowList(list: readonly Route[]): readonly Route[] {
  return list.map(({ method, path }) => ({ method, path: `${path}/{planId}` }));
}

const free = {
  planId: "plan_free",
  name: "Free",
  planType: "free",
  description: "For trying things out.",
  ...planNumbers.free,
  currency: "USD",
  isActive: true,
  sortOrder: 1,
  features: [
    { name: "Raw items", included: true },
    { name: "Support", included: false },
  ],
};

/** The public plan catalog (part 4.7). */
export const planOperations = operationGroup({
  tag: "Plans",
  access,
  clauses: [...clausesFrom("BILL-21", "BILL-24"), "GEN-02"],
})({
  listPlans: {
    summary: "List all plans",
    description:
      "Returns every plan in the order of `sortOrder`, as a bare array (gap `plan-list-form`). Prices are in cents.",
    routes: listRoutes,
    effect: "read",
    successes: [success(200, "All plans.", "PlanList", { gap: "plan-list-form" })],
    clauses: ["BILL-20", "BILL-18"],
    example: {
      response: (strictness: Strictness) =>
        strictAnswer(strictness, "plan-list-form") === "object" ? { plans: [free] } : [free],
    },
  },
  getPlan: {
    summary: "Get a plan",
    description:
      "Returns prices in cents, features and limits; `limits` is null for the enterprise plan, which has none.",
    routes: planRoutes,
    successes: [success(200, "The plan.", "Plan")],
    problems: ["plan-not-found"],
    clauses: ["BILL-20", "BILL-19"],
    example: { parameters: { planId: free.planId }, response: free },
  },
});
