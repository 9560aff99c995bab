import type { GapAnswer } from "../gaps/gap.js";
import type { GapId } from "../gaps/register.js";

/** Gaps whose answers are HTTP statuses. */
type StatusGap = Extract<GapId, `${string}-status` | "delete-missing-item">;

interface ProblemKindDefinition {
  readonly title: string;
  /** The status where the specification or HTTP decides it, otherwise the gap that does. */
  readonly status: number | { readonly gap: StatusGap };
  /** It arises only under profiles with this answer. */
  readonly onlyWith?: { readonly gap: GapId; readonly answer: GapAnswer };
  /** It arises under no profile with this answer. */
  readonly neverWith?: { readonly gap: GapId; readonly answer: GapAnswer };
}

const missing = { gap: "missing-resource-status" } as const;

/**
 * Every kind of error that the service answers with. The key is the last segment of the problem's `type` URL,
 * which stays the same between versions.
 */
export const problemKinds = {
  "validation-failed": { title: "The request is not valid", status: { gap: "validation-status" } },
  "malformed-request": { title: "The request cannot be read", status: 400 },
  "malformed-body": { title: "The body is no JSON", status: 400 },
  "request-too-large": { title: "The request body is too large", status: 413 },
  "unsupported-media-type": {
    title: "The content type is not supported",
    status: 415,
    neverWith: { gap: "content-type", answer: "ignore" },
  },
  "unknown-path": { title: "There is nothing at this path", status: 404 },
  "method-not-allowed": { title: "The method is not allowed here", status: 405 },
  unauthenticated: { title: "A valid credential is required", status: { gap: "unauthenticated-status" } },
  forbidden: { title: "The credential does not allow this", status: { gap: "forbidden-status" } },
  "wrong-credential-kind": {
    title: "Another kind of credential is required",
    status: { gap: "wrong-credential-kind-status" },
  },
  "foreign-resource": {
    title: "The resource belongs to another organization",
    status: { gap: "foreign-resource-status" },
  },
  "item-not-found": { title: "Item not found", status: 404 },
  "nothing-to-delete": {
    title: "There is no item to delete",
    status: { gap: "delete-missing-item" },
    neverWith: { gap: "delete-missing-item", answer: 204 },
  },
  "database-not-found": { title: "Database not found", status: missing },
  "repository-not-found": { title: "Repository not found", status: missing },
  "entity-not-found": { title: "Entity not found", status: missing },
  "organization-not-found": { title: "Organization not found", status: missing },
  "user-not-found": { title: "User not found", status: 404 },
  "api-key-not-found": { title: "API key not found", status: 404 },
  "fault-not-found": { title: "Fault rule not found", status: 404 },
  "too-many-faults": { title: "There are too many fault rules", status: 409 },
  "not-local": { title: "This is for local callers only", status: 403 },
  "namespace-not-found": { title: "Namespace not found", status: 404 },
  "default-namespace": { title: "The default namespace cannot be deleted", status: 409 },
  "snapshot-not-found": { title: "Snapshot not found", status: 404 },
  "limit-reached": { title: "The emulator keeps no more of these", status: 507 },
  "member-not-found": { title: "Member not found", status: missing },
  "plan-not-found": { title: "Plan not found", status: missing },
  "subscription-not-found": {
    title: "The organization has no subscription",
    status: 404,
    onlyWith: { gap: "free-subscription", answer: 404 },
  },
  "database-unavailable": {
    title: "The database is not available",
    status: { gap: "database-unavailable-status" },
  },
  "condition-failed": { title: "The condition does not hold", status: { gap: "condition-failed-status" } },
  "batch-too-large": { title: "There are too many entries", status: { gap: "batch-too-large-status" } },
  "transaction-too-large": {
    title: "The transaction is too large",
    status: { gap: "too-large-status" },
  },
  "item-too-large": { title: "The item is too large", status: { gap: "too-large-status" } },
  "entry-too-large": {
    title: "An item of the request is too large",
    status: { gap: "too-large-status" },
    onlyWith: { gap: "large-item-in-batch", answer: "fails-request" },
  },
  conflict: { title: "The name is already taken", status: { gap: "conflict-status" } },
  "last-owner": {
    title: "An organization needs an owner",
    status: { gap: "conflict-status" },
    onlyWith: { gap: "last-owner", answer: "reject" },
  },
  "personal-organization": {
    title: "A personal organization cannot be deleted",
    status: { gap: "conflict-status" },
  },
  "organization-with-databases": {
    title: "The organization still has databases",
    status: { gap: "conflict-status" },
    onlyWith: { gap: "organization-with-databases", answer: "refused" },
  },
  "deleted-organization": {
    title: "The organization is deleted",
    status: { gap: "conflict-status" },
    onlyWith: { gap: "deleted-organization", answer: "shown" },
  },
  "lower-plan": { title: "The organization has a higher plan", status: { gap: "conflict-status" } },
  "quota-exhausted": {
    title: "The requests of the month are used up",
    status: 429,
    onlyWith: { gap: "monthly-requests", answer: 429 },
  },
  "rate-limited": {
    title: "There are too many requests",
    status: 429,
    neverWith: { gap: "rate-limit", answer: "none" },
  },
  "checkout-not-found": { title: "Checkout not found", status: 404 },
  "checkout-completed": { title: "The checkout is completed already", status: { gap: "conflict-status" } },
  "ceiling-reached": { title: "A ceiling of the plan is reached", status: { gap: "ceiling-status" } },
  "internal-error": { title: "The emulator failed", status: 500 },
} as const satisfies Readonly<Record<string, ProblemKindDefinition>>;

export type ProblemKind = keyof typeof problemKinds;

/** The definition of a kind with its literal types widened. */
export function problemKindOf(kind: ProblemKind): ProblemKindDefinition {
  return problemKinds[kind];
}

/** The stable `type` URL of a kind of problem. */
export function problemType(kind: ProblemKind): string {
  return `https://data-service.example/problems/${kind}`;
}
