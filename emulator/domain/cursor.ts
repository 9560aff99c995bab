import type { Profile } from "../../openapi/gaps/profile.js";
import { invalid, type Problem } from "./problem.js";

/** The keys of an entry of a list, as its reader needs them to go on after it. */
export type Position = readonly (string | number)[];

/** What a cursor belongs to. */
export interface CursorScope {
  /** Operation and database or repository: the cursor works there alone. */
  readonly list: string;
  /** Keys, conditions and order of the request, where it has some. */
  readonly query?: string;
  /** Its filter, where it has one. */
  readonly filter?: string;
}

/**
 * Writes a position in a list as an opaque cursor. It holds the keys of the last entry, so that the next page
 * starts after them whatever was written or deleted in between.
 */
export function writePosition({ list, query = "", filter = "" }: CursorScope, position: Position): string {
  const text = JSON.stringify(position);
  return Buffer.from(checksum(list + text) + checksum(query) + checksum(filter) + text).toString("base64url");
}

/** What the places of a position hold: whole numbers or texts. */
export type PositionShape = readonly ("number" | "string")[];

/** What the specification leaves open about cursors. */
export type CursorRules = Pick<Profile, "unknown-cursor" | "empty-cursor" | "cursor-of-other-query">;

/** A cursor as a request carried it. */
export interface GivenCursor {
  /** Nothing, or null, for the first page. */
  readonly cursor: string | null | undefined;
  /** Where the request carried it, for the error. */
  readonly place: "query" | "body";
  readonly rules: CursorRules;
}

/**
 * Reads the position that {@link writePosition} wrote. The checksum is no secret, so what is inside is looked at as well.
 *
 * @param shapes what the list writes into its cursors
 * @returns the position, and whether the request has the very keys, conditions and order of the page before; nothing for
 *   the first page
 * @throws a problem `validation-failed` for a text that is no cursor, or one of another list, where it is refused
 */
export function readPosition(
  scope: CursorScope,
  { cursor, place, rules }: GivenCursor,
  ...shapes: readonly PositionShape[]
): { readonly position: Position; readonly isOfQuery: boolean } | undefined {
  if (cursor === undefined || cursor === null || (cursor === "" && rules["empty-cursor"] === "first-page"))
    return undefined;
  const text = Buffer.from(cursor, "base64url").toString();
  const [ofList, ofQuery, ofFilter] = [0, 1, 2].map((part) =>
    text.slice(part * checksumLength, (part + 1) * checksumLength),
  );
  const written = text.slice(3 * checksumLength);
  const isWhole = ofList === checksum(scope.list + written) && isCanonical(cursor);
  const position = isWhole ? parsed(written) : undefined;
  if (position === undefined || !shapes.some((shape) => hasShape(position, shape))) {
    if (rules["unknown-cursor"] === "first-page" && cursor !== "") return undefined;
    throw foreignCursor(place);
  }
  const isOfQuery = ofQuery === checksum(scope.query ?? "");
  const takesOther = rules["cursor-of-other-query"];
  const isTaken =
    takesOther === "taken" ||
    (isOfQuery && (takesOther === "filter-taken" || ofFilter === checksum(scope.filter ?? "")));
  if (!isTaken) throw foreignCursor(place);
  return { position: position as Position, isOfQuery };
}

/** The refusal of a cursor that no page of the list gave out. */
export function foreignCursor(place: "query" | "body"): Problem {
  return invalid({
    in: place,
    pointer: "/cursor",
    detail:
      "is not a cursor of this list. Pass the nextCursor of the page before, with the same keys and conditions",
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

function hasShape(position: readonly unknown[], shape: PositionShape): boolean {
  return (
    position.length === shape.length &&
    position.every((value, index) =>
      shape[index] === "number" ? Number.isSafeInteger(value) : typeof value === "string",
    )
  );
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
