import fc from "fast-check";
import { compareUtf8 } from "../models/sort-key.js";
import { anyCharacter } from "./any-character.js";
import { trickyTexts } from "./tricky-texts.js";

/**
 * Generates texts that can be keys, often unusual ones. It omits `.` and `..`, which clients remove from paths, and U+0000,
 * which some stores cannot store.
 */
export const keyText: fc.Arbitrary<string> = fc
  .oneof(
    { weight: 2, arbitrary: fc.constantFrom(...trickyTexts) },
    fc.string({ minLength: 1, maxLength: 8 }),
    fc.string({ unit: anyCharacter, minLength: 1, maxLength: 6 }),
    // Long keys that differ only at their ends; shrinking removes the common part if a failure does not need it.
    fc
      .tuple(fc.noBias(fc.nat(180)), fc.string({ minLength: 1, maxLength: 3 }))
      .map(([n, end]) => "k".repeat(n) + end),
  )
  .filter((text) => !["", ".", ".."].includes(text) && !text.includes("\0"));

/** Generates the part of a partition key after the run id. */
export const partitionSuffix: fc.Arbitrary<string> = fc.oneof(fc.constant(""), keyText);

/** Generates a sort key or null. */
export const sortKey: fc.Arbitrary<string | null> = fc.option(keyText);

/** Generates distinct keys for a request: usually a few, sometimes up to `most`; some differ only in the sort key. */
export function distinctKeysArbitrary(
  maxLength: number,
): fc.Arbitrary<readonly (readonly [suffix: string, sk: string | null])[]> {
  const few = 8;
  const keys = (minLength: number, maxLength: number) =>
    fc.uniqueArray(fc.tuple(partitionSuffix, sortKey), {
      minLength,
      maxLength,
      selector: ([suffix, sk]) => JSON.stringify([suffix, sk]),
    });
  return fc.oneof({ weight: 5, arbitrary: keys(1, few) }, { weight: 1, arbitrary: keys(few + 1, maxLength) });
}

/** Keys with small differences, each of a different kind. */
export const exampleKeys: readonly (readonly [suffix: string, sk: string | null])[] = [
  ["", null],
  ["", "a"],
  ["", "A"],
  ["a", null],
  ["A", null],
  ["a", "10"],
  ["a", "9"],
  ["a/b", "c"],
  ["", "\u00e9"],
  ["", "e\u0301"],
  ["", "\ufeffa"],
  ["", "a\u200b"],
];

/**
 * Characters that distinguish orders: the first and last characters of each length in UTF-8, digits, both cases, and
 * characters whose order in UTF-16 differs from that in UTF-8.
 */
const orderedCharacters = Array.from(
  "019AZaz~\u007f\u0080\u00e9\u07ff\u0800\ud7ff\ue000\ufeff\ufffd\u{10000}\u{1f600}-:",
);

/**
 * Generates unordered sort keys of one partition, for which the possible orders give different results.
 *
 * @param accepts whether a deployment accepts a key (gap `key-characters`)
 */
export function sortKeysArbitrary(
  minLength: number,
  maxLength: number,
  accepts: (key: string) => boolean,
): fc.Arbitrary<readonly string[]> {
  const unit = fc.constantFrom(...orderedCharacters.filter(accepts));
  const end = fc.string({ unit, minLength: 1, maxLength: 3 });
  const keys = fc.uniqueArray(end, { minLength, maxLength, selector: (key) => key });
  // Sometimes, keys differ only after a long common prefix.
  const shared = fc.oneof(
    { weight: 5, arbitrary: fc.constant("") },
    { weight: 1, arbitrary: fc.noBias(fc.nat(120)).map((length) => "p".repeat(length)) },
  );
  return fc.tuple(shared, keys).map(([prefix, ends]) => ends.map((key) => prefix + key));
}

/** Returns a text just below the given text and a text just above it. */
export function getNeighboringTexts(text: string): {
  readonly below: string | undefined;
  readonly above: string;
} {
  const points = Array.from(text);
  const last = points.pop()?.codePointAt(0) ?? 0;
  const lower = last === 0xe000 ? 0xd7ff : last - 1;
  const below = last === 0 ? points.join("") : points.join("") + String.fromCodePoint(lower) + "\u{10ffff}";
  return { below: below === "" || compareUtf8(below, text) >= 0 ? undefined : below, above: `${text}\u0001` };
}
