import { planNumbers } from "../limits.js";
import { type Access, defineOperations, ref, type Routes } from "./operation.js";

const access: Access = { kind: "public" };

/** The routes of a catalog operation: the answers of the gap are the path of the list. */
function catalogRoutes(suffix: string): Routes {
  const paths = ["/api/v1/plans", "/api/v1/payment/plans", "/plans"];
  return {
    gap: "plans-route",
    byAnswer: Object.fromEntries(paths.map((path) => [path, [{ method: "get", path: `${path}${suffix}` }]])),
  };
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
    routes: catalogRoutes(""),
    access,
    effect: "read",
    successes: () => [{ status: 200, description: "All plans.", schema: ref("PlanList") }],
    problems: [],
    clauses: ["BILL-18", "BILL-20", "BILL-21", "BILL-22", "BILL-23", "BILL-24", "GEN-02"],
    example: { response: [free] },
  },
  getPlan: {
    tag: "Plans",
    summary: "Get a plan",
    routes: catalogRoutes("/{planId}"),
    access,
    effect: "read",
    successes: () => [{ status: 200, description: "The plan.", schema: ref("Plan") }],
    problems: ["plan-not-found"],
    clauses: ["BILL-19", "BILL-20", "BILL-21", "BILL-22", "BILL-23", "BILL-24", "GEN-02"],
    example: { parameters: { planId: free.planId }, response: free },
  },
});
