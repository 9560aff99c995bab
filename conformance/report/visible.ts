/** Control characters of the two ranges, line ends and tabs aside, and those that turn the direction of writing. */

const hidden = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** The text as a terminal may show it: what would move the cursor or turn the writing round stands there as its code. */
export function visible(text: string): string {
  return text.replace(hidden, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** A value of JSON with every text in it made {@link visible}. */
export function visibleAll<Value>(value: Value): Value {
  if (typeof value === "string") return visible(value) as Value;
  if (Array.isArray(value)) return value.map(visibleAll) as Value;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, visibleAll(member)]),
  ) as Value;
}
