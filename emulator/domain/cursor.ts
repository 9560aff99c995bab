import { createValidationProblem, type Problem } from "./problem.js";

/** The keys of an entry of a list, as its reader needs them to go on after it. */
export type CursorPosition = readonly (string | number)[];

/**
 * Writes a position in a list as an opaque cursor. It holds the keys of the last entry, so that the next page
 * starts after them whatever was written or deleted in between.
 *
 * @param scope tells the list, and the keys, conditions and order of the request, from all others
 */
export function encodeCursor(scope: string, position: CursorPosition): string {
  const text = JSON.stringify(position);
  return Buffer.from(checksum(scope + text) + text).toString("base64url");
}

/**
 * Makes sure that a page leads on: a client that follows its cursor would otherwise never come to an end.
 *
 * @param order of the place where the page ends to the place after which it began: positive when it lies beyond
 */
export function assertPageAdvances(order: number): void {
  if (!(order > 0)) throw new Error("a page ends at or before the place where it began");
}

/** What the places of a position hold: whole numbers or texts. */
export type CursorShape = readonly ("number" | "string")[];

/** A cursor as a request carried it. */
export interface CursorParameter {
  /** Nothing, or null, for the first page. */
  readonly cursor: string | null | undefined;
  /** Where the request carried it, for the error. */
  readonly place: "query" | "body";
}

/**
 * Reads the position that {@link encodeCursor} wrote. The checksum is no secret, so what is inside is looked at as well.
 *
 * @param shapes what the list writes into its cursors
 * @returns nothing for the first page
 * @throws a problem `validation-failed` for a text that is no cursor, or one of another list or query
 */
export function decodeCursor(
  scope: string,
  { cursor, place }: CursorParameter,
  ...shapes: readonly CursorShape[]
): CursorPosition | undefined {
  if (cursor === undefined || cursor === null) return undefined;
  const text = Buffer.from(cursor, "base64url").toString();
  const written = text.slice(checksumLength);
  const isWhole = text.startsWith(checksum(scope + written)) && isCanonical(cursor);
  const position = isWhole ? parsed(written) : undefined;
  if (position === undefined || !shapes.some((shape) => hasShape(position, shape)))
    throw createInvalidCursorProblem(place);
  return position as CursorPosition;
}

/** The refusal of a cursor that no page of the list gave out. */
export function createInvalidCursorProblem(place: "query" | "body"): Problem {
  return createValidationProblem({
    in: place,
    pointer: "/cursor",
    detail:
      "is not a cursor of this list. Pass the nextCursor of the previous page, with the same keys and conditions",
  });
}

function parsed(text: string): readonly unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function hasShape(position: readonly unknown[], shape: CursorShape): boolean {
  return (
    position.length === shape.length &&
    position.every((value, index) =>
      shape[index] === "number" ? Number.isSafeInteger(value) : isString(value),
    )
  );
}

/** A text that a store can hold: half a character is none. */
export function isString(value: unknown): value is string {
  return typeof value === "string" && value.isWellFormed();
}

function isCanonical(cursor: string): boolean {
  return Buffer.from(cursor, "base64url").toString("base64url") === cursor;
}

const checksumLength = 7;

/** FNV-1a over UTF-16 units: notices a cursor of another list; it is no protection and need not be. */
function checksum(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash ^= text.charCodeAt(index);
    hash = Math.imul(hash, 0x01000193);
  }
  return (hash >>> 0).toString(36).padStart(checksumLength, "0");
}
