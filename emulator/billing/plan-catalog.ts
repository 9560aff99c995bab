import { planTerms, type PlanType, planTypes } from "../../openapi/clauses/limits.js";

interface PlanTexts {
  readonly name: string;
  readonly description: string;
  /** Features by name, and whether the plan includes them. */
  readonly features: Readonly<Record<string, boolean>>;
}

const planTexts: Readonly<Record<PlanType, PlanTexts>> = {
  free: {
    name: "Free",
    description: "For trying things out.",
    features: { "Raw items": true, Repositories: true, SQL: true, Support: false, "Single sign-on": false },
  },
  pro: {
    name: "Pro",
    description: "For teams in production.",
    features: { "Raw items": true, Repositories: true, SQL: true, Support: true, "Single sign-on": false },
  },
  enterprise: {
    name: "Enterprise",
    description: "For unlimited use.",
    features: { "Raw items": true, Repositories: true, SQL: true, Support: true, "Single sign-on": true },
  },
};

export const planCurrency = "USD";

/** The public plans, with the numbers of part 8 (clauses BILL-20 to BILL-23). */
export const planCatalog = planTypes.map((planType, index) => {
  const { name, description, features } = planTexts[planType];
  return {
    planId: `plan_${planType}`,
    name,
    planType,
    description,
    ...planTerms[planType],
    currency: planCurrency,
    isActive: true,
    sortOrder: index + 1,
    features: Object.entries(features).map(([feature, included]) => ({ name: feature, included })),
  };
});

export function describePlan(planType: PlanType) {
  const plan = planCatalog[planTypes.indexOf(planType)];
  if (plan === undefined) throw new Error(`there is no plan with the type ${planType}`);
  return plan;
}

/** The product of a plan, as shown in subscriptions and checkouts. */
export function describeProduct(planType: PlanType) {
  const { name, description, monthlyPriceCents, yearlyPriceCents, limits } = describePlan(planType);
  const price = (interval: "month" | "year", amount: number) => ({
    id: `price_${planType}_${interval}`,
    amount,
    currency: planCurrency,
    type: "recurring",
    recurringInterval: interval,
  });
  const benefit = (id: string, description: string) => ({ id: `benefit_${id}`, type: "limit", description });
  return {
    id: `prod_${planType}`,
    name,
    description,
    recurringInterval: "month",
    prices: [price("month", monthlyPriceCents), price("year", yearlyPriceCents)],
    benefits:
      limits === null
        ? [benefit("unlimited", "No limits")]
        : [
            benefit("databases", `${limits.maxDatabases} databases`),
            benefit("storage", `${limits.maxStorageGb} GB of storage`),
            benefit("requests", `${limits.maxRequestsPerMonth} requests a month`),
            benefit("members", `${limits.maxTeamMembers} team members`),
          ],
  };
}

/** Formats the number of an order for its invoice. */
export function formatInvoiceNumber(order: number): string {
  return `INV-${String(order).padStart(6, "0")}`;
}
