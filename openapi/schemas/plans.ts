import type { SchemaObject } from "openapi3-ts/oas31";
import { type Face, strictAnswer } from "../gaps/face.js";
import { planTypes } from "../clauses/limits.js";
import { ref } from "./ref.js";
import { answerObject, identifier, type SchemaGroup } from "./schema-builders.js";

const count: SchemaObject = { type: "integer", minimum: 0 };
const cents: SchemaObject = { type: "integer", minimum: 0, description: "In minor units: cents." };

/** The plan catalog (parts 2 and 8). */
export const planSchemas: SchemaGroup = (face) => ({
  Plan: answerObject(face, {
    planId: identifier("The plan."),
    name: { type: "string" },
    planType: { type: "string", enum: [...planTypes] },
    description: { type: "string" },
    monthlyPriceCents: cents,
    yearlyPriceCents: cents,
    currency: { type: "string", description: "ISO 4217 code." },
    trialDays: count,
    isActive: { type: "boolean", description: "Whether it can be bought." },
    sortOrder: { type: "integer" },
    features: { type: "array", items: ref("PlanFeature") },
    limits: { anyOf: [ref("PlanLimits"), { type: "null" }], description: "Null for a plan without limits." },
  }),
  PlanFeature: answerObject(face, { name: { type: "string" }, included: { type: "boolean" } }),
  PlanLimits: answerObject(face, {
    maxDatabases: count,
    maxStorageGb: {
      type: "number",
      minimum: 0,
      description: "In GB, whose size is open.",
      "x-gap": "gigabyte",
    },
    maxRequestsPerMonth: count,
    maxTeamMembers: count,
  }),
  PlanList: planList(face),
});

/** The array of plans by itself, or one member of an object that has whatever name (gap `plan-list-form`). */
function planList(face: Face): SchemaObject {
  const plans: SchemaObject = {
    type: "array",
    items: ref("Plan"),
    description: "In the order of `sortOrder`.",
  };
  const form = strictAnswer(face, "plan-list-form");
  if (form === "array") return plans;
  if (form === "object") return answerObject(face, { plans });
  return { anyOf: [{ type: "array", items: ref("Plan") }, { type: "object" }] };
}
