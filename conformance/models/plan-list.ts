import type { components } from "../../openapi/generated/service-types.js";

export type Plan = Readonly<components["schemas"]["Plan"]>;

/**
 * Returns the plans in the response of the operation that lists them: either the response is an array of plans, or it is an
 * object with one array of objects that have a `planId`. The specification does not show the form of the response.
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
