import fc from "fast-check";

/** A JSON value in two notations: compact with the shortest escapes, and with white space and unnecessary escapes. */
export interface JsonText {
  readonly compact: string;
  readonly loose: string;
}

const space = fc.stringMatching(/^[ \t\r\n]{0,2}$/u);

const number = fc
  .oneof(
    fc.integer().map(String),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
    fc.stringMatching(/^-?(0|[1-9][0-9]{0,24})(\.[0-9]{1,24})?([eE][+-]?[0-9]{1,2})?$/u),
  )
  .map((text) => ({ compact: text, loose: text }));

type Spelling = "raw" | "unicode" | "upper" | "slash";

function spell(character: string, spelling: Spelling): string {
  const compact = JSON.stringify(character).slice(1, -1);
  if (spelling === "raw") return compact;
  if (spelling === "slash" && character === "/") return "\\/";
  const escapes = Array.from({ length: character.length }, (_, index) => {
    const digits = character.charCodeAt(index).toString(16).padStart(4, "0");
    return `\\u${spelling === "upper" ? digits.toUpperCase() : digits}`;
  });
  return escapes.join("");
}

function string(content: fc.Arbitrary<string>): fc.Arbitrary<JsonText> {
  const spelling = fc.constantFrom<Spelling>("raw", "raw", "raw", "unicode", "upper", "slash");
  return fc.tuple(content, fc.array(spelling, { minLength: 1, maxLength: 5 })).map(([text, spellings]) => ({
    compact: JSON.stringify(text),
    loose: `"${Array.from(text, (one, index) => spell(one, spellings[index % spellings.length] ?? "raw")).join("")}"`,
  }));
}

const content = fc.oneof(
  fc.string({ unit: "binary", maxLength: 6 }),
  fc.string({ maxLength: 6 }),
  fc.constantFrom("__proto__", "toString", "2030-01-01T00:00:00.000Z", '"', "\\", "/", "\u2028"),
  fc.nat().map(String),
);

function joined(open: string, parts: readonly JsonText[], close: string, gap: string): JsonText {
  return {
    compact: open + parts.map((part) => part.compact).join(",") + close,
    loose: `${open}${gap}${parts.map((part) => part.loose).join(`${gap},${gap}`)}${gap}${close}`,
  };
}

/** Generates JSON texts of moderate depth without duplicate names. */
export const jsonTextArbitrary: fc.Arbitrary<JsonText> = fc.letrec<{ value: JsonText }>((tie) => {
  const member = fc
    .tuple(string(content), tie("value"), space)
    .map(([name, value, gap]) => ({ name, value, gap }));
  const members = fc.uniqueArray(member, { selector: (one) => one.name.compact, maxLength: 5 });
  return {
    value: fc.oneof(
      { maxDepth: 4, depthSize: "small" },
      fc.constantFrom("null", "true", "false").map((word) => ({ compact: word, loose: word })),
      number,
      string(content),
      fc
        .tuple(fc.array(tie("value"), { maxLength: 5 }), space)
        .map(([items, gap]) => joined("[", items, "]", gap)),
      fc.tuple(members, space).map(([all, outer]) =>
        joined(
          "{",
          all.map(({ name, value, gap }) => ({
            compact: `${name.compact}:${value.compact}`,
            loose: `${name.loose}${gap}:${gap}${value.loose}`,
          })),
          "}",
          outer,
        ),
      ),
    ),
  };
}).value;
