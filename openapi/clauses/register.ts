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

/** All clauses, by id. Each area has its own prefixes. */
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

/** Returns the clauses from the first to the last, inclusive, in the order of the register. */
export function getClauseRange(first: ClauseId, last: ClauseId): readonly ClauseId[] {
  return clauseIds.slice(clauseIds.indexOf(first), clauseIds.indexOf(last) + 1);
}
