/**
 * Creates a function that returns unique names, valid for every kind of resource: the run id, a number in letters and, after
 * a hyphen, the given suffix.
 *
 * @param run lower-case letters and digits
 */
export function createNameGenerator(run: string): (suffix?: string) => string {
  let number = 0;
  return (suffix = "") => `${run}-${toLetters(++number)}${suffix === "" ? "" : `-${suffix}`}`;
}

/** Formats a number like a spreadsheet column: a to z, aa, ab and so on, starting from 1. */
function toLetters(number: number): string {
  const leading = Math.floor((number - 1) / 26);
  const last = String.fromCharCode(97 + ((number - 1) % 26));
  return leading === 0 ? last : toLetters(leading) + last;
}
