import { scalarTypeNames, type SqlType } from "../sql/grammar/syntax.js";
import type { ColumnRecord, TableRecord } from "../sql/table.js";

/** What the catalog says of a table, if it is a table that the SQL interface could have made. */
export function readTableRecord(text: string): TableRecord | undefined {
  const given = parsed(text);
  if (!isRecord(given)) return undefined;
  const { nextColumnId, columns, partition, clustering } = given;
  if (!isId(nextColumnId) || !Array.isArray(columns) || !columns.every(isColumn)) return undefined;
  if (!isIds(partition) || !isIds(clustering) || partition.length === 0) return undefined;
  const ids = columns.map(({ id }) => id);
  const names = columns.map(({ name }) => name);
  const key = [...partition, ...clustering];
  const isWhole =
    isUnique(ids) &&
    isUnique(names) &&
    isUnique(key) &&
    ids.every((id) => id < nextColumnId) &&
    key.every((id) => columns.some((column) => column.id === id && column.type.kind === "scalar"));
  return isWhole ? { nextColumnId, columns, partition, clustering } : undefined;
}

/** The columns of an index, if the catalog names some. */
export function readColumnIds(text: string): readonly number[] | undefined {
  const given = parsed(text);
  return isIds(given) && given.length > 0 && isUnique(given) ? given : undefined;
}

function isColumn(given: unknown): given is ColumnRecord {
  return (
    isRecord(given) &&
    isId(given.id) &&
    typeof given.name === "string" &&
    typeof given.nullable === "boolean" &&
    (given.defaultJson === null || typeof given.defaultJson === "string") &&
    isType(given.type, 0)
  );
}

/** Deeper than the grammar of the SQL interface lets types nest. */
const maxTypeDepth = 100;

function isType(given: unknown, depth: number): given is SqlType {
  if (!isRecord(given) || depth > maxTypeDepth) return false;
  const { kind } = given;
  if (kind === "scalar") return (scalarTypeNames as readonly unknown[]).includes(given.name);
  if (kind === "list" || kind === "set") return isType(given.element, depth + 1);
  return kind === "map" && isType(given.key, depth + 1) && isType(given.value, depth + 1);
}

function isIds(given: unknown): given is readonly number[] {
  return Array.isArray(given) && given.every(isId);
}

function isId(given: unknown): given is number {
  return typeof given === "number" && Number.isSafeInteger(given) && given >= 0;
}

function isUnique(values: readonly unknown[]): boolean {
  return new Set(values).size === values.length;
}

function isRecord(given: unknown): given is Readonly<Record<string, unknown>> {
  return typeof given === "object" && given !== null && !Array.isArray(given);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
