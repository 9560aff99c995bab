import fc from "fast-check";

const firstSurrogate = 0xd800;
const surrogates = 0x800;
const characters = 0x110000 - surrogates;
const letterA = 0x61;

/** Invisible characters, which decoders, trimming and normalization may drop or change; some control a terminal or a page. */
const invisible = Array.from(
  "\ufeff\u200b\u200d\u200e\u202e\u2066\u2060\u00ad\u00a0\u2003\u2028\u3000\u0001\u001b\u007f\u0085\ufe0f\ufffe\u{e0001}",
);

/**
 * Generates any character except lone surrogates, all equally likely; one in five is invisible. Characters shrink to `a`.
 * This replaces `unit: "binary"` of fast-check, which builds a table of a million characters at first use: this would take
 * most of the start-up time of a run.
 */
export const anyCharacter: fc.Arbitrary<string> = fc.nat({ max: characters + characters / 4 }).map(
  (index) =>
    index < characters
      ? String.fromCodePoint(swapSimplest(index < firstSurrogate ? index : index + surrogates))
      : (invisible[index % invisible.length] ?? ""),
  // With an inverse, fast-check also generates texts that contain words such as `__proto__`.
  toIndex,
);

/** Swaps `a` and U+0000, so that characters shrink to `a`. */
function swapSimplest(code: number): number {
  return code === 0 ? letterA : code === letterA ? 0 : code;
}

function toIndex(text: unknown): number {
  const code = typeof text === "string" ? text.codePointAt(0) : undefined;
  const isOne = code !== undefined && text === String.fromCodePoint(code);
  if (!isOne || (code >= firstSurrogate && code < firstSurrogate + surrogates))
    throw new Error("not a single character");
  return swapSimplest(code < firstSurrogate ? code : code - surrogates);
}
