/** Where an expression is wrong; an expression is either a text or an object. */
export interface ExpressionLocation {
  /** In a text: UTF-16 units from 1. */
  readonly column?: number;
  /** In an object: a JSON pointer from its root. The root itself is the empty string. */
  readonly pointer?: string;
}

/** An expression that is refused. The message is fit for the caller of the API and names the column, if any. */
export class ExpressionError extends Error {
  override readonly name = "ExpressionError";
  readonly column: number | undefined;
  readonly pointer: string | undefined;

  constructor(problem: string, place: ExpressionLocation = {}) {
    super(place.column === undefined ? problem : `${problem} (column ${place.column})`);
    this.column = place.column;
    this.pointer = place.pointer;
  }
}
