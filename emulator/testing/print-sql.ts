import type {
  ColumnDefinition,
  Condition,
  Literal,
  SelectItem,
  Statement,
  Value,
} from "../sql/grammar/syntax.js";
import { getCodec } from "../sql/types/get-codec.js";
import { quoteName } from "../sqlite/quote-name.js";

/** Formats a statement in the dialect of `sql.peggy`, with quoted names. Parsing the text gives the same tree. */
export function printSql(statement: Statement): string {
  switch (statement.kind) {
    case "select": {
      const { selection, table, where, orderBy, limit, allowFiltering } = statement;
      const wanted = selection.kind === "all" ? "*" : selection.items.map(printItem).join(", ");
      const order = orderBy.map((item) => `${quoteName(item.column)} ${item.direction.toUpperCase()}`);
      return join(
        `SELECT ${wanted} FROM ${quoteName(table)}`,
        printWhere(where),
        order.length > 0 && `ORDER BY ${order.join(", ")}`,
        limit && `LIMIT ${printValue(limit)}`,
        allowFiltering && "ALLOW FILTERING",
      );
    }
    case "insert": {
      const { table, columns, rows } = statement;
      const values = rows.map((row) => `(${row.map(printValue).join(", ")})`).join(", ");
      return join(`INSERT INTO ${quoteName(table)}`, columns && `(${names(columns)})`, `VALUES ${values}`);
    }
    case "update": {
      const { table, assignments, where, allowFiltering } = statement;
      const changes = assignments.map(({ column, value }) => `${quoteName(column)} = ${printValue(value)}`);
      return join(
        `UPDATE ${quoteName(table)} SET ${changes.join(", ")}`,
        printWhere(where),
        allowFiltering && "ALLOW FILTERING",
      );
    }
    case "delete":
      return join(
        `DELETE FROM ${quoteName(statement.table)}`,
        printWhere(statement.where),
        statement.allowFiltering && "ALLOW FILTERING",
      );
    case "create-table": {
      const { table, ifNotExists, columns, primaryKey: key } = statement;
      const elements = columns.map(printColumn);
      if (key !== null)
        elements.push(
          `PRIMARY KEY (${[`(${names(key.partition)})`, ...key.clustering.map(quoteName)].join(", ")})`,
        );
      return join(
        "CREATE TABLE",
        ifNotExists && "IF NOT EXISTS",
        quoteName(table),
        `(${elements.join(", ")})`,
      );
    }
    case "alter-table": {
      const { table, action } = statement;
      const head = `ALTER TABLE ${quoteName(table)}`;
      if (action.kind === "add")
        return join(head, "ADD COLUMN", action.ifNotExists && "IF NOT EXISTS", printColumn(action.column));
      if (action.kind === "drop")
        return join(head, "DROP COLUMN", action.ifExists && "IF EXISTS", quoteName(action.column));
      return `${head} RENAME COLUMN ${quoteName(action.from)} TO ${quoteName(action.to)}`;
    }
    case "drop-table":
      return join("DROP TABLE", statement.ifExists && "IF EXISTS", quoteName(statement.table));
    case "create-index": {
      const { index, ifNotExists, unique, table, columns } = statement;
      return join(
        unique ? "CREATE UNIQUE INDEX" : "CREATE INDEX",
        ifNotExists && "IF NOT EXISTS",
        `${quoteName(index)} ON ${quoteName(table)} (${names(columns)})`,
      );
    }
    case "drop-index":
      return join("DROP INDEX", statement.ifExists && "IF EXISTS", quoteName(statement.index));
  }
}

function printItem(item: SelectItem): string {
  const { kind, column, alias } = item;
  const name = column === null ? "*" : quoteName(column);
  return join(kind === "count" ? `COUNT(${name})` : name, alias !== null && `AS ${quoteName(alias)}`);
}

function printColumn({ name, type, notNull, defaultValue, primaryKey }: ColumnDefinition): string {
  return join(
    `${quoteName(name)} ${getCodec(type).type}`,
    notNull && "NOT NULL",
    defaultValue && `DEFAULT ${printValue(defaultValue)}`,
    primaryKey && "PRIMARY KEY",
  );
}

function printWhere(condition: Condition | null): string | null {
  return condition && `WHERE ${printCondition(condition)}`;
}

function printCondition(condition: Condition): string {
  switch (condition.kind) {
    case "compare":
      return `${quoteName(condition.column)} ${condition.operator} ${printValue(condition.value)}`;
    case "in":
      return `${quoteName(condition.column)} IN (${condition.values.map(printValue).join(", ")})`;
    case "between":
      return `${quoteName(condition.column)} BETWEEN ${printValue(condition.low)} AND ${printValue(condition.high)}`;
    case "like":
      return `${quoteName(condition.column)} LIKE ${printValue(condition.pattern)}`;
    case "is-null":
      return `${quoteName(condition.column)} IS ${condition.negated ? "NOT NULL" : "NULL"}`;
    case "and":
    case "or":
      return condition.operands
        .map((operand) => `(${printCondition(operand)})`)
        .join(` ${condition.kind.toUpperCase()} `);
    case "not":
      return `NOT (${printCondition(condition.operand)})`;
  }
}

function printValue(value: Value): string {
  return value.kind === "parameter" ? "?" : printLiteral(value);
}

function printLiteral(literal: Literal): string {
  switch (literal.kind) {
    case "null":
      return "NULL";
    case "boolean":
      return literal.value ? "TRUE" : "FALSE";
    case "string":
      return `'${literal.value.replaceAll("'", "''")}'`;
    case "number":
      return literal.text;
    case "blob":
      return `X'${literal.hex}'`;
    case "list":
      return `[${literal.items.map(printValue).join(", ")}]`;
    case "set":
      return `{${literal.items.map(printValue).join(", ")}}`;
    case "map":
      return `{${literal.entries.map(({ key, value }) => `${printValue(key)}: ${printValue(value)}`).join(", ")}}`;
  }
}

function names(columns: readonly string[]): string {
  return columns.map(quoteName).join(", ");
}

function join(...parts: readonly (string | false | null)[]): string {
  return parts.filter((part) => part !== false && part !== null).join(" ");
}
