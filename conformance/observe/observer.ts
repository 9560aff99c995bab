import type { AnswerTo, GapId } from "../../openapi/gaps/register.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import type { Requirement } from "../target/requirements.js";
import type { ObserverContext } from "./observer-context.js";

/** An answer to another gap that makes it impossible to observe this gap from outside. */
interface HidingCondition {
  readonly by: GapId;
  /** Whether the other answer hides this gap. */
  readonly when: (other: unknown, profile: Partial<Profile>) => boolean;
  /** Why this gap cannot be observed then. */
  readonly because: string;
}

/** Finds out the answer to one gap. An observer is data, like a check. */
export interface GapObserver<Answer = unknown> {
  readonly needs: readonly Requirement[];
  /** Gaps whose answers are needed first, in addition to those that may hide this gap. */
  readonly after?: readonly GapId[];
  /** The answers that hide this gap. */
  readonly hidden?: readonly HidingCondition[];
  /** Whether the observer must run alone. */
  readonly alone?: true;
  /**
   * Returns the answer of the deployment.
   *
   * @throws UnlistedAnswerError when the behavior is not among the known answers
   * @throws UndecidedError when the observations do not show the answer
   */
  readonly observe: (context: ObserverContext) => Promise<Answer>;
}

/** Observers for all gaps of a group. */
export type GapObservers<Group> = { readonly [Id in keyof Group & GapId]: GapObserver<AnswerTo<Id>> };
