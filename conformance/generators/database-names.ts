import fc from "fast-check";
import type { ClauseId } from "../../openapi/clauses/register.js";
import { limits } from "../../openapi/clauses/limits.js";

const { minimum, maximum } = limits.databaseNameLength;
const letters = "abcdefghijklmnopqrstuvwxyz";

/** A database name to try, and the clause that is broken if the response is wrong. */
export interface DatabaseName {
  readonly clause: ClauseId;
  readonly name: string;
}

const withClause =
  (clause: ClauseId) =>
  (name: string): DatabaseName => ({ clause, name });

/** Generates one of the characters of an ASCII text. */
function characterArbitrary(characters: string): fc.Arbitrary<string> {
  return fc.constantFrom(...Array.from(characters));
}

function text(alphabet: string, minLength: number, maxLength: number): fc.Arbitrary<string> {
  return fc.string({ unit: characterArbitrary(alphabet), minLength, maxLength });
}

const shortest = text(letters, minimum, minimum);
const longest = text(letters, maximum, maximum);

/** Generates valid names of every length; names at the bounds, and some others, consist only of letters. */
export const validDatabaseName: fc.Arbitrary<DatabaseName> = fc.oneof(
  fc.oneof(shortest, longest, text(letters, minimum, maximum)).map(withClause("DB-04")),
  fc
    .tuple(characterArbitrary(letters), text(`${letters}0123456789---`, minimum - 1, maximum - 1))
    .map((parts) => withClause("DB-05")(parts.join(""))),
);

/**
 * Replaces the beginning of a name with the run id if there is room, so that leftover databases can be recognized; the
 * length and the end do not change. One of the shortest names is replaced by another, because an earlier run may have
 * taken it.
 *
 * @param mark a unique prefix that begins with the run id
 */
export function createUnusedName(name: string, mark: string, seed: number): string {
  if (name.length === minimum) return fc.sample(shortest, { seed, numRuns: 1 }).join("");
  return name.length < mark.length + 2 ? name : mark + name.slice(mark.length);
}

/** Valid names that every run tries: both bounds, and each kind of character at the end. */
export const validDatabaseNames: readonly DatabaseName[] = [
  { clause: "DB-01", name: "z".repeat(40) },
  { clause: "DB-04", name: "z".repeat(minimum) },
  { clause: "DB-04", name: "z".repeat(maximum) },
  { clause: "DB-05", name: `${"z".repeat(30)}-0123456789` },
  { clause: "DB-05", name: `${"z".repeat(30)}--z-` },
];

/** Characters close to the allowed characters: in the code table, in other scripts, and after case folding. */
const invalidCharacters = [
  "A", "Z", "_", ".", " ", "/", "@", "`", "{", "[", ",", ":", "~", "+", "\\", "'", "%", "*", "\t", "\n", "\u0000",
  "ä", "é", "ß", "ı", "İ", "\u212a", "ſ", "а", "ａ", "٣", "０", "−", "‐", "–", "\u200b", "🙂",
] as const; // prettier-ignore

/** Generates names with one fault: too short, too long, an invalid beginning, or one invalid character. */
export const invalidDatabaseName: fc.Arbitrary<DatabaseName> = fc.oneof(
  fc
    .oneof(
      text(letters, 0, minimum - 1),
      text(`${letters}0123456789-`, maximum, maximum + 30).map((rest) => `a${rest}`),
    )
    .map(withClause("DB-04")),
  fc
    .oneof(
      fc.tuple(characterArbitrary("0123456789-"), text(`${letters}-0`, 2, 40)),
      fc.tuple(text(letters, 0, 12), fc.constantFrom(...invalidCharacters), text(letters, 3, 12)),
      fc.tuple(text(letters, 3, 24), fc.constantFrom(...invalidCharacters)),
    )
    .map((parts) => withClause("DB-05")(parts.join(""))),
);

/** Invalid names that every run tries: just beyond each bound, and with invalid characters at the beginning, inside and at the end. */
export const invalidDatabaseNames: readonly DatabaseName[] = [
  ...["", "a", "ab", "a".repeat(maximum + 1), "a".repeat(maximum + 2), "ab".repeat(100)].map(
    withClause("DB-04"),
  ),
  ...["0abc", "9-abc", "-abc", "Abcd", "abCd", "abcD", "ab_cd", "ab.cd", "ab cd", " abcd", "abcd "].map(
    withClause("DB-05"),
  ),
  ...["abcd\n", "ábcd", "abc٣"].map(withClause("DB-05")),
];
