/** Generates unique names, valid for every kind of resource: the run id, followed by a number in letters. */
export class UniqueNameGenerator {
  readonly #run: string;
  #number = 0;

  /** @param run lower-case letters and digits */
  constructor(run: string) {
    this.#run = run;
  }

  next(): string {
    this.#number += 1;
    return `${this.#run}-${inLetters(this.#number)}`;
  }

  /** Generates a name with the given ending. A hyphen separates the ending from the number, so that names stay unique. */
  endingIn(text: string): string {
    return text === "" ? this.next() : `${this.next()}-${text}`;
  }
}

/** Formats a number like a spreadsheet column: a to z, aa, ab and so on, starting from 1. */
function inLetters(number: number): string {
  const before = Math.floor((number - 1) / 26);
  const last = String.fromCharCode(97 + ((number - 1) % 26));
  return before === 0 ? last : inLetters(before) + last;
}
