/**
 * Characters that nobody sees, or that a terminal or a page obeys: controls, those that turn the direction of writing, marks
 * of no width, and every space but U+0020.
 */
const invisible = /(?:(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}])+/gu;

/** The same but for line ends and tabs. */
export const invisibleInLines = /(?:(?![ \n\t])[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}])+/gu;

/** The text in one line, as a terminal, a report or a page may show it: what nobody sees stands there as `\ufeff`. */
export function escapeInvisible(text: string): string {
  return text.replace(invisible, escapeUnits);
}

/** A text of several lines, each made {@link escapeInvisible}; of JSON it stays the same JSON. */
export function escapeInvisibleInLines(text: string): string {
  return text.replace(invisibleInLines, escapeUnits);
}

/** A value of JSON with every text in it made visible, line by line. */
export function escapeInvisibleInJson<Value>(value: Value): Value {
  if (typeof value === "string") return escapeInvisibleInLines(value) as Value;
  if (Array.isArray(value)) return value.map(escapeInvisibleInJson) as Value;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, escapeInvisibleInJson(member)]),
  ) as Value;
}

/** As JSON escapes it: beyond U+FFFF as a pair. */
function escapeUnits(text: string): string {
  const units = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}
