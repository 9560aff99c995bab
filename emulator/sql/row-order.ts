import { unpeekedMarker } from "../sqlite/markers.js";
import { createSqlValidationError, rejectRepeatedColumn } from "./grammar/sql-error.js";
import type { OrderItem } from "./grammar/syntax.js";
import type { Column, Table } from "./table.js";
import type { StoredValue } from "./types/codec.js";

/** The order of a result. */
interface RowOrder {
  /** The columns that identify a row of the result; empty if the condition selects a single row. */
  readonly columns: readonly Column[];
  /** ORDER BY clause, if any. */
  readonly sql: string;
  /** Condition for the rows after a position. */
  readonly after: string;
  /** Returns the bound values for `after`. @param values the values of the last row, one per column */
  readonly getAfterValues: (values: readonly StoredValue[]) => readonly StoredValue[];
}

/**
 * Compiles the order of a result: by the items of ORDER BY, then by the key, in the direction of the last item. Columns with
 * fixed values are ignored.
 *
 * @throws SqlError SQL_VALIDATION_ERROR for columns that are not clustering columns
 */
export function compileRowOrder(
  table: Table,
  orderBy: readonly OrderItem[],
  fixedColumns: ReadonlySet<Column>,
): RowOrder {
  const directions = new Map<Column, "asc" | "desc">();
  for (const item of orderBy) {
    const column = table.byName.get(item.column);
    if (column?.key !== "clustering")
      throw createSqlValidationError(
        `the result cannot be ordered by ${JSON.stringify(item.column)}`,
        `ORDER BY supports only clustering columns; this table has ${formatClusteringNames(table)}.`,
      );
    directions.set(column, item.direction);
  }
  rejectRepeatedColumn(
    "ORDER BY names",
    orderBy.map(({ column }) => column),
  );
  const lastDirection = orderBy.at(-1)?.direction ?? "asc";
  for (const column of table.key) if (!directions.has(column)) directions.set(column, lastDirection);
  const ordered = [...directions].filter(([column]) => !fixedColumns.has(column));
  if (ordered.length === 0) return { columns: [], sql: "", after: "1", getAfterValues: () => [] };
  const columns = ordered.map(([column]) => column);
  const items = ordered.map(([column, direction]) => `${column.sqlName} ${direction}`);
  return { columns, sql: `ORDER BY ${items.join(", ")}`, ...compileContinuation(ordered) };
}

function compileContinuation(
  ordered: readonly (readonly [Column, "asc" | "desc"])[],
): Pick<RowOrder, "after" | "getAfterValues"> {
  const first = ordered[0]?.[1];
  const sign = (direction: string | undefined): string => (direction === "asc" ? ">" : "<");
  if (ordered.every(([, direction]) => direction === first)) {
    // SQLite seeks a row value in the key.
    const names = ordered.map(([column]) => column.sqlName).join(", ");
    const markers = ordered.map(() => unpeekedMarker).join(", ");
    return { after: `(${names}) ${sign(first)} (${markers})`, getAfterValues: (values) => values };
  }
  // a > ? OR (a = ? AND (b < ? OR …)). It begins with a >= ?, so that SQLite can use the key for the first column.
  const expand = (index: number): string => {
    const [column, direction] = ordered[index] ?? [];
    const name = column?.sqlName ?? "";
    const beyond = `${name} ${sign(direction)} ${unpeekedMarker}`;
    return index === ordered.length - 1
      ? beyond
      : `(${beyond} OR (${name} = ${unpeekedMarker} AND ${expand(index + 1)}))`;
  };
  return {
    after: `(${ordered[0]?.[0].sqlName ?? ""} ${sign(first)}= ${unpeekedMarker} AND ${expand(0)})`,
    getAfterValues: (values) => [
      ...values.slice(0, 1),
      ...values.flatMap((value, index) => (index === values.length - 1 ? [value] : [value, value])),
    ],
  };
}

function formatClusteringNames(table: Table): string {
  const names = table.key.filter((column) => column.key === "clustering").map((column) => column.name);
  return names.length === 0 ? "none" : names.join(", ");
}
