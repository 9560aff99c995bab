import { type AnswerOf, answersToTry, type GapId } from "./register.js";
import type { Profile } from "./profile.js";

/**
 * The two faces of the contract. `strict` says exactly what a deployment with the profile answers;
 * `open` says only what the clauses say and leaves every gap open.
 */
export type Face = { readonly kind: "strict"; readonly profile: Profile } | { readonly kind: "open" };

/** The answers of a gap that a face allows: one in the strict face, all known ones in the open face. */
export function allowedAnswers<Id extends GapId>(face: Face, id: Id): readonly AnswerOf<Id>[] {
  return face.kind === "strict" ? [face.profile[id]] : answersToTry(id);
}

/** The answer of the profile, or nothing in the open face. */
export function strictAnswer<Id extends GapId>(face: Face, id: Id): AnswerOf<Id> | undefined {
  return face.kind === "strict" ? face.profile[id] : undefined;
}
