import type { Role, Scope } from "../../openapi/schemas/roles.js";

/** The caller of a request. */
export type Caller = typeof anonymous | UserCaller | ApiKeyCaller;

export const anonymous = { kind: "anonymous" } as const;

/** A user with an access token. */
export interface UserCaller {
  readonly kind: "user";
  readonly userId: string;
  /** The organization that the token is for. */
  readonly organizationId: string;
  /** The user's role in that organization; undefined if the user was removed from it. */
  readonly role: Role | undefined;
}

/** A program with an API key. */
interface ApiKeyCaller {
  readonly kind: "apiKey";
  readonly apiKeyId: string;
  readonly organizationId: string;
  readonly scopes: readonly Scope[];
}

/** Returns the user id or API key id of a caller. */
export function getCallerId(caller: Caller | undefined): string | undefined {
  if (caller === undefined || caller.kind === "anonymous") return undefined;
  return caller.kind === "user" ? caller.userId : caller.apiKeyId;
}
