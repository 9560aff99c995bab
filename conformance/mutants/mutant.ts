import type { ClauseId } from "../../openapi/clauses/register.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import type { OperationId } from "../../openapi/operations/register.js";
import type { Area } from "../check/check.js";
import type { Fetch } from "../client/exchange.js";
import { intercept, type Tamper } from "./intercept.js";

/** A fault that breaks exactly one clause of whatever deployment stands behind it. */
export interface Mutant {
  /** `area/what-is-wrong`; the area's checks have to find it. */
  readonly id: `${Area}/${string}`;
  /** The clause that is broken, and that has to be named by the check that finds it. */
  readonly clause: ClauseId;
  /** What is wrong, in words. */
  readonly title: string;
  /** Areas beside its own whose checks may find it. */
  readonly alsoIn?: readonly Area[];
  readonly wrap: (fetch: Fetch) => Fetch;
}

/** A harmless difference that a conforming deployment may show: no check may fail. */
export interface Variant {
  readonly id: `${Area | "everywhere"}/${string}`;
  readonly title: string;
  /** Answers to gaps other than the default ones. */
  readonly profile?: Partial<Profile>;
  /** What the target file declares of reads that lag. */
  readonly readLagMs?: number;
  /** What the target file declares of figures that lag. */
  readonly countLagMs?: number;
  /** The domain that the target file names for addresses. */
  readonly invitationDomain?: string;
  readonly wrap?: (fetch: Fetch) => Fetch;
}

/** Declares a mutant that tampers with some operations; `tamper` is made anew for each run, so that it may keep state. */
export function mutant(
  id: Mutant["id"],
  clause: ClauseId,
  title: string,
  operations: readonly OperationId[],
  tamper: () => Tamper,
  alsoIn: readonly Area[] = [],
): Mutant {
  return { id, clause, title, alsoIn, wrap: (fetch) => intercept(fetch, operations, tamper()) };
}

/** Declares a variant that changes what some operations answer, or how they are asked; `tamper` as that of a mutant. */
export function variant(
  id: Variant["id"],
  title: string,
  operations: readonly OperationId[],
  tamper: () => Tamper,
): Variant {
  return { id, title, wrap: (fetch) => intercept(fetch, operations, tamper()) };
}
