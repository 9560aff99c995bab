import { type AnswerTo, getSampleAnswers, type GapId } from "./register.js";
import type { Profile } from "./profile.js";

/**
 * The two kinds of documents. `strict` describes exactly how a deployment with the profile responds; `open` describes only
 * what the clauses say and leaves every gap open.
 */
export type Strictness = { readonly kind: "strict"; readonly profile: Profile } | { readonly kind: "open" };

/** Returns the answers to a gap that a document allows: one in the strict document, all known ones in the open one. */
export function getAllowedAnswers<Id extends GapId>(strictness: Strictness, id: Id): readonly AnswerTo<Id>[] {
  return strictness.kind === "strict" ? [strictness.profile[id]] : getSampleAnswers(id);
}

/** Returns the answer of the profile; undefined in the open document. */
export function getStrictAnswer<Id extends GapId>(strictness: Strictness, id: Id): AnswerTo<Id> | undefined {
  return strictness.kind === "strict" ? strictness.profile[id] : undefined;
}
