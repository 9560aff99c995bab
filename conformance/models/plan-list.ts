import type { PlanType } from "../../openapi/clauses/limits.js";

/** A plan of the catalog, as far as checks look into it. */
export interface Plan {
  readonly planId: string;
  readonly name: string;
  readonly planType: PlanType;
  readonly trialDays: number;
  readonly monthlyPriceCents: number;
  readonly yearlyPriceCents: number;
  readonly limits: Readonly<Record<string, number>> | null;
}

/**
 * The plans in the answer of the operation that lists them: the array by itself, or the one array of objects with a
 * `planId` in an object. What the answer looks like is not shown.
 */
export function parsePlanList(body: unknown): readonly Plan[] | undefined {
  if (isPlans(body)) return body;
  if (typeof body !== "object" || body === null) return undefined;
  const arrays = Object.values(body).filter(isPlans);
  return arrays.length === 1 ? arrays[0] : undefined;
}

function isPlans(value: unknown): value is readonly Plan[] {
  return (
    Array.isArray(value) &&
    value.every((entry) => typeof (entry as Partial<Plan> | null)?.planId === "string")
  );
}
