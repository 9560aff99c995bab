import fc from "fast-check";

/** Words that are easily confused with words in a list. */
const likely = ["Upsert", "Insert", "Replace", "Get", "Remove", "Check", "integer", "date", "text", "any"];

/** Generates words that are not in a list, regardless of case: likely words and random letters. */
export function unknownWordArbitrary(known: readonly string[]): fc.Arbitrary<string> {
  const others = new Set(known.map((word) => word.toLowerCase()));
  return fc
    .oneof(fc.constantFrom(...likely), fc.stringMatching(/^[A-Za-z]{1,12}$/))
    .filter((word) => !others.has(word.toLowerCase()));
}
