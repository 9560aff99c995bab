import type { Role, Scope } from "../../../openapi/schemas/roles.js";

/** The callers with access to an operation. This is written by hand from the specification, to check the document. */
export interface ExpectedAccess {
  /** The status that a caller with access gets. */
  readonly success: number;
  /** Roles whose JWT is accepted; `public` for operations that need no credential. */
  readonly roles: readonly Role[] | "public";
  /** Scopes of API keys that are accepted. */
  readonly scopes: readonly Scope[];
  /** Whether the operation only reads, so that it works in a suspended organization. */
  readonly isRead?: true;
  /** Whether it is rejected with status 400 and an SQL error code (part 7). */
  readonly sql?: true;
  readonly path: string;
  readonly body?: unknown;
}

export const everyone: readonly Role[] = ["owner", "admin", "member", "readonly"];
export const writers: readonly Role[] = ["owner", "admin", "member"];
