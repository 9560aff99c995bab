/** A bound of a range of sort keys. */
export interface KeyBound {
  readonly value: string;
  readonly inclusive: boolean;
}

/** Sort keys between two bounds, in UTF-8 byte order; a missing bound is open. */
export interface KeyRange {
  readonly lower?: KeyBound;
  readonly upper?: KeyBound;
}
