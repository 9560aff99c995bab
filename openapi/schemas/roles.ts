/** Roles of a member in an organization, most powerful first. */
export const roles = ["owner", "admin", "member", "readonly"] as const;
export type Role = (typeof roles)[number];

/** Scopes of API keys (part 5). */
export const scopes = [
  "database:read",
  "database:write",
  "database:*",
  "repository:read",
  "repository:write",
  "repository:*",
  "*",
] as const;
export type Scope = (typeof scopes)[number];

/** @alias a name that corresponds to `writeAccessRoles` */
export const allRoles: readonly Role[] = roles;
export const writeAccessRoles: readonly Role[] = ["owner", "admin", "member"];
