/**
 * Characters that affect a terminal, a page or a log: invisible characters (control characters, characters that change the
 * writing direction, zero-width characters, and all spaces except U+0020), except line feeds and tabs; and one character of
 * every command that CI systems read in logs, such as `::` at the start of a line and `##[` in GitHub Actions.
 */
export const unsafeCharacterPattern =
  /(?:(?![ \n\t])[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}])+|:(?=:)(?<=^\s*:)|\[(?<=##\w*\[)/gmu;

/** Escapes unsafe characters, such as `\ufeff`, so that a text fits on one line and is safe to print. */
export function escapeInvisible(text: string): string {
  return escapeInvisibleInLines(text).replace(/[\n\t]+/g, escapeUnits);
}

/** Escapes unsafe characters except line feeds and tabs. The value of JSON does not change. */
export function escapeInvisibleInLines(text: string): string {
  return text.replace(unsafeCharacterPattern, escapeUnits);
}

/** Escapes invisible characters in all strings of a JSON value. */
export function escapeInvisibleInJson<Value>(value: Value): Value {
  if (typeof value === "string") return escapeInvisibleInLines(value) as Value;
  if (Array.isArray(value)) return value.map(escapeInvisibleInJson) as Value;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, escapeInvisibleInJson(member)]),
  ) as Value;
}

/** Escapes each UTF-16 unit as JSON does. */
function escapeUnits(text: string): string {
  const units = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}
