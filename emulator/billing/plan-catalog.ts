import { planTerms, type PlanType, planTypes } from "../../openapi/clauses/limits.js";

const planTexts = {
  free: { name: "Free", description: "For trying things out." },
  pro: { name: "Pro", description: "For teams in production." },
  enterprise: { name: "Enterprise", description: "For unlimited use." },
} as const;

/** Features, and the cheapest plans that include them. */
const features: readonly (readonly [name: string, plan: PlanType])[] = [
  ["Raw items", "free"],
  ["Repositories", "free"],
  ["SQL", "free"],
  ["Support", "pro"],
  ["Single sign-on", "enterprise"],
];

export const planCurrency = "USD";

/** The public plans, with the numbers of part 8 (clauses BILL-20 to BILL-23). */
export const planCatalog = planTypes.map((planType, index) => {
  const { name, description } = planTexts[planType];
  return {
    planId: `plan_${planType}`,
    name,
    planType,
    description,
    ...planTerms[planType],
    currency: planCurrency,
    isActive: true,
    sortOrder: index + 1,
    features: features.map(([feature, plan]) => ({
      name: feature,
      included: index >= planTypes.indexOf(plan),
    })),
  };
});

export function describePlan(planType: PlanType) {
  const plan = planCatalog[planTypes.indexOf(planType)];
  if (plan === undefined) throw new Error(`there is no plan with the type ${planType}`);
  return plan;
}

/** Describes the product of a plan, for subscriptions and checkouts. */
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
