import fc from "fast-check";
import { planNumbers, type PlanType, planTypes } from "../../openapi/limits.js";
import { anonymous, impostor } from "../client/client.js";
import { defineChecks } from "../check.js";
import type { CheckContext } from "../context.js";

interface Plan {
  readonly planId: string;
  readonly planType: PlanType;
  readonly trialDays: number;
  readonly monthlyPriceCents: number;
  readonly yearlyPriceCents: number;
  readonly limits: Readonly<Record<string, number>> | null;
}

async function catalog(context: CheckContext): Promise<readonly Plan[]> {
  const answer = context.demandStatus("BILL-24", await context.call("listPlans", { as: anonymous }), 200);
  context.demand("BILL-18", Array.isArray(answer.body), "an array of plans", answer.body);
  return answer.body as Plan[];
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
        context.demand("BILL-18", found.length > 0, `a plan of type ${planType}`, plans);
        const { limits, trialDays, monthlyPriceCents, yearlyPriceCents } = planNumbers[planType];
        for (const plan of found) {
          const clause = clauses[planType];
          context.demandEqual(clause, plan.trialDays, trialDays, `trialDays of ${plan.planId}`);
          context.demandEqual(
            clause,
            plan.monthlyPriceCents,
            monthlyPriceCents,
            `monthlyPriceCents of ${plan.planId}`,
          );
          context.demandEqual(
            clause,
            plan.yearlyPriceCents,
            yearlyPriceCents,
            `yearlyPriceCents of ${plan.planId}`,
          );
          if (limits === null) context.demandEqual(clause, plan.limits, null, `limits of ${plan.planId}`);
          else
            for (const [name, value] of Object.entries(limits))
              context.demandEqual(clause, plan.limits?.[name], value, `limits.${name} of ${plan.planId}`);
        }
      }
      // members and types of members were held against the document
      context.demand("BILL-20", plans.length > 0, "plans with all their members", plans);
      const nonsense = await context.call("listPlans", {
        as: impostor,
        intent: "invalid",
      });
      context.demandStatus("BILL-24", nonsense, 200);
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
        context.demandStatus("BILL-24", answer, 200);
        context.demandEqual("BILL-19", answer.body, plan, "the plan of the catalog");
      }
      await context.property([fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 })], async (text) => {
        const planId = `no-${text}`;
        if (plans.some((plan) => plan.planId === planId)) return;
        const answer = await context.call("getPlan", { as: anonymous, path: { planId }, intent: "invalid" });
        context.demandRefused("BILL-19", answer, "there is no plan of this id");
      });
    },
  },
);
