/** One place that does not fit the contract. */
export interface Violation {
  readonly in: "body" | "query" | "path" | "header" | "status";
  /** JSON pointer into the body, or `/name` of a parameter or header. */
  readonly pointer: string;
  readonly detail: string;
  /** The JSON Schema keyword that was not met; `required` for a missing header. */
  readonly keyword?: string;
}
