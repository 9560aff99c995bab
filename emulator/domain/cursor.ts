import { hashText } from "../../openapi/text/hash-text.js";
import { createValidationProblem, type Problem } from "./problem.js";
import { tryTo } from "../../openapi/text/try-to.js";

/** The keys of an entry of a list, which identify the position after it. */
export type CursorPosition = readonly (string | number | null)[];

/**
 * Writes a position in a list as an opaque cursor. It contains the keys of the last entry, so that the next page
 * starts after them, whatever was written or deleted in between.
 *
 * @param scope identifies the list and the keys, conditions and order of the request
 */
export function encodeCursor(scope: string, position: CursorPosition): string {
  const text = JSON.stringify(position);
  return Buffer.from(checksum(scope + text) + text).toString("base64url");
}

/**
 * Asserts that a page makes progress: otherwise a client that follows the cursor would never finish.
 *
 * @param order compares the end of the page with the position after which it started: positive if it is later
 */
export function assertPageAdvances(order: number): void {
  if (!(order > 0)) throw new Error("a page ends at or before the place where it began");
}

/** The types of the keys in a position: whole numbers or texts. */
type CursorShape = readonly ("number" | "string")[];

/** A cursor in a request. */
export interface CursorParameter {
  /** Undefined or null for the first page. */
  readonly cursor: string | null | undefined;
  /** Location of the cursor in the request, for the error. */
  readonly place: "query" | "body";
}

/**
 * Reads the position that {@link encodeCursor} wrote. The checksum is not a secret, so the contents are checked as well.
 *
 * @param shape the types of the keys in the cursors of the list
 * @returns undefined for the first page
 * @throws a problem `validation-failed` for a text that is not a cursor of this list and query
 */
export function decodeCursor(
  scope: string,
  { cursor, place }: CursorParameter,
  shape: CursorShape,
): CursorPosition | undefined {
  if (cursor === undefined || cursor === null) return undefined;
  const position = cursor.length > maxLength ? undefined : readCursor(scope, cursor);
  if (position === undefined || !hasShape(position, shape)) throw createInvalidCursorProblem(place);
  return position as CursorPosition;
}

/** Reads the keys in a cursor, which may be of any type; undefined for a text that is not a cursor of this list. */
export function readCursor(scope: string, cursor: string): readonly unknown[] | undefined {
  const text = Buffer.from(cursor, "base64url").toString();
  const written = text.slice(checksumLength);
  const isWhole = text.startsWith(checksum(scope + written)) && isCanonical(cursor);
  const position = isWhole ? tryTo(() => JSON.parse(written) as unknown) : undefined;
  return Array.isArray(position) ? position : undefined;
}

/** The problem for a cursor that does not come from a page of the list. */
export function createInvalidCursorProblem(place: "query" | "body"): Problem {
  return createValidationProblem({
    in: place,
    pointer: "/cursor",
    detail:
      "is not a cursor for this list. Pass the nextCursor from the previous page, with the same keys and conditions",
  });
}

function hasShape(position: readonly unknown[], shape: CursorShape): boolean {
  return (
    position.length === shape.length &&
    position.every((value, index) =>
      shape[index] === "number" ? Number.isSafeInteger(value) : isString(value),
    )
  );
}

/** Whether a store can contain the text, which must not have half of a surrogate pair. */
export function isString(value: unknown): value is string {
  return typeof value === "string" && value.isWellFormed();
}

function isCanonical(cursor: string): boolean {
  return Buffer.from(cursor, "base64url").toString("base64url") === cursor;
}

const checksumLength = 7;

/** More than a cursor with the longest keys has, all of whose characters are escaped. */
const maxLength = 4 * 1024 * 1024;

/** Detects a cursor of another list. It does not need to be secure. */
function checksum(text: string): string {
  return (hashText(text) >>> 0).toString(36).padStart(checksumLength, "0");
}
