import type { Check } from "../check/check.js";
import { sqlLevelChecks } from "./sql/levels.js";
import { sqlRowChecks } from "./sql/rows.js";
import { sqlStatementChecks } from "./sql/statements.js";
import { sqlTableChecks } from "./sql/tables.js";
import { sqlTypeChecks } from "./sql/values.js";

/** Parts 2, 4.8, 5 and 7: the SQL interface. */
export const sqlChecks: readonly Check[] = [
  // what a type does not hold is told by its own check
  ...sqlTypeChecks,
  ...sqlStatementChecks,
  ...sqlTableChecks,
  ...sqlRowChecks,
  ...sqlLevelChecks,
];
