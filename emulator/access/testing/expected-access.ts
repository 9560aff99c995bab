import type { Role, Scope } from "../../../openapi/schemas/roles.js";

/** Who may do what: written by hand from the specification, so that the document is held against it. */
export interface ExpectedAccess {
  /** What a caller who is allowed gets. */
  readonly success: number;
  /** Roles whose JWT is accepted; `public` for operations that need no credential. */
  readonly roles: readonly Role[] | "public";
  /** Scopes of API keys that are accepted. */
  readonly scopes: readonly Scope[];
  /** Whether it only looks, so that a suspended organization allows it; decided by its meaning. */
  readonly looks?: true;
  /** Refused in the words of part 7: 400 with one of the SQL codes. */
  readonly sql?: true;
  readonly path: string;
  readonly body?: unknown;
}

export const everyone: readonly Role[] = ["owner", "admin", "member", "readonly"];
export const writers: readonly Role[] = ["owner", "admin", "member"];
