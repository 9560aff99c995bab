import { withComparisonKind } from "./compare-kinds.js";
import type { SchemaObject } from "openapi3-ts/oas31";
import { planTypes } from "../clauses/limits.js";
import { ref } from "./ref.js";
import * as schema from "./schema-builders.js";

const cents = schema.count("equal", "Price in minor units (cents).");

/** The plan catalog (parts 2 and 8). */
export const planSchemas: schema.SchemaGroup = (builder) => ({
  Plan: builder.response("A plan in the catalog.", {
    planId: schema.identifier("Id of the plan."),
    name: schema.text("equal", "Name."),
    planType: schema.choice(
      "equal",
      planTypes,
      "Type of the plan. Checkouts and organizations refer to plans by this type.",
    ),
    description: schema.text("present", "Description of the plan."),
    monthlyPriceCents: cents,
    yearlyPriceCents: cents,
    currency: schema.text("equal", "ISO 4217 code."),
    trialDays: schema.count("equal", "Length of the free trial in days; 0 if there is no trial."),
    isActive: schema.flag("Whether the plan can be bought."),
    sortOrder: withComparisonKind("equal", {
      type: "integer",
      description: "Position in the catalog: lower numbers come first.",
    }),
    features: schema.array(
      "unordered",
      "PlanFeature",
      "Features, each with a flag that says whether the plan includes it.",
    ),
    limits: {
      anyOf: [ref("PlanLimits"), { type: "null" }],
      description: "Limits; null for a plan without limits.",
    },
  }),
  PlanFeature: builder.response("A feature, and whether the plan includes it.", {
    name: schema.text("equal", "Name."),
    included: schema.flag("Whether the plan includes the feature."),
  }),
  PlanLimits: builder.response("A plan's limits.", {
    maxDatabases: schema.count("equal", "Maximum number of databases in an organization."),
    maxStorageGb: withComparisonKind("equal", {
      type: "number",
      minimum: 0,
      description: "Maximum storage for an organization, in GB.",
    }),
    maxRequestsPerMonth: schema.count("equal", "Maximum number of requests per month."),
    maxTeamMembers: schema.count("equal", "Maximum number of members in an organization."),
  }),
  PlanList: planList(builder),
});

/** The array of plans, or an object that contains it in a field with any name. */
function planList(builder: schema.SchemaBuilder): SchemaObject {
  const plans: SchemaObject = schema.array("ordered", "Plan", "Plans in the order of `sortOrder`.");
  if (builder.isStrict) return plans;
  return { anyOf: [plans, withComparisonKind("data", { type: "object" })] };
}
