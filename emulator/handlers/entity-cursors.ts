import { createHash } from "node:crypto";
import {
  foreignCursor,
  type GivenCursor,
  type PositionShape,
  readPosition,
  writePosition,
} from "../domain/cursor.js";
import { JsonError } from "../json/json-error.js";
import type { JsonValue } from "../json/json-value.js";
import { readJson } from "../json/read-json.js";
import { writeJson } from "../json/write-json.js";
import { type EntityPosition, sortValue } from "../repositories/entity-order.js";
import type { PageStart } from "../repositories/find-entities.js";
import type { RepositoryRow } from "../store/repositories.js";
import { timestamp } from "../time/timestamp.js";
import { deepest } from "./conditions.js";
import type { Context } from "./handler.js";

/** The longest text of a sort value that a cursor carries itself, in UTF-16 units. */
const maxValueLength = 500;

/** What cursors of a sorted page hold. */
const positionShapes = [
  ["number", "string"],
  ["number", "string", "number"],
] as const satisfies readonly PositionShape[];

/** The text that stands for a missing value: no JSON text is empty. */
const missing = "";

/**
 * Writes the cursor of a sorted page: the number and the sort value of its last entity, so that the next page
 * starts after them whatever was written in between. For a long value the cursor carries a hash, and the count of
 * entities so far in case the entity has changed by then.
 */
export function writeSortCursor(scope: string, { value, sequence }: EntityPosition, count: number): string {
  const text = value === undefined ? missing : writeJson(value);
  return writePosition(
    scope,
    text.length <= maxValueLength ? [sequence, text] : [sequence, hashOf(text), count],
  );
}

/** Reads what {@link writeSortCursor} wrote. */
export function readSortCursor(
  scope: string,
  given: GivenCursor,
  sortBy: string,
  { ref }: RepositoryRow,
  { store }: Context,
): PageStart {
  const position = readPosition(scope, given, ...positionShapes);
  if (position === undefined) return { skip: 0 };
  const [sequence, text, count] = position as [number, string, number?];
  if (count === undefined) {
    const value = text === missing ? undefined : valueOf(text);
    return { after: { value, sequence } };
  }
  const row = store.entities.bySequence(ref, sequence);
  if (row !== undefined) {
    const { id, createdAt, updatedAt } = row;
    const system = { id, createdAt: timestamp(createdAt), updatedAt: timestamp(updatedAt) };
    const value = sortValue(system, readJson(row.data, { maxDepth: deepest }), sortBy);
    if (value !== undefined && hashOf(writeJson(value)) === text) return { after: { value, sequence } };
  }
  // the last entity of the page before is not where it was; those before it are
  return { skip: Math.max(0, count - 1) };
}

function valueOf(text: string): JsonValue {
  try {
    return readJson(text, { maxDepth: deepest });
  } catch (error) {
    if (error instanceof JsonError) throw foreignCursor("body");
    throw error;
  }
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 22);
}
