/** Names that nothing else has: the run id, then a number in letters. They fit every kind of resource. */
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

  /** One that ends in a text. The hyphen ends the number, or `a` with the end `b` were the name of number 28 as well. */
  endingIn(text: string): string {
    return text === "" ? this.next() : `${this.next()}-${text}`;
  }
}

/** A number from 1 on as columns of spreadsheets have it: a to z, aa, ab and so on. */
function inLetters(number: number): string {
  const before = Math.floor((number - 1) / 26);
  const last = String.fromCharCode(97 + ((number - 1) % 26));
  return before === 0 ? last : inLetters(before) + last;
}
