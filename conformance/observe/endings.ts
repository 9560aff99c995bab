/** The deployment does something that is on no list of answers. */
export class OtherAnswer extends Error {
  override readonly name = "OtherAnswer";

  constructor(
    /** What it does, in words. */
    readonly seen: string,
    /** What was expected, in words. */
    readonly expected: string,
  ) {
    super(`${seen}; expected ${expected}`);
  }
}

/** What is seen does not show the answer. */
export class Undecided extends Error {
  override readonly name = "Undecided";
}
