/**
 * Characters that are invisible or that control a terminal or page: controls, those that change the writing direction, marks
 * of no width, and every space but U+0020.
 */
const invisible = /(?:(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}])+/gu;

/** The same but for line ends and tabs. */
export const invisibleCharacterPattern = /(?:(?![ \n\t])[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}])+/gu;

/** The text on one line, safe to show: invisible characters are escaped, such as `\ufeff`. */
export function escapeInvisible(text: string): string {
  return text.replace(invisible, escapeUnits);
}

/** Escapes invisible characters in each line of a text; JSON stays the same JSON. */
export function escapeInvisibleInLines(text: string): string {
  return text.replace(invisibleCharacterPattern, escapeUnits);
}

/** Escapes invisible characters in every text of a JSON value. */
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
