import { hashText } from "../../openapi/text/hash-text.js";
import { createValidationProblem, type Problem } from "./problem.js";
import { tryTo } from "../../openapi/text/try-to.js";

/**
 * Writes a position in a list as an opaque cursor. The position consists of the keys of the last entry, so that the next
 * page starts after them, whatever was written or deleted in between.
 *
 * @param scope identifies the list and the keys, conditions and order of the request
 */
export function encodeCursor(scope: string, position: readonly (string | number | null)[]): string {
  const text = JSON.stringify(position);
  return Buffer.from(checksum(scope + text) + text).toString("base64url");
}

/** The types of the keys in a position: whole numbers or texts. */
type CursorShape = readonly ("number" | "string")[];

type CursorPosition<Shape extends CursorShape> = {
  readonly [Index in keyof Shape]: Shape[Index] extends "number" ? number : string;
};

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
export function decodeCursor<const Shape extends CursorShape>(
  scope: string,
  { cursor, place }: CursorParameter,
  shape: Shape,
): CursorPosition<Shape> | undefined {
  if (cursor === undefined || cursor === null) return undefined;
  const position = cursor.length > maxLength ? undefined : readCursor(scope, cursor);
  if (position === undefined || !hasShape(position, shape)) throw createInvalidCursorProblem(place);
  return position as CursorPosition<Shape>;
}

/** Reads the keys in a cursor, which may be of any type; undefined for a text that is not a cursor of this list. */
export function readCursor(scope: string, cursor: string): readonly unknown[] | undefined {
  const bytes = Buffer.from(cursor, "base64url");
  const text = bytes.toString();
  const json = text.slice(checksumLength);
  // Node decodes other spellings of the same bytes, too.
  const isIntact = text.startsWith(checksum(scope + json)) && bytes.toString("base64url") === cursor;
  const position = isIntact ? tryTo(() => JSON.parse(json) as unknown) : undefined;
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

const checksumLength = 7;

/** Longer than any cursor, even one with the longest keys and every character escaped. */
const maxLength = 4 * 1024 * 1024;

/** Detects a cursor of another list. It does not need to be secure. */
function checksum(text: string): string {
  return (hashText(text) >>> 0).toString(36).padStart(checksumLength, "0");
}
