/** What is wrong with a JSON text. */
export type JsonErrorKind = "syntax" | "depth" | "number-range" | "surrogate" | "value-count";

/** An invalid JSON text. The message contains the location and is meant for the caller of the API. */
export class JsonError extends Error {
  override readonly name = "JsonError";
  /** Counted from 1. */
  readonly line: number;
  /** In UTF-16 units, counted from 1. */
  readonly column: number;

  /** @param position offset into the text, in UTF-16 units, from 0 */
  constructor(
    readonly kind: JsonErrorKind,
    problem: string,
    text: string,
    readonly position: number,
  ) {
    const before = text.slice(0, position);
    const line = before.split("\n").length;
    const column = position - before.lastIndexOf("\n");
    super(`${problem} (line ${line}, column ${column})`);
    this.line = line;
    this.column = column;
  }
}
