import { billingClauses } from "./billing.js";
import type { Clause } from "./clause.js";
import { batchClauses, transactionClauses } from "./batches.js";
import { databaseClauses } from "./databases.js";
import { generalClauses } from "./general.js";
import { healthClauses } from "./health.js";
import { itemClauses } from "./items.js";
import { organizationClauses } from "./organizations.js";
import { repositoryClauses } from "./repositories.js";
import { sessionClauses } from "./session.js";
import { sqlClauses } from "./sql.js";

/** The register of clauses: every testable statement of the specification, by id. Each area has prefixes of its own. */
export const clauses = {
  ...generalClauses,
  ...sessionClauses,
  ...databaseClauses,
  ...itemClauses,
  ...sqlClauses,
  ...batchClauses,
  ...transactionClauses,
  ...repositoryClauses,
  ...organizationClauses,
  ...billingClauses,
  ...healthClauses,
} as const satisfies Readonly<Record<string, Clause>>;

export type ClauseId = keyof typeof clauses;

/** All clause ids, in the order of the register. */
export const clauseIds = Object.keys(clauses) as ClauseId[];

/** The clauses from one to another, both included, in the order of the register. */
export function getClauseRange(first: ClauseId, last: ClauseId): readonly ClauseId[] {
  return clauseIds.slice(clauseIds.indexOf(first), clauseIds.indexOf(last) + 1);
}
