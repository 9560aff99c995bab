import type { sqlErrorCodes } from "../schemas/sql.js";
import type { GapAnswer } from "../gaps/gap.js";
import type { GapId } from "../gaps/register.js";

/** A gap whose answers are HTTP statuses. */
type StatusGap = Extract<GapId, `${string}-status`>;

interface ProblemKindDefinition {
  readonly title: string;
  /** The status, or the gap that determines it if the specification and HTTP do not. */
  readonly status: number | { readonly gap: StatusGap };
  /**
   * An example of `detail`: what the emulator returns with the demo fixture (`emulator/api/problem-examples.test.ts` sends
   * the request). Kinds that only the control plane returns have no example.
   */
  readonly example?: string;
  /** The `errors` of the example. */
  readonly errors?: readonly { readonly in: string; readonly pointer: string; readonly detail: string }[];
  /** The problem occurs only under profiles with this answer. */
  readonly onlyWith?: { readonly gap: GapId; readonly answer: GapAnswer };
  /** The problem does not occur under profiles with this answer. */
  readonly neverWith?: { readonly gap: GapId; readonly answer: GapAnswer };
}

const missingResourceStatus = { gap: "missing-resource-status" } as const;

/** All kinds of problems. The key is the last segment of the problem's `type` URL, and never changes. */
export const problemKinds = {
  "validation-failed": {
    title: "The request is not valid",
    status: { gap: "validation-status" },
    example: "body /partitionKey: is required (and 1 more; see errors)",
    errors: [
      {
        in: "body",
        pointer: "/partitionKey",
        detail: "is required",
      },
      {
        in: "body",
        pointer: "/limit",
        detail: "must be >= 1",
      },
    ],
  },
  "malformed-request": {
    title: "The request cannot be read",
    status: 400,
    example: "The path has a percent escape that is not valid UTF-8: /api/v1/databases/db_demo/items/100%.",
  },
  "malformed-body": {
    title: "The body is not JSON",
    status: 400,
    example:
      'The body is not valid JSON: expected a field name in double quotes but found "}" (line 1, column 22).',
  },
  "request-too-large": {
    title: "The request body is too large",
    status: 413,
    example: "A request body can have at most 16777216 bytes.",
  },
  "unsupported-media-type": {
    title: "The content type is not supported",
    status: 415,
    neverWith: { gap: "content-type", answer: "ignore" },
    example: "Send the body as JSON with `Content-Type: application/json`, not text/plain.",
  },
  "unknown-path": { title: "The path is unknown", status: 404 },
  "method-not-allowed": { title: "The method is not allowed here", status: 405 },
  unauthenticated: {
    title: "A valid credential is required",
    status: { gap: "unauthenticated-status" },
    example: "Send the header `Authorization: Bearer <access token or API key>`.",
  },
  forbidden: {
    title: "The credential does not allow this",
    status: { gap: "forbidden-status" },
    example: "The API key needs the scope database:write; its scopes are database:read.",
  },
  "wrong-credential-kind": {
    title: "A different kind of credential is required",
    status: { gap: "wrong-credential-kind-status" },
    example: "This operation needs a user's access token, not an API key.",
  },
  "foreign-resource": {
    title: "The resource belongs to another organization",
    status: { gap: "foreign-resource-status" },
    example:
      "The database belongs to another organization. Your access token is for org_personal_outsider; POST /auth/switch-organization returns a token for another organization.",
  },
  "item-not-found": {
    title: "Item not found",
    status: 404,
    example: 'There is no item with pk "settings" and sk "language".',
  },
  "nothing-to-delete": {
    title: "There is no item to delete",
    status: { gap: "delete-missing-item-status" },
    neverWith: { gap: "delete-missing-item-status", answer: 204 },
    example: 'There is no item with pk "settings" and sk "language".',
  },
  "database-not-found": {
    title: "Database not found",
    status: missingResourceStatus,
    example:
      "There is no database with this id in the organization. Your access token is for org_personal_owner; POST /auth/switch-organization returns a token for another organization.",
  },
  "repository-not-found": {
    title: "Repository not found",
    status: missingResourceStatus,
    example:
      "There is no repository with this id. Your API key is for org_demo_pro; each organization has its own keys.",
  },
  "entity-not-found": {
    title: "Entity not found",
    status: missingResourceStatus,
    example: "There is no entity with this id in the repository.",
  },
  "organization-not-found": {
    title: "Organization not found",
    status: missingResourceStatus,
    example: "You are not a member of an organization with this id.",
  },
  "user-not-found": { title: "User not found", status: 404 },
  "api-key-not-found": { title: "API key not found", status: 404 },
  "fault-not-found": { title: "Fault rule not found", status: 404 },
  "too-many-faults": { title: "There are too many fault rules", status: 409 },
  "not-local": { title: "Only local callers are allowed", status: 403 },
  "namespace-not-found": { title: "Namespace not found", status: 404 },
  "default-namespace": { title: "The default namespace cannot be deleted", status: 409 },
  "snapshot-not-found": { title: "Snapshot not found", status: 404 },
  "limit-reached": { title: "The emulator is full", status: 507 },
  "member-not-found": {
    title: "Member not found",
    status: missingResourceStatus,
    example:
      "The organization has no member user_missing. List the organization's members to find the right id.",
  },
  "plan-not-found": {
    title: "Plan not found",
    status: missingResourceStatus,
    example: "There is no plan with this id. The plan ids are plan_free, plan_pro, plan_enterprise.",
  },
  "subscription-not-found": {
    title: "The organization has no subscription",
    status: 404,
    onlyWith: { gap: "free-subscription", answer: 404 },
    example: "The organization is on the free plan and has no subscription.",
  },
  "database-unavailable": {
    title: "The database is not available",
    status: 409,
    example: "The database has the status Maintenance; its data is currently unavailable.",
  },
  "condition-failed": {
    title: "The condition is false",
    status: { gap: "condition-failed-status" },
    example: "The conditionExpression is false for the item, so nothing was written.",
  },
  "batch-too-large": {
    title: "There are too many entries",
    status: { gap: "batch-too-large-status" },
    example: "items must have at most 25 entries",
    errors: [
      {
        in: "body",
        pointer: "/items",
        detail: "must have at most 25 entries",
      },
    ],
  },
  "transaction-too-large": {
    title: "The transaction is too large",
    status: { gap: "too-large-status" },
    example: "The transaction is 4194355 bytes; at most 4194304 are allowed.",
  },
  "item-too-large": {
    title: "The item is too large",
    status: { gap: "too-large-status" },
    example:
      "In UTF-8, the item's keys and its data (as compact JSON) have 409613 bytes; at most 409600 are allowed.",
  },
  conflict: {
    title: "The name or address is already taken",
    status: { gap: "conflict-status" },
    example: "Another organization has the slug demo-pro. Choose another slug, or omit the slug.",
  },
  "last-owner": {
    title: "An organization needs an owner",
    status: { gap: "conflict-status" },
    example: "This is the last owner. Make another member an owner first.",
  },
  "personal-organization": {
    title: "A personal organization cannot be deleted",
    status: { gap: "conflict-status" },
    example: "This is your personal organization, which cannot be deleted.",
  },
  "deleted-organization": {
    title: "The organization is deleted",
    status: { gap: "conflict-status" },
    onlyWith: { gap: "deleted-organization", answer: "shown" },
    example: "The organization has been deleted and can no longer be changed.",
  },
  "lower-plan": {
    title: "The organization has a higher plan",
    status: { gap: "conflict-status" },
    example: "The organization is on the enterprise plan. To downgrade, use the billing portal.",
  },
  "rate-limited": {
    title: "There are too many requests",
    status: 429,
    neverWith: { gap: "rate-limit", answer: "none" },
    example:
      "The organization has sent too many requests in one second; the limit is 1. Wait as long as Retry-After says.",
  },
  "checkout-not-found": { title: "Checkout not found", status: 404 },
  "checkout-completed": { title: "The checkout is already completed", status: { gap: "conflict-status" } },
  "ceiling-reached": {
    title: "A plan limit has been reached",
    status: { gap: "ceiling-status" },
    example:
      "The organization's maximum number of members, including the owner and pending members, is 1 (plan free). Remove a member or switch to a plan with a higher limit.",
  },
  "internal-error": { title: "The emulator failed", status: 500 },
} as const satisfies Readonly<Record<string, ProblemKindDefinition>>;

export type ProblemKind = keyof typeof problemKinds;

/** Returns the definition of a kind, with its literal types widened. */
export function getProblemDefinition(kind: ProblemKind): ProblemKindDefinition {
  return problemKinds[kind];
}

/** Returns the `type` URL of a kind of problem. */
export function getProblemType(kind: ProblemKind): string {
  return `https://data-service.example/problems/${kind}`;
}

/** Returns the fields of a kind's example other than `type`, `title` and `status`; undefined if there is no example. */
export function getProblemExample(
  kind: ProblemKind,
): (Pick<ProblemKindDefinition, "errors"> & { readonly detail: string }) | undefined {
  const { example: detail, errors } = getProblemDefinition(kind);
  return detail === undefined ? undefined : { detail, ...(errors === undefined ? {} : { errors }) };
}

/** An example of each error of the SQL interface, verified by the same test as the examples of problems. */
export const sqlErrorExamples: Readonly<
  Record<(typeof sqlErrorCodes)[number], { readonly message: string; readonly details: string }>
> = {
  SQL_SYNTAX_ERROR: {
    message: "not supported: the statement SELEC",
    details: "line 1, column 1",
  },
  SQL_VALIDATION_ERROR: {
    message: 'table "products" has no column "colour"',
    details: "The columns are sku, name, price, category, stock, tags.",
  },
  ACCESS_DENIED: {
    message: "DELETE is not allowed with this credential",
    details: "This statement needs the permission level write; the credential has the level read.",
  },
  TABLE_NOT_FOUND: {
    message: 'there is no table "product"',
    details:
      'Did you mean "products"? The profile determines whether unquoted names keep their case or are converted to lower or upper case.',
  },
  DATABASE_NOT_FOUND: {
    message: "there is no database with this id in the organization, which has db_demo",
    details: "Your API key is for org_demo_pro; each organization has its own keys.",
  },
  SQL_EXECUTION_ERROR: {
    message: "Bad Request",
    details: "The fault rule fault_5xnfhbvbcdm5r3yp responded instead of the service.",
  },
};
