import fc from "fast-check";
import { planTerms, planTypes } from "../../openapi/clauses/limits.js";
import { anonymous } from "../client/client.js";
import { isSuccess } from "../client/is-success.js";
import { defineChecks } from "../check/check.js";
import type { CheckContext } from "../check/context.js";
import { type Plan, plansOf } from "../steps/plan-list.js";

async function catalog(context: CheckContext): Promise<readonly Plan[]> {
  const answer = await context.assertSuccess("BILL-24", "listPlans", { as: anonymous });
  const plans = plansOf(answer.body);
  context.assert("BILL-18", plans !== undefined, "plans, as one array", answer.body);
  return plans ?? [];
}

const types: Readonly<Record<string, (value: unknown) => boolean>> = {
  planId: isText,
  name: isText,
  planType: (value) => (planTypes as readonly unknown[]).includes(value),
  description: isText,
  monthlyPriceCents: Number.isInteger,
  yearlyPriceCents: Number.isInteger,
  currency: isText,
  trialDays: Number.isInteger,
  isActive: (value) => typeof value === "boolean",
  sortOrder: Number.isInteger,
  features: (value) => Array.isArray(value) && value.every(isFeature),
  limits: (value) => typeof value === "object",
};

function isText(value: unknown): boolean {
  return typeof value === "string";
}

function isFeature(value: unknown): boolean {
  const { name, included } = value as { readonly name?: unknown; readonly included?: unknown };
  return typeof name === "string" && typeof included === "boolean";
}

/** What part 2 says of a plan. Beside it a plan may show more by itself than in the list, or less. */
function known(plan: object): object {
  const own = pick(plan, Object.keys(types)) as { readonly features?: unknown; readonly limits?: unknown };
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

/** Parts 2, 4.7 and 8: the plan catalog. */
export const planChecks = defineChecks(
  {
    id: "plans/catalog",
    title: "The catalog has all plans with the numbers of part 8, for anybody",
    clauses: ["BILL-18", "BILL-20", "BILL-21", "BILL-22", "BILL-23", "BILL-24"],
    needs: [],
    run: async (context) => {
      const plans = await catalog(context);
      for (const planType of planTypes) {
        const found = plans.filter((plan) => plan.planType === planType);
        context.assert("BILL-18", found.length > 0, `a plan of type ${planType}`, plans);
        const { limits, trialDays, monthlyPriceCents, yearlyPriceCents } = planTerms[planType];
        for (const plan of found) {
          const clause = clauses[planType];
          context.assertEqual(clause, plan.trialDays, trialDays, `trialDays of ${plan.planId}`);
          context.assertEqual(
            clause,
            plan.monthlyPriceCents,
            monthlyPriceCents,
            `monthlyPriceCents of ${plan.planId}`,
          );
          context.assertEqual(
            clause,
            plan.yearlyPriceCents,
            yearlyPriceCents,
            `yearlyPriceCents of ${plan.planId}`,
          );
          if (limits === null) context.assertEqual(clause, plan.limits, null, `limits of ${plan.planId}`);
          else
            for (const [name, value] of Object.entries(limits))
              context.assertEqual(clause, plan.limits?.[name], value, `limits.${name} of ${plan.planId}`);
        }
      }
      // a list in an object was held against no schema
      for (const plan of plans)
        for (const [member, fits] of Object.entries(types)) {
          const value = (plan as unknown as Readonly<Record<string, unknown>>)[member];
          context.assert("BILL-20", value !== undefined && fits(value), `${member} of ${plan.planId}`, value);
        }
      context.assert("BILL-20", plans.length > 0, "plans with all their members", plans);
    },
  },
  {
    id: "plans/single",
    title: "Each plan of the catalog is found by its planId, and nothing by any other",
    clauses: ["BILL-19", "BILL-24"],
    needs: [],
    run: async (context) => {
      const plans = await catalog(context);
      for (const plan of plans) {
        const answer = await context.call("getPlan", { as: anonymous, path: { planId: plan.planId } });
        context.assertStatus("BILL-24", answer, 200);
        context.assertEqual("BILL-19", known(answer.body), known(plan), "the plan of the catalog");
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
            unjudged: true,
          });
          // an answer without a body may say the same as a refusal
          if (isSuccess(answer) && (answer.body ?? null) === null) return;
          context.assertRefused("BILL-19", answer, "there is no plan of this id");
        },
        { names: ["text"] },
      );
    },
  },
);
