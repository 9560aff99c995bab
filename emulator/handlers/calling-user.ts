import type { UserRow } from "../store/users.js";
import type { HandlerContext } from "./handler.js";

/** Returns the caller of an operation that accepts only access tokens. */
export function getCallingUser({ caller, store }: HandlerContext): UserRow {
  const user = caller.kind === "user" ? store.users.byId(caller.userId) : undefined;
  if (user === undefined) throw new Error("the operation was called without a user's access token");
  return user;
}
