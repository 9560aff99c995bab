import type { Check } from "../check/check.js";
import { sqlLevelChecks } from "./sql/levels.js";
import { sqlRowChecks } from "./sql/rows.js";
import { sqlStatementChecks } from "./sql/statements.js";
import { sqlTableChecks } from "./sql/tables.js";
import { sqlTypeChecks } from "./sql/values.js";

/** Parts 2, 4.8, 5 and 7: the SQL interface. */
export const sqlChecks: readonly Check[] = [
  // values that a type rejects are covered by a check of their own
  ...sqlTypeChecks,
  ...sqlStatementChecks,
  ...sqlTableChecks,
  ...sqlRowChecks,
  ...sqlLevelChecks,
];
