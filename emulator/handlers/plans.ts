import { planCatalog } from "../billing/plan-catalog.js";
import { Problem } from "../domain/problem.js";
import type { Handler } from "./handler.js";

/** The list of plans, at the path that gap `plans-route` determines. */
export const listPlans: Handler<"listPlans"> = () => ({
  status: 200,
  body: planCatalog,
});

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
