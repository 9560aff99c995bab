import type { ClauseId } from "../openapi/clauses/register.js";
import type { Scope } from "../openapi/operations/operation.js";
import type { CheckContext } from "./context.js";

/** The areas of the specification that the suite is divided into, in the order they are run. */
export const areas = [
  "health",
  "session",
  "plans",
  "databases",
  "items",
  "batches",
  "transactions",
  "repositories",
  "entities",
  "sql",
  "organizations",
  "members",
  "billing",
  "access",
  "isolation",
  "limits",
  "concurrency",
  "time",
] as const;
export type Area = (typeof areas)[number];

/** Users the suite works with: members of one organization by role, and the owner of another. */
export const actorNames = ["owner", "admin", "member", "readonly", "outsider"] as const;
export type ActorName = (typeof actorNames)[number];

/** What a check needs of a deployment beyond the operations themselves; a target declares what it offers. */
export type Need =
  | ActorName
  | `key ${Scope}`
  /** An API key past its expiration date. */
  | "expired-key"
  | "unverified-user"
  | "mfa-user"
  /** A database to work in. */
  | "database"
  /** Creating and deleting databases beside the one to work in. */
  | "create-databases"
  | "create-organizations"
  /** Room for invited members. */
  | "invitations"
  /** Starting checkouts, and asking for the portal. */
  | "checkout"
  | "sql"
  | "repositories"
  /** The emulator's control plane: clock, users, keys, plans, health. */
  | "control-plane";

/** One thing to be found out about a deployment. Data, so that any runner can take it. */
export interface Check {
  /** `area/what-it-is-about`, for `--only` and replays. */
  readonly id: `${Area}/${string}`;
  readonly title: string;
  /** The clauses that the check exercises: each of them, on every complete run. */
  readonly clauses: readonly ClauseId[];
  readonly needs: readonly Need[];
  /** Checks that must not have failed for this one to mean anything. */
  readonly after?: readonly Check["id"][];
  /**
   * Returns when all clauses held.
   *
   * @throws ClauseViolation when one does not hold
   */
  readonly run: (context: CheckContext) => Promise<void>;
}

/** Says what a check is, for the compiler and the reader. */
export function defineChecks(...checks: readonly Check[]): readonly Check[] {
  return checks;
}

/** The area a check belongs to. */
export function areaOf({ id }: Pick<Check, "id">): Area {
  return id.slice(0, id.indexOf("/")) as Area;
}
