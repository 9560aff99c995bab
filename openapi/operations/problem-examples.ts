import type { ProblemKind } from "./problems.js";
import type { sqlErrorCodes } from "../schemas/sql.js";

/** What an answer of a kind of problem holds besides what every answer of the kind holds. */
interface ProblemExample {
  readonly detail: string;
  readonly errors?: readonly { readonly in: string; readonly pointer: string; readonly detail: string }[];
}

/**
 * An example of each kind of problem that the service answers with: what the emulator answers to a request of the demo
 * fixture (`emulator/api/problem-examples.test.ts` sends it).
 */
export const problemExamples: Readonly<Partial<Record<ProblemKind, ProblemExample>>> = {
  "validation-failed": {
    detail: "body /partitionKey: is required (and 1 more; see errors)",
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
    detail: "The path has a percent escape that is not valid UTF-8: /api/v1/databases/db_demo/items/100%.",
  },
  "malformed-body": {
    detail:
      'The body is not valid JSON: expected a member name in double quotes but found "}" (line 1, column 22).',
  },
  "request-too-large": {
    detail: "A request body may have 16777216 bytes at most.",
  },
  "unsupported-media-type": {
    detail: "Send the body as JSON with `Content-Type: application/json`, not text/plain.",
  },
  unauthenticated: {
    detail: "Send `Authorization: Bearer <access token or API key>`.",
  },
  forbidden: {
    detail: "The API key needs the scope database:write; it has database:read.",
  },
  "wrong-credential-kind": {
    detail: "This operation takes the access token of a user, not an API key.",
  },
  "foreign-resource": {
    detail:
      "The database belongs to another organization. Your access token is for org_personal_outsider; POST /auth/switch-organization gives one for another organization.",
  },
  "item-not-found": {
    detail: 'There is no item with pk "settings" and sk "language".',
  },
  "nothing-to-delete": {
    detail: 'There is no item with pk "settings" and sk "language".',
  },
  "database-not-found": {
    detail:
      "There is no database of this id in the organization. Your access token is for org_personal_owner; POST /auth/switch-organization gives one for another organization.",
  },
  "repository-not-found": {
    detail:
      "There is no repository of this id. Your API key is for org_demo_pro; another organization has keys of its own.",
  },
  "entity-not-found": {
    detail: "There is no entity of this id in the repository.",
  },
  "organization-not-found": {
    detail: "There is no organization of this id that you are a member of.",
  },
  "member-not-found": {
    detail: "The organization has no member user_missing. GET the members lists them.",
  },
  "plan-not-found": {
    detail: "There is no plan of this id; there are plan_free, plan_pro, plan_enterprise.",
  },
  "subscription-not-found": {
    detail: "The organization is on the free plan and has no subscription.",
  },
  "database-unavailable": {
    detail: "The database is Maintenance; its data cannot be reached at present.",
  },
  "condition-failed": {
    detail: "The conditionExpression does not hold for the item; nothing was written.",
  },
  "batch-too-large": {
    detail: "items must have at most 25 entries",
    errors: [
      {
        in: "body",
        pointer: "/items",
        detail: "must have at most 25 entries",
      },
    ],
  },
  "transaction-too-large": {
    detail: "The transaction has 4194355 bytes; 4194304 are allowed.",
  },
  "item-too-large": {
    detail: "The item has 409613 bytes; 409600 are allowed (keys and compact JSON of data, UTF-8).",
  },
  "entry-too-large": {
    detail: "The item has 409613 bytes; 409600 are allowed (keys and compact JSON of data, UTF-8).",
  },
  conflict: {
    detail: "Another organization has the slug demo-pro. Choose another, or leave it out.",
  },
  "last-owner": {
    detail: "This is the last owner. Make somebody else an owner first.",
  },
  "personal-organization": {
    detail: "This is your personal organization; every user keeps theirs.",
  },
  "organization-with-databases": {
    detail: "The organization still has databases: 1. Delete them first.",
  },
  "deleted-organization": {
    detail: "The organization is deleted; it cannot be changed any more.",
  },
  "lower-plan": {
    detail: "The organization is on the plan enterprise: downgrades go through the billing portal.",
  },
  "quota-exhausted": {
    detail:
      "The organization has used the 10000 requests of its billing period (plan free). Wait for the next one, or change the plan.",
  },
  "rate-limited": {
    detail: "The organization may make 1 requests a second.",
  },
  "ceiling-reached": {
    detail:
      "The organization may have 1 members, the owner and pending ones included (plan free). Remove one or change the plan.",
  },
};

/** An example of each error of the SQL interface, from where those of the problems are. */
export const sqlErrorExamples: Readonly<
  Record<(typeof sqlErrorCodes)[number], { readonly message: string; readonly details: string }>
> = {
  SQL_SYNTAX_ERROR: {
    message: "not supported: the statement SELEC",
    details: "line 1, column 1",
  },
  SQL_VALIDATION_ERROR: {
    message: 'table "products" has no column "colour"',
    details: "Its columns are sku, name, price, category, stock, tags.",
  },
  ACCESS_DENIED: {
    message: "DELETE is not allowed with this credential",
    details: "It needs the permission level write; the credential has read.",
  },
  TABLE_NOT_FOUND: {
    message: 'there is no table "product"',
    details: 'Did you mean "products"? Names without double quotes are read as the dialect folds them.',
  },
  DATABASE_NOT_FOUND: {
    message: "there is no database of this id in the organization",
    details: "Databases are listed by GET /api/v1/management/databases.",
  },
  SQL_EXECUTION_ERROR: {
    message: "Bad Request",
    details: "The fault rule fault_5xnfhbvbcdm5r3yp answers in place of the service.",
  },
};
