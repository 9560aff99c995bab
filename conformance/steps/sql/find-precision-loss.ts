import type { ClauseId } from "../../../openapi/clauses/register.js";
import type { Row, SqlTableModel } from "../../models/sql-table.js";
import { getSqlTypeClause, wrongTypePattern, type SqlType } from "../../models/sql-types.js";

/** A value that a column does not hold as it was given. */
export interface PrecisionLoss {
  readonly clause: ClauseId;
  readonly column: string;
  /** Canonical values. */
  readonly given: string;
  readonly seen: string;
}

/**
 * A value in rows of an answer that is one of those given, less exactly, or is none of its type. The type is at fault
 * then, whatever the statement was.
 */
export function findPrecisionLoss(
  model: SqlTableModel,
  rows: readonly Row[],
  columns: readonly string[],
): PrecisionLoss | undefined {
  for (const row of rows)
    for (const column of columns) {
      const seen = row[column] ?? null;
      const given = model.given(column);
      if (seen === null || given.includes(seen)) continue;
      const type = model.typeOf(column);
      const lost = given.find((value) => roughly(type, value) === roughly(type, seen));
      if (lost !== undefined)
        return { clause: getSqlTypeClause(innermost(type).family), column, given: lost, seen };
      const [first] = given;
      if (wrongTypePattern.test(seen) && first !== undefined)
        return { clause: getSqlTypeClause(type.family), column, given: first, seen };
    }
  return undefined;
}

/** The type of the values in a collection, or the type itself. */
function innermost(type: SqlType): SqlType {
  const last = type.elements.at(-1);
  return last === undefined ? type : innermost(last);
}

const numbers = /(?:not rounded to 32 bits: |no whole number: )?(-?\d+(?:\.\d+)?(?:e[-+]?\d+)?)/g;

/** A canonical value with its numbers as doubles, or as floats where the type has 32 bits. */
function roughly(type: SqlType, canonical: string): string {
  const { family } = innermost(type);
  if (!["BIGINT", "DECIMAL", "DOUBLE", "FLOAT"].includes(family)) return canonical;
  const round = family === "FLOAT" ? Math.fround : (number: number) => number;
  return canonical.replace(numbers, (_, digits: string) => String(round(Number(digits)) + 0));
}
