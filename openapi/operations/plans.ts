import { type Strictness, strictAnswer } from "../gaps/strictness.js";
import { planNumbers } from "../clauses/limits.js";
import { answersIn, openRoutes, readRouteAnswer } from "./open-routes.js";
import { type Access, defineOperations, type OpenRoutes, type Route } from "./operation.js";
import { ref } from "../schemas/ref.js";

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
export const planOperations = defineOperations({
  listPlans: {
    tag: "Plans",
    summary: "List all plans",
    routes: listRoutes,
    access,
    effect: "read",
    successes: () => [
      { status: 200, description: "All plans.", schema: ref("PlanList"), gap: "plan-list-form" },
    ],
    problems: [],
    clauses: ["BILL-18", "BILL-20", "BILL-21", "BILL-22", "BILL-23", "BILL-24", "GEN-02"],
    example: {
      response: (strictness: Strictness) =>
        strictAnswer(strictness, "plan-list-form") === "object" ? { plans: [free] } : [free],
    },
  },
  getPlan: {
    tag: "Plans",
    summary: "Get a plan",
    routes: planRoutes,
    access,
    effect: "read",
    successes: () => [{ status: 200, description: "The plan.", schema: ref("Plan") }],
    problems: ["plan-not-found"],
    clauses: ["BILL-19", "BILL-20", "BILL-21", "BILL-22", "BILL-23", "BILL-24", "GEN-02"],
    example: { parameters: { planId: free.planId }, response: free },
  },
});
