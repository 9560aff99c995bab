import { invalid } from "../problem.js";

/** The keys of an entry of a list, as its reader needs them to go on after it. */
export type Position = readonly (string | number)[];

/**
 * Writes a position in a list as an opaque cursor. It holds the keys of the last entry, so that the next page
 * starts after them whatever was written or deleted in between.
 *
 * @param scope what the cursor belongs to: operation, database, partition; a cursor works there alone
 */
export function writePosition(scope: string, position: Position): string {
  const text = JSON.stringify(position);
  return Buffer.from(checksum(scope + text) + text).toString("base64url");
}

/**
 * Reads the position that {@link writePosition} wrote.
 *
 * @param place where the request carried the cursor, for the error
 * @throws a problem `validation-failed` for a text that is no cursor, or one of another list
 */
export function readPosition(scope: string, cursor: string, place: "query" | "body"): Position {
  const text = Buffer.from(cursor, "base64url").toString();
  const position = text.slice(checksumLength);
  const genuine = text.slice(0, checksumLength) === checksum(scope + position) && isCanonical(cursor);
  if (!genuine)
    throw invalid({
      in: place,
      pointer: "/cursor",
      detail:
        "is not a cursor of this list. Pass the nextCursor of the page before, with the same keys and conditions",
    });
  return JSON.parse(position) as Position;
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
