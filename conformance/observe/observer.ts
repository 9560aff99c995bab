import type { AnswerTo, GapId } from "../../openapi/gaps/register.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import type { Requirement } from "../target/needs.js";
import type { ObserverContext } from "./observer-context.js";

/** Another answer of the same deployment under which nobody can see this one from outside. */
export interface HidingAnswer {
  readonly by: GapId;
  /** Whether that answer hides this one. */
  readonly when: (other: unknown, profile: Partial<Profile>) => boolean;
  /** Why nothing can be seen then, in words. */
  readonly because: string;
}

/** How the answer to one gap is found out. Data, like a check. */
export interface GapObserver<Answer = unknown> {
  readonly needs: readonly Requirement[];
  /** Gaps whose answers this one asks for first; those that may hide it are among them anyhow. */
  readonly after?: readonly GapId[];
  /** What hides the answer. */
  readonly hidden?: readonly HidingAnswer[];
  /** Whether nothing else may go on meanwhile. */
  readonly alone?: true;
  /**
   * Returns the answer that the deployment gives.
   *
   * @throws OtherAnswer for one that is on no list
   * @throws Undecided where what is seen shows nothing
   */
  readonly observe: (context: ObserverContext) => Promise<Answer>;
}

/** An observer for every gap of a group. */
export type GapObservers<Group> = { readonly [Id in keyof Group & GapId]: GapObserver<AnswerTo<Id>> };
