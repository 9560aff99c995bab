/** One place that is not valid, in a repository schema or in the data of an entity. */
export interface Mistake {
  /** JSON pointer to the place. */
  readonly pointer: string;
  /** What is wrong, and what to do about it. */
  readonly detail: string;
}
