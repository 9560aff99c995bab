import fc from "fast-check";
import { planTerms, planTypes } from "../../openapi/clauses/limits.js";
import { anonymous } from "../client/client.js";
import { isSuccess } from "../client/is-success.js";
import { defineChecks } from "../check/check.js";
import type { CheckContext } from "../check/context.js";
import { type Plan, parsePlanList } from "../models/plan-list.js";

async function listPlans(context: CheckContext): Promise<readonly Plan[]> {
  const response = await context.assertSuccess("BILL-24", "listPlans", { as: anonymous });
  const plans = parsePlanList(response.body);
  context.assert("BILL-18", plans !== undefined, "one array of plans", response.body);
  return plans ?? [];
}

/** Fields of a plan in part 2, except its features and limits; other fields may differ between the list and a single plan. */
const fields = [
  ...(["planId", "name", "planType", "description", "monthlyPriceCents", "yearlyPriceCents"] as const),
  ...(["currency", "trialDays", "isActive", "sortOrder"] as const),
];
const limitNames = Object.keys(planTerms.free.limits ?? {}) as (keyof NonNullable<Plan["limits"]>)[];

function pickFeaturesAndLimits({ features, limits }: Plan): unknown {
  return {
    // Their order is not documented.
    features: (Array.isArray(features) ? features : [])
      .map(({ name, included }) => `${name}: ${included}`)
      .sort(),
    limits: limits && Object.fromEntries(limitNames.map((name) => [name, limits[name]])),
  };
}

const clauseOfPlan = { free: "BILL-21", pro: "BILL-22", enterprise: "BILL-23" } as const;

/** Checks of the plan catalog (parts 2, 4.7 and 8). */
export const planChecks = defineChecks(
  {
    id: "plans/catalog",
    title: "The public catalog contains all plans with the prices and limits in part 8",
    clauses: ["BILL-18", "BILL-21", "BILL-22", "BILL-23", "BILL-24"],
    needs: [],
    run: async (context) => {
      const plans = await listPlans(context);
      for (const planType of planTypes) {
        const found = plans.filter((plan) => plan.planType === planType);
        context.assert("BILL-18", found.length > 0, `a plan of type ${planType}`, plans);
        const clause = clauseOfPlan[planType];
        const { limits, trialDays, monthlyPriceCents, yearlyPriceCents } = planTerms[planType];
        const terms = { trialDays, monthlyPriceCents, yearlyPriceCents };
        // A plan that is no longer sold may have other terms.
        const active = found.filter(({ isActive }) => isActive);
        for (const plan of active.length > 0 ? active : found) {
          context.assertFields(clause, plan, terms, plan.planId);
          if (limits === null) context.assertEqual(clause, plan.limits, null, `limits of ${plan.planId}`);
          else context.assertFields(clause, plan.limits ?? {}, limits, `the limits of ${plan.planId}`);
        }
      }
    },
  },
  {
    id: "plans/single",
    title: "Each plan in the catalog can be read by its planId; an unknown planId is not found",
    clauses: ["BILL-19", "BILL-20", "BILL-24"],
    needs: [],
    run: async (context) => {
      const plans = await listPlans(context);
      for (const plan of plans) {
        const path = { planId: plan.planId };
        const response = await context.assertSuccess("BILL-24", "getPlan", { as: anonymous, path });
        // The client validates a single plan. It does not validate a list of plans in an object.
        context.markExercised("BILL-20");
        const single = response.body as Plan;
        context.assertFields("BILL-19", single, plan, "the plan as in the catalog", fields);
        const [actual, expected] = [single, plan].map(pickFeaturesAndLimits);
        context.assertEqual("BILL-19", actual, expected, "its features and limits");
      }
      await context.property(
        { text: fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }) },
        async ({ text }) => {
          const planId = `no-${text}`;
          if (plans.some((plan) => plan.planId === planId)) return;
          const response = await context.call("getPlan", {
            as: anonymous,
            path: { planId },
            intent: "invalid",
            skipValidation: true,
          });
          // A success without a body may also mean that there is no plan.
          if (isSuccess(response) && (response.body ?? null) === null) return;
          context.assertRefused("BILL-19", response, "no plan has this id");
        },
      );
    },
  },
);
