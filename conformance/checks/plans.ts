import fc from "fast-check";
import { planTerms, planTypes } from "../../openapi/clauses/limits.js";
import { anonymous } from "../client/client.js";
import { isSuccess } from "../client/is-success.js";
import { defineChecks } from "../check/check.js";
import type { CheckContext } from "../check/context.js";
import { type Plan, parsePlanList } from "../models/plan-list.js";

async function catalog(context: CheckContext): Promise<readonly Plan[]> {
  const answer = await context.assertSuccess("BILL-24", "listPlans", { as: anonymous });
  const plans = parsePlanList(answer.body);
  context.assert("BILL-18", plans !== undefined, "one array of plans", answer.body);
  return plans ?? [];
}

const fields = [
  ...["planId", "name", "planType", "description", "monthlyPriceCents", "yearlyPriceCents", "currency"],
  ...["trialDays", "isActive", "sortOrder", "features", "limits"],
];

/** Returns the fields of a plan in part 2; other fields may differ between the list and a single plan. */
function known(plan: object): object {
  const own = pick(plan, fields) as { readonly features?: unknown; readonly limits?: unknown };
  return {
    ...own,
    features: Array.isArray(own.features) ? own.features.map((each) => pick(each, ["name", "included"])) : [],
    limits: own.limits === null ? null : pick(own.limits, Object.keys(planTerms.free.limits ?? {})),
  };
}

function pick(value: unknown, names: readonly string[]): object {
  const members = Object.entries(value ?? {});
  return Object.fromEntries(members.filter(([name]) => names.includes(name)));
}

const clauses = { free: "BILL-21", pro: "BILL-22", enterprise: "BILL-23" } as const;

/** Checks of the plan catalog (parts 2, 4.7 and 8). */
export const planChecks = defineChecks(
  {
    id: "plans/catalog",
    title: "The public catalog contains all plans with the prices and limits in part 8",
    clauses: ["BILL-18", "BILL-21", "BILL-22", "BILL-23", "BILL-24"],
    needs: [],
    run: async (context) => {
      const plans = await catalog(context);
      for (const planType of planTypes) {
        const found = plans.filter((plan) => plan.planType === planType);
        context.assert("BILL-18", found.length > 0, `a plan of type ${planType}`, plans);
        const clause = clauses[planType];
        const { limits } = planTerms[planType];
        for (const plan of found) {
          for (const name of ["trialDays", "monthlyPriceCents", "yearlyPriceCents"] as const)
            context.assertEqual(clause, plan[name], planTerms[planType][name], `${name} of ${plan.planId}`);
          const shown = limits === null ? plan.limits : pick(plan.limits, Object.keys(limits));
          context.assertEqual<unknown>(clause, shown, limits, `limits of ${plan.planId}`);
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
      const plans = await catalog(context);
      for (const plan of plans) {
        const path = { planId: plan.planId };
        const answer = await context.assertSuccess("BILL-24", "getPlan", { as: anonymous, path });
        // a list in an object is held against no schema, and a plan by itself is
        context.markExercised("BILL-20");
        context.assertEqual("BILL-19", known(answer.body), known(plan), "the plan as in the catalog");
      }
      await context.property(
        [fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 })],
        async (text) => {
          const planId = `no-${text}`;
          if (plans.some((plan) => plan.planId === planId)) return;
          const answer = await context.call("getPlan", {
            as: anonymous,
            path: { planId },
            intent: "invalid",
            skipValidation: true,
          });
          // an answer without a body may say the same as a refusal
          if (isSuccess(answer) && (answer.body ?? null) === null) return;
          context.assertRefused("BILL-19", answer, "no plan has this id");
        },
        { names: ["text"] },
      );
    },
  },
);
