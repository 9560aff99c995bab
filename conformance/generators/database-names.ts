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

/** Kinds of names that every run tries. The letters differ between runs, because an earlier run may have taken a short name. */
export type NameShape =
  "plain" | "another plain one" | "shortest" | "longest" | "digits inside" | "hyphen at the end";

/** A kind of name to try, with a name of the run. */
export interface NameShapeCase {
  readonly clause: ClauseId;
  readonly shape: NameShape;
}

/** One of the characters of an ASCII text. */
function oneOf(characters: string): fc.Arbitrary<string> {
  return fc.constantFrom(...Array.from(characters));
}

function text(alphabet: string, length: { readonly minLength: number; readonly maxLength: number }) {
  return fc.array(oneOf(alphabet), length).map((characters) => characters.join(""));
}

const shortest = text(letters, { minLength: minimum, maxLength: minimum });
const longest = text(letters, { minLength: maximum, maxLength: maximum });

/** Generates valid names of every length; names at the bounds, and some others, consist only of letters. */
export const validDatabaseName: fc.Arbitrary<DatabaseName> = fc.oneof(
  fc
    .oneof(shortest, longest, text(letters, { minLength: minimum, maxLength: maximum }))
    .map((name): DatabaseName => ({ clause: "DB-04", name })),
  fc
    .tuple(
      oneOf(letters),
      text(`${letters}0123456789---`, { minLength: minimum - 1, maxLength: maximum - 1 }),
    )
    .map(([first, rest]): DatabaseName => ({ clause: "DB-05", name: first + rest })),
);

/**
 * Replaces the beginning of a name with the run id if there is room, so that leftover databases can be recognized. The
 * length and the end do not change; the shortest names contain no run id.
 *
 * @param mark a unique prefix that begins with the run id
 */
export function insertRunId(name: string, mark: string): string {
  return name.length < mark.length + 2 ? name : mark + name.slice(mark.length);
}

/** Kinds of names that every run tries: plain names, both bounds, and each kind of character at the end. */
export const nameShapeCases: readonly NameShapeCase[] = [
  { clause: "DB-01", shape: "plain" },
  { clause: "DB-04", shape: "shortest" },
  { clause: "DB-04", shape: "longest" },
  { clause: "DB-05", shape: "digits inside" },
  { clause: "DB-05", shape: "hyphen at the end" },
];

/** Creates a name of each kind. */
export function createNamesByShape(seed: number, mark: string): Readonly<Record<NameShape, string>> {
  const plain = text(letters, { minLength: 12, maxLength: 12 });
  const drawn = fc.sample(fc.tuple(shortest, longest, plain, plain), { seed, numRuns: 1 });
  const [short = "", long = "", own = "", other = ""] = drawn[0] ?? [];
  const names: Readonly<Record<NameShape, string>> = {
    plain: own,
    "another plain one": other,
    shortest: short,
    longest: long,
    "digits inside": `${own}${own}-0123456789`,
    "hyphen at the end": `${own}${own}--${other}-`,
  };
  return Object.fromEntries(
    Object.entries(names).map(([shape, name]) => [shape, insertRunId(name, `${mark}${shape.length}`)]),
  ) as Record<NameShape, string>;
}

/** Characters close to the allowed characters: in the code table, in other scripts, and after case folding. */
const strangers = [
  "A", "Z", "_", ".", " ", "/", "@", "`", "{", "[", ",", ":", "~", "+", "\\", "'", "%", "*", "\t", "\n", "\u0000",
  "ä", "é", "ß", "ı", "İ", "\u212a", "ſ", "а", "ａ", "٣", "０", "−", "‐", "–", "\u200b", "🙂",
] as const; // prettier-ignore

/** Generates names with one fault: too short, too long, an invalid beginning, or one invalid character. */
export const invalidDatabaseName: fc.Arbitrary<DatabaseName> = fc.oneof(
  fc
    .oneof(
      text(letters, { minLength: 0, maxLength: minimum - 1 }),
      text(`${letters}0123456789-`, { minLength: maximum, maxLength: maximum + 30 }).map(
        (rest) => `a${rest}`,
      ),
    )
    .map((name): DatabaseName => ({ clause: "DB-04", name })),
  fc
    .tuple(oneOf("0123456789-"), text(`${letters}-0`, { minLength: 2, maxLength: 40 }))
    .map(([first, rest]): DatabaseName => ({ clause: "DB-05", name: first + rest })),
  fc
    .tuple(
      text(letters, { minLength: 0, maxLength: 12 }),
      fc.constantFrom(...strangers),
      text(letters, { minLength: 3, maxLength: 12 }),
      fc.boolean(),
    )
    .map(([before, wrong, after, last]): DatabaseName => ({
      clause: "DB-05",
      name: last ? before + after + wrong : before + wrong + after,
    })),
);

/** Invalid names that every run tries: just beyond each bound, and with invalid characters at the beginning, inside and at the end. */
export const invalidDatabaseNames: readonly DatabaseName[] = [
  ...["", "a", "ab", "a".repeat(maximum + 1), "a".repeat(maximum + 2), "ab".repeat(100)].map(
    (name): DatabaseName => ({ clause: "DB-04", name }),
  ),
  ...[
    "0abc",
    "9-abc",
    "-abc",
    "Abcd",
    "abCd",
    "abcD",
    "ab_cd",
    "ab.cd",
    "ab cd",
    " abcd",
    "abcd ",
    "abcd\n",
    "ábcd",
    "abc٣",
  ].map((name): DatabaseName => ({ clause: "DB-05", name })),
];
