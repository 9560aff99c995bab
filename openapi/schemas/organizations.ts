import { withComparisonKind } from "./compare-kinds.js";
import type { SchemaObject } from "openapi3-ts/oas31";
import { getStrictAnswer } from "../gaps/strictness.js";
import { unlimitedCount, emulatorDefinedLimits, limits, planTypes } from "../clauses/limits.js";
import { ref } from "./ref.js";
import { roles } from "./roles.js";
import { buildEmailSchema } from "./shared-schemas.js";
import {
  responseObjectSchema,
  identifierSchema,
  type Properties,
  requestObjectSchema,
  type SchemaGroup,
  timestampSchema,
  arraySchema,
} from "./schema-builders.js";

/** The states of part 3. */
export const organizationStatuses = ["active", "suspended", "deleted"] as const;
export type OrganizationStatus = (typeof organizationStatuses)[number];

const kebabCase = "^[a-z0-9]+(-[a-z0-9]+)*$";
/** The characters that need no escaping in a URL. */
const unreserved = "^[A-Za-z0-9._~-]+$";

/** Organizations (parts 2, 3 and 4.6). */
export const organizationSchemas: SchemaGroup = (strictness) => {
  const strict = strictness.kind === "strict";
  const name: SchemaObject = {
    type: "string",
    minLength: limits.organizationNameLength.minimum,
    maxLength: limits.organizationNameLength.maximum,
  };
  const slug = (pattern: string | undefined): SchemaObject => ({
    type: "string",
    minLength: emulatorDefinedLimits.slugLength.minimum,
    maxLength: emulatorDefinedLimits.slugLength.maximum,
    ...(pattern === undefined ? {} : { pattern }),
    "x-gap": "slug-form",
  });
  const form = getStrictAnswer(strictness, "slug-form");
  const described = {
    organizationId: identifierSchema("Id of the organization."),
    name: withComparisonKind("equal", { type: "string" }),
    slug: withComparisonKind(
      "suffixed",
      strict
        ? slug(form === "unreserved" ? unreserved : kebabCase)
        : { type: "string", minLength: 1, pattern: unreserved, "x-gap": "slug-form" },
    ),
    ownerUserId: identifierSchema(
      "The user who created the organization, or, if this user is no longer an owner, the owner who joined first.",
    ),
    plan: {
      type: "string",
      "x-compare": "equal",
      description: "Type of the plan.",
      ...(strict ? { enum: [...planTypes] } : {}),
    },
    status: withComparisonKind("equal", { type: "string", enum: [...organizationStatuses] }),
    billingEmail: withComparisonKind("opaque", { type: "string" }),
    createdAt: timestampSchema(strictness),
    settings: ref("OrganizationSettings"),
  } satisfies Properties;
  const ceiling = (of: string): SchemaObject => ({
    type: "integer",
    "x-compare": "equal",
    description: `Maximum number of ${of}.${strict ? ` ${unlimitedCount} means no maximum.` : ""}`,
  });
  const changes = {
    name,
    billingEmail: buildEmailSchema(strictness, "Address for invoices."),
    settings: ref("OrganizationSettingsChange"),
  } satisfies Properties;
  return {
    CreateOrganizationRequest: requestObjectSchema(
      strictness,
      {
        name,
        slug: {
          ...slug(form === "any" ? undefined : form === "unreserved" ? unreserved : kebabCase),
          description: "Short name for URLs. Derived from the name by default.",
        },
        billingEmail: buildEmailSchema(
          strictness,
          "Address for invoices. Defaults to the address of the creator.",
        ),
      },
      { optional: ["slug", "billingEmail"] },
    ),
    UpdateOrganizationRequest: requestObjectSchema(strictness, changes, { optional: Object.keys(changes) }),
    OrganizationSettingsChange: requestObjectSchema(
      strictness,
      { requireMfa: { type: "boolean", "x-gap": "require-mfa" } },
      { optional: ["requireMfa"] },
    ),
    OrganizationSettings: responseObjectSchema(strictness, {
      maxDatabases: ceiling("databases"),
      maxApiKeys: ceiling("API keys"),
      maxMembers: ceiling("members, including the owner"),
      allowedRegions: {
        type: ["array", "null"],
        "x-compare": "unordered",
        items: withComparisonKind("opaque", { type: "string" }),
        description: "Regions in which databases may be created. Null allows all regions.",
      },
      requireMfa: withComparisonKind("equal", { type: "boolean", "x-gap": "require-mfa" }),
      ssoEnabled: withComparisonKind("equal", { type: "boolean", "x-gap": "require-mfa" }),
    }),
    OrganizationCreated: responseObjectSchema(strictness, {
      ...described,
      plan: { ...described.plan, "x-gap": "new-organization-plan" },
      status: withComparisonKind("equal", { type: "string", const: "active" }),
    }),
    Organization: responseObjectSchema(strictness, { ...described, updatedAt: timestampSchema(strictness) }),
    OrganizationMembership: responseObjectSchema(
      strictness,
      {
        organizationId: identifierSchema("Id of the organization."),
        organizationName: withComparisonKind("equal", { type: "string" }),
        role: withComparisonKind("equal", { type: "string", enum: [...roles] }),
        joinedAt: timestampSchema(strictness),
      },
      { description: "An organization that the user is a member of." },
    ),
    OrganizationList: responseObjectSchema(strictness, {
      organizations: arraySchema(
        "unordered",
        "OrganizationMembership",
        "Organizations in the order in which the caller joined them.",
      ),
    }),
  };
};
