import { compared } from "./compare-kinds.js";
import type { SchemaObject } from "openapi3-ts/oas31";
import { type Strictness, strictAnswer } from "../gaps/strictness.js";
import { planTypes } from "../clauses/limits.js";
import { ref } from "./ref.js";
import { answerObject, identifier, type SchemaGroup } from "./schema-builders.js";

const count: SchemaObject = compared("equal", { type: "integer", minimum: 0 });
const cents: SchemaObject = { ...count, description: "In minor units: cents." };

/** The plan catalog (parts 2 and 8). */
export const planSchemas: SchemaGroup = (strictness) => ({
  Plan: answerObject(strictness, {
    planId: identifier("The plan."),
    name: compared("equal", { type: "string" }),
    planType: compared("equal", { type: "string", enum: [...planTypes] }),
    description: compared("present", { type: "string" }),
    monthlyPriceCents: cents,
    yearlyPriceCents: cents,
    currency: compared("equal", { type: "string", description: "ISO 4217 code." }),
    trialDays: count,
    isActive: compared("equal", { type: "boolean", description: "Whether it can be bought." }),
    sortOrder: compared("equal", { type: "integer" }),
    features: compared("unordered", { type: "array", items: ref("PlanFeature") }),
    limits: { anyOf: [ref("PlanLimits"), { type: "null" }], description: "Null for a plan without limits." },
  }),
  PlanFeature: answerObject(strictness, {
    name: compared("equal", { type: "string" }),
    included: compared("equal", { type: "boolean" }),
  }),
  PlanLimits: answerObject(strictness, {
    maxDatabases: count,
    maxStorageGb: {
      type: "number",
      "x-compare": "equal",
      minimum: 0,
      description: "GB that an organization may store.",
      "x-gap": "size-unit",
    },
    maxRequestsPerMonth: count,
    maxTeamMembers: count,
  }),
  PlanList: planList(strictness),
});

/** The array of plans by itself, or one member of an object that has whatever name (gap `plan-list-form`). */
function planList(strictness: Strictness): SchemaObject {
  const plans: SchemaObject = {
    type: "array",
    "x-compare": "ordered",
    items: ref("Plan"),
    description: "In the order of `sortOrder`.",
  };
  const form = strictAnswer(strictness, "plan-list-form");
  if (form === "array") return plans;
  if (form === "object") return answerObject(strictness, { plans });
  return { anyOf: [plans, compared("data", { type: "object" })] };
}
