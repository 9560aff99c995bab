import { answersToTry, defaultAnswer, type GapId, gapIds, gapOf } from "../../openapi/gaps/register.js";
import type { Area } from "../check.js";
import type { Variant } from "./mutant.js";

/** Gaps with an answer under which a whole area cannot be run: three requests a second would take hours. */
type Untried = "rate-limit";

/** The areas whose checks meet the answer to a gap. */
const areasOf: Readonly<Record<Exclude<GapId, Untried>, readonly [Area, ...Area[]]>> = {
  "validation-status": ["session", "databases", "items", "entities", "organizations"],
  "error-body": ["session", "items", "databases"],
  "unknown-request-members": ["items", "entities", "databases"],
  "null-optional-members": ["items", "entities", "repositories", "databases", "sql", "organizations"],
  "malformed-body-status": ["session", "databases", "repositories"],
  "content-type": ["session"],
  "content-type-status": ["session"],
  "conflict-status": ["databases", "organizations", "repositories"],
  "page-limit-max": ["items", "entities", "sql"],
  "page-limit-over": ["items", "entities"],
  "json-depth-max": ["items", "entities"],
  "request-bytes-max": ["limits"],
  "cross-origin": ["session"],
  "dead-status": ["health"],
  "unauthenticated-status": ["access", "session"],
  "forbidden-status": ["access", "members"],
  "wrong-credential-kind-status": ["access"],
  "foreign-resource-status": ["isolation", "access"],
  "suspended-organization": ["organizations"],
  "login-organization": ["session"],
  "failed-login-auth-response": ["session"],
  "refresh-token-reuse": ["session"],
  "database-ready": ["databases"],
  "region-list": ["databases"],
  "duplicate-database-name": ["databases"],
  "ceiling-status": ["databases", "members"],
  "database-unavailable-status": ["databases"],
  "put-item-route": ["items", "access"],
  "condition-failed-status": ["items", "concurrency"],
  "item-too-large-status": ["items", "batches", "transactions", "limits"],
  "delete-missing-item": ["items", "sequences", "concurrency"],
  "created-at-on-replace": ["items"],
  "limit-counts": ["items"],
  "condition-grammar": ["items", "batches", "transactions"],
  "condition-values": ["items", "batches", "transactions"],
  "item-filter-grammar": ["items"],
  "expression-length-max": ["items"],
  "list-tables-route": ["sql"],
  "sql-insert-existing": ["sql"],
  "sql-filtering": ["sql"],
  "sql-parameter-order": ["sql"],
  "sql-key-levels": ["sql"],
  "sql-readonly-user": ["sql"],
  "sql-number-form": ["sql"],
  "sql-default-value-form": ["sql"],
  "sql-write-row-count": ["sql"],
  "sql-default-limit": ["sql"],
  "sql-identifier-case": ["sql"],
  "sql-unsupported-code": ["sql"],
  "sql-wrong-endpoint-code": ["sql"],
  "sql-length-max": ["sql"],
  "batch-too-large-status": ["batches", "transactions", "limits"],
  "empty-batch": ["batches", "transactions"],
  "batch-conditions": ["batches"],
  "batch-write-duplicate-key": ["batches"],
  "batch-get-duplicate-key": ["batches"],
  "transaction-failed-status": ["transactions", "concurrency", "limits"],
  "transaction-too-large-status": ["limits"],
  "update-missing-item": ["transactions"],
  "transaction-duplicate-key": ["transactions"],
  "token-reuse-other-body": ["transactions"],
  "duplicate-repository-name": ["repositories"],
  "repository-schema-unknown-keys": ["repositories"],
  "repository-filter-grammar": ["entities"],
  "entity-put": ["entities"],
  "entity-unknown-fields": ["entities"],
  "entity-version-field": ["entities"],
  "entity-size-limit": ["limits", "entities"],
  "delete-missing-entity": ["entities"],
  "entity-list-order": ["entities"],
  "sort-order-values": ["entities"],
  "sort-order-alone": ["entities"],
  "sort-missing-field": ["entities"],
  "duplicate-slug": ["organizations"],
  "member-id": ["members"],
  "last-owner": ["members"],
  "email-format": ["members", "organizations"],
  "require-mfa": ["organizations"],
  "plans-route": ["plans"],
  "plan-route": ["plans"],
  "payment-credential": ["billing", "access"],
  "free-subscription": ["billing"],
  "free-plan-expiry": ["billing"],
  "past-due-active": ["billing"],
  "checkout-current-plan": ["billing"],
  "usage-period": ["billing"],
  "monthly-requests": ["billing"],
};

/** For every answer to every gap but the default one a variant in each area that it concerns. */
export const gapVariants: readonly Variant[] = gapIds.filter(isTried).flatMap((id) =>
  answersToTry(id)
    .filter((answer) => JSON.stringify(answer) !== JSON.stringify(defaultAnswer(id)))
    .flatMap((answer) =>
      areasOf[id].map((area): Variant => ({
        id: `${area}/${id} ${String(answer)}`,
        title: `${gapOf(id).question} ${String(answer)}`,
        profile: { [id]: answer },
      })),
    ),
);

function isTried(id: GapId): id is Exclude<GapId, Untried> {
  return id !== "rate-limit";
}
