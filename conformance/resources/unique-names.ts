/** Names that nothing else has: the run id, then a number. They fit every kind of resource. */
export class UniqueNames {
  readonly #run: string;
  #number = 0;

  /** @param run lower-case letters and digits */
  constructor(run: string) {
    this.#run = run;
  }

  next(): string {
    this.#number += 1;
    return `${this.#run}-${this.#number.toString(36)}`;
  }

  /** One that ends in a text. The hyphen ends the number, or `1` with the end `b` were the name of number 47 as well. */
  endingIn(text: string): string {
    return text === "" ? this.next() : `${this.next()}-${text}`;
  }
}
