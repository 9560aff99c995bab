import { withComparisonKind } from "./compare-kinds.js";
import type { SchemaObject } from "openapi3-ts/oas31";
import { unlimitedCount, emulatorDefinedLimits, limits, planTypes } from "../clauses/limits.js";
import { ref } from "./ref.js";
import { roles } from "./roles.js";
import { buildEmailSchema } from "./shared-schemas.js";
import * as schema from "./schema-builders.js";

/** The states of part 3. */
export const organizationStatuses = ["active", "suspended", "deleted"] as const;
export type OrganizationStatus = (typeof organizationStatuses)[number];

const kebabCase = "^[a-z0-9]+(-[a-z0-9]+)*$";
/** The characters that need no escaping in a URL. */
const unreserved = "^[A-Za-z0-9._~-]+$";

/** Organizations (parts 2, 3 and 4.6). */
export const organizationSchemas: schema.SchemaGroup = (builder) => {
  const strict = builder.isStrict;
  const name: SchemaObject = {
    type: "string",
    minLength: limits.organizationNameLength.minimum,
    maxLength: limits.organizationNameLength.maximum,
  };
  const slug = (description: string): SchemaObject => ({
    type: "string",
    minLength: emulatorDefinedLimits.slugLength.minimum,
    maxLength: emulatorDefinedLimits.slugLength.maximum,
    pattern: kebabCase,
    description,
  });
  const plan: SchemaObject = {
    ...schema.text("equal", "Type of the plan."),
    ...(strict ? { enum: [...planTypes] } : {}),
  };
  const described = {
    organizationId: schema.identifier("Id of the organization."),
    name: schema.text("equal", "Name."),
    slug: withComparisonKind(
      "suffixed",
      strict
        ? slug("Short name for URLs.")
        : { type: "string", minLength: 1, pattern: unreserved, description: "Short name for URLs." },
    ),
    ownerUserId: schema.identifier(
      "The user who created the organization, or, if this user is no longer an owner, the owner who joined first.",
    ),
    plan,
    status: schema.choice(
      "equal",
      organizationStatuses,
      "`active`: fully operational. `suspended`: suspended, usually because of a billing problem. `deleted`: kept for a while, but not usable.",
    ),
    billingEmail: schema.text("opaque", "Email address for invoices."),
    createdAt: builder.timestamp("Creation time."),
    settings: ref("OrganizationSettings"),
  };
  const ceiling = (of: string): SchemaObject =>
    withComparisonKind("equal", {
      type: "integer",
      description: `Maximum number of ${of}.${strict ? ` ${unlimitedCount} means no maximum.` : ""}`,
    });
  const requireMfa = "Whether members must provide a second factor when they log in.";
  return {
    CreateOrganizationRequest: builder.request("The organization to create.", {
      name: { ...name, description: "Name: 2 to 100 characters." },
      "slug?": slug("Short name for URLs. Derived from the name by default."),
      "billingEmail?": buildEmailSchema(
        builder,
        "Email address for invoices. Defaults to the creator's address.",
      ),
    }),
    UpdateOrganizationRequest: builder.request(
      "Changes to an organization. Omitted fields do not change.",
      schema.makeOptional({
        name: { ...name, description: "Name: 2 to 100 characters." },
        billingEmail: buildEmailSchema(builder, "Email address for invoices."),
        settings: ref("OrganizationSettingsChange"),
      }),
    ),
    OrganizationSettingsChange: builder.request("Changes to an organization's settings.", {
      "requireMfa?": { type: "boolean", description: requireMfa },
    }),
    OrganizationSettings: builder.response("An organization's limits and policies.", {
      maxDatabases: ceiling("databases"),
      maxApiKeys: ceiling("API keys"),
      maxMembers: ceiling("members, including the owner"),
      allowedRegions: withComparisonKind("unordered", {
        type: ["array", "null"],
        items: schema.text("opaque"),
        description: "Regions in which databases can be created. Null allows all regions.",
      }),
      requireMfa: schema.flag(requireMfa),
      ssoEnabled: schema.flag("Whether members can log in through single sign-on."),
    }),
    OrganizationCreated: builder.response("The new organization, which the caller owns.", {
      ...described,
      plan: { ...plan, "x-gap": "new-organization-plan" },
      status: schema.constant("active"),
    }),
    Organization: builder.response(
      "An organization, which owns databases and has members and a subscription.",
      { ...described, updatedAt: builder.timestamp("Time of the last change.") },
    ),
    OrganizationMembership: builder.response("An organization that the user is a member of.", {
      organizationId: schema.identifier("Id of the organization."),
      organizationName: schema.text("equal", "Name of the organization."),
      role: schema.choice("equal", roles, "The caller's role in the organization."),
      joinedAt: builder.timestamp("Time at which the caller joined."),
    }),
    OrganizationList: builder.response("The caller's organizations.", {
      organizations: schema.array(
        "unordered",
        "OrganizationMembership",
        "Organizations in the order in which the caller joined them.",
      ),
    }),
  };
};
