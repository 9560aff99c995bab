import { createHash } from "node:crypto";
import {
  createInvalidCursorProblem,
  type CursorParameter,
  type CursorShape,
  decodeCursor,
  encodeCursor,
} from "../domain/cursor.js";
import { JsonError } from "../json/json-error.js";
import type { JsonValue } from "../json/json-value.js";
import { parseJson } from "../json/parse-json.js";
import { stringifyJson } from "../json/stringify-json.js";
import { type EntityPosition, getSortValue } from "../repositories/entity-order.js";
import type { PageStart } from "../repositories/find-entities.js";
import type { RepositoryRow } from "../store/repositories.js";
import { formatTimestamp } from "../time/timestamp.js";
import { maxFilterDepth } from "./conditions.js";
import type { HandlerContext } from "./handler.js";

/** The longest text of a sort value that a cursor carries itself, in UTF-16 units. */
const maxValueLength = 500;

/** What cursors of a sorted page hold. */
const positionShapes = [
  ["number", "string"],
  ["number", "string", "number"],
] as const satisfies readonly CursorShape[];

/** The text that stands for a missing value: no JSON text is empty. */
const missingValue = "";

/**
 * Writes the cursor of a sorted page: the number and the sort value of its last entity, so that the next page
 * starts after them whatever was written in between. For a long value the cursor carries a hash, and the count of
 * entities so far in case the entity has changed by then.
 */
export function encodeSortCursor(scope: string, { value, sequence }: EntityPosition, count: number): string {
  const text = value === undefined ? missingValue : stringifyJson(value);
  return encodeCursor(
    scope,
    text.length <= maxValueLength ? [sequence, text] : [sequence, hashText(text), count],
  );
}

/** Reads what {@link encodeSortCursor} wrote. */
export function decodeSortCursor(
  scope: string,
  given: CursorParameter,
  sortBy: string,
  { ref }: RepositoryRow,
  { store }: HandlerContext,
): PageStart {
  const position = decodeCursor(scope, given, ...positionShapes);
  if (position === undefined) return { skip: 0 };
  const [sequence, text, count] = position as [number, string, number?];
  if (count === undefined) {
    const value = text === missingValue ? undefined : parseValue(text);
    return { after: { value, sequence } };
  }
  const row = store.entities.bySequence(ref, sequence);
  if (row !== undefined) {
    const { id, createdAt, updatedAt } = row;
    const system = { id, createdAt: formatTimestamp(createdAt), updatedAt: formatTimestamp(updatedAt) };
    const value = getSortValue(system, parseJson(row.data, { maxDepth: maxFilterDepth }), sortBy);
    if (value !== undefined && hashText(stringifyJson(value)) === text) return { after: { value, sequence } };
  }
  // the last entity of the page before is not where it was; those before it are
  return { skip: Math.max(0, count - 1) };
}

function parseValue(text: string): JsonValue {
  try {
    return parseJson(text, { maxDepth: maxFilterDepth });
  } catch (error) {
    if (error instanceof JsonError) throw createInvalidCursorProblem("body");
    throw error;
  }
}

function hashText(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 22);
}
