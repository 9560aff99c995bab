import { planCatalog } from "../billing/plan-catalog.js";
import { Problem } from "../domain/problem.js";
import type { OperationResponse, Handler } from "./handler.js";

/** The list of plans, at the path that gap `plans-route` determines. */
export const listPlans: Handler<"listPlans"> = (_request, { profile }) => {
  const body = profile["plan-list-form"] === "object" ? { plans: planCatalog } : planCatalog;
  // The type is that of the default profile, where the body is the array.
  return { status: 200, body: body as OperationResponse<"listPlans">["body"] };
};

/** One plan of the list. */
export const getPlan: Handler<"getPlan"> = ({ path }) => {
  const plan = planCatalog.find(({ planId }) => planId === path.planId);
  if (plan === undefined)
    throw new Problem(
      "plan-not-found",
      `There is no plan with this id. The plan ids are ${planCatalog.map(({ planId }) => planId).join(", ")}.`,
    );
  return { status: 200, body: plan };
};
