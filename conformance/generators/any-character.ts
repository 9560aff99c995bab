import fc from "fast-check";

const firstSurrogate = 0xd800;
const surrogates = 0x800;

/**
 * Any character but half a pair, each as likely as any other: the `unit: "binary"` of fast-check, value for value, which
 * makes a table of all million characters when it is first used, and that takes most of the time a run takes to start.
 */
export const anyCharacter: fc.Arbitrary<string> = fc.nat({ max: 0x10ffff - surrogates }).map(
  (index) => String.fromCodePoint(index < firstSurrogate ? index : index + surrogates),
  // with it, texts hold such words as `__proto__`, as those of fast-check do
  indexOf,
);

function indexOf(text: unknown): number {
  const code = typeof text === "string" ? text.codePointAt(0) : undefined;
  const isOne = code !== undefined && text === String.fromCodePoint(code);
  if (!isOne || (code >= firstSurrogate && code < firstSurrogate + surrogates))
    throw new Error("this is not one character");
  return code < firstSurrogate ? code : code - surrogates;
}
