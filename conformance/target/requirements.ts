import type { Scope } from "../../openapi/schemas/roles.js";

/** Users that the suite works with: members of one organization by role, and the owner of another organization. */
export const actorNames = ["owner", "admin", "member", "readonly", "outsider"] as const;
export type ActorName = (typeof actorNames)[number];

export function isActorName(name: string): name is ActorName {
  return (actorNames as readonly string[]).includes(name);
}

/** What a check needs from a deployment in addition to the operations; a target declares what it offers. */
export type Requirement =
  | ActorName
  | `key ${Scope}`
  /** An expired API key. */
  | "expired-key"
  | "unverified-user"
  | "mfa-user"
  /** A database that the suite works in. */
  | "database"
  /** Creating and deleting further databases. */
  | "create-databases"
  | "create-organizations"
  /** Permission to invite members, and room for them in the organization. */
  | "invitations"
  /** Permission to start checkouts and to request the billing portal. */
  | "checkout"
  | "sql"
  | "repositories"
  /** The emulator's control plane: clock, users, keys, plans, health. */
  | "control-plane";
