import { stringify } from "lossless-json";

/** Maximum length of JSON with line breaks; deep nesting could need a hundred times as many characters as the data. */
const maxIndentedLength = 300_000;

/** Formats a value of `lossless-json` with line breaks, unless that would take too many characters. */
export function indentJson(value: unknown): string {
  const indented = stringify(value, undefined, 2) ?? "";
  return indented.length > maxIndentedLength ? (stringify(value) ?? "") : indented;
}
