import type { Strictness } from "../gaps/strictness.js";
import { type Access, rolesOf, scopeOf, takesTokens } from "../operations/operation.js";
import { roles } from "../schemas/roles.js";

/** Says in a sentence who may call an operation. */
export function describeAccess(access: Access, strictness: Strictness): string {
  if (access.kind === "public") return "Needs no credential.";
  const scope = scopeOf(access, strictness);
  const ways = [
    ...(takesTokens(access, strictness) ? [`an access token of ${describeRoles(access, strictness)}`] : []),
    ...(scope === undefined
      ? []
      : [scope === "any" ? "any API key" : `an API key with the scope \`${scope}\``]),
  ];
  return `Takes ${ways.join(", or ")}.`;
}

function describeRoles(access: Access & { readonly kind: "protected" }, strictness: Strictness): string {
  if (access.roleIn === "none") return "any user";
  const accepted = rolesOf(access, strictness);
  const where = access.roleIn === "path" ? "in the organization of the path" : "in its organization";
  if (accepted.length === roles.length) return `a member ${where}, whatever the role`;
  return `a user who is ${accepted.join(" or ")} ${where}`;
}
