/**
 * Creates a function that returns unique names, valid for every kind of resource: the run id, a number in letters and, after
 * a hyphen, the given ending.
 *
 * @param run lower-case letters and digits
 */
export function createNameGenerator(run: string): (ending?: string) => string {
  let number = 0;
  return (ending = "") => `${run}-${inLetters(++number)}${ending === "" ? "" : `-${ending}`}`;
}

/** Formats a number like a spreadsheet column: a to z, aa, ab and so on, starting from 1. */
function inLetters(number: number): string {
  const before = Math.floor((number - 1) / 26);
  const last = String.fromCharCode(97 + ((number - 1) % 26));
  return before === 0 ? last : inLetters(before) + last;
}
