import { withComparisonKind } from "./compare-kinds.js";
import type { SchemaObject } from "openapi3-ts/oas31";
import { type Strictness, getStrictAnswer } from "../gaps/strictness.js";
import { planTypes } from "../clauses/limits.js";
import { ref } from "./ref.js";
import {
  responseObjectSchema,
  identifierSchema,
  type SchemaGroup,
  countSchema,
  arraySchema,
} from "./schema-builders.js";

const whole: SchemaObject = countSchema("equal");
const cents: SchemaObject = { ...whole, description: "Price in minor units (cents)." };

/** The plan catalog (parts 2 and 8). */
export const planSchemas: SchemaGroup = (strictness) => ({
  Plan: responseObjectSchema(strictness, {
    planId: identifierSchema("Id of the plan."),
    name: withComparisonKind("equal", { type: "string" }),
    planType: withComparisonKind("equal", { type: "string", enum: [...planTypes] }),
    description: withComparisonKind("present", { type: "string" }),
    monthlyPriceCents: cents,
    yearlyPriceCents: cents,
    currency: withComparisonKind("equal", { type: "string", description: "ISO 4217 code." }),
    trialDays: whole,
    isActive: withComparisonKind("equal", {
      type: "boolean",
      description: "Whether the plan can be bought.",
    }),
    sortOrder: withComparisonKind("equal", { type: "integer" }),
    features: arraySchema("unordered", "PlanFeature"),
    limits: {
      anyOf: [ref("PlanLimits"), { type: "null" }],
      description: "Limits; null for a plan without limits.",
    },
  }),
  PlanFeature: responseObjectSchema(strictness, {
    name: withComparisonKind("equal", { type: "string" }),
    included: withComparisonKind("equal", { type: "boolean" }),
  }),
  PlanLimits: responseObjectSchema(strictness, {
    maxDatabases: whole,
    maxStorageGb: {
      type: "number",
      "x-compare": "equal",
      minimum: 0,
      description: "Maximum storage of an organization, in GB.",
      "x-gap": "size-unit",
    },
    maxRequestsPerMonth: whole,
    maxTeamMembers: whole,
  }),
  PlanList: planList(strictness),
});

/** The array of plans, or an object that contains it in a field with any name (gap `plan-list-form`). */
function planList(strictness: Strictness): SchemaObject {
  const plans: SchemaObject = arraySchema("ordered", "Plan", "Plans in the order of `sortOrder`.");
  const form = getStrictAnswer(strictness, "plan-list-form");
  if (form === "array") return plans;
  if (form === "object") return responseObjectSchema(strictness, { plans });
  return { anyOf: [plans, withComparisonKind("data", { type: "object" })] };
}
