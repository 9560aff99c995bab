import fc from "fast-check";

/** Invisible characters, NUL, and characters that decoding, trimming or normalization changes. */
const unseen = Array.from(
  "\0\u0001\u001b\u007f\u0085\u009b\u00a0\u00ad\u061c\u180e\u2003\u200b\u200d\u200e\u2028\u2029\u202e\u2060" +
    "\u2066\u3000\ufe0f\ufeff\ufffd\ufffe\uffff\u{e0001}\u{10ffff}",
);

/** Generates texts of up to five characters that often contain unusual characters, also at the beginning and end. */
export const oddTextArbitrary: fc.Arbitrary<string> = fc.string({
  unit: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...unseen) },
    { weight: 2, arbitrary: fc.constantFrom("a", "A", "e\u0301", " ") },
    { weight: 1, arbitrary: fc.string({ unit: "binary", minLength: 1, maxLength: 1 }) },
  ),
  minLength: 1,
  maxLength: 5,
});
