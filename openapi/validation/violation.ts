/** A place in a request or response that violates the contract. */
export interface Violation {
  readonly in: "body" | "query" | "path" | "header" | "status";
  /** JSON pointer into the body, or `/name` of a parameter or header. */
  readonly pointer: string;
  readonly detail: string;
  /** The violated JSON Schema keyword; `required` for a missing header. */
  readonly keyword?: string;
}
