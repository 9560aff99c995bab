import type { SchemaObject } from "openapi3-ts/oas31";
import { emulatorDefinedLimits } from "../clauses/limits.js";
import { type GapAnswer, listAnswerForms } from "./gap.js";
import { type AnswerTo, getDefaultAnswer, type GapId, gapIds, getGap } from "./register.js";
import { isProfileOrigin, profileOriginField } from "./profile-origin.js";

/** One answer for every gap. */
export type Profile = { readonly [Id in GapId]: AnswerTo<Id> };

/** The profile with the default answer to every gap. */
export const defaultProfile = Object.fromEntries(gapIds.map((id) => [id, getDefaultAnswer(id)])) as Profile;

/** A mistake in a profile that a user gives. */
export interface ProfileMistake {
  readonly gap: string;
  readonly detail: string;
}

/**
 * Completes a partial profile with the default answers.
 *
 * @param given a flat object, gap id → answer, as read from a profile file
 * @returns the complete profile, or every mistake in the given one
 */
export function completeProfile(
  given: unknown,
): { readonly profile: Profile } | { readonly mistakes: readonly ProfileMistake[] } {
  if (typeof given !== "object" || given === null || Array.isArray(given))
    return {
      mistakes: [{ gap: "", detail: "a profile must be a JSON object that maps gap ids to answers" }],
    };
  const mistakes: ProfileMistake[] = [];
  for (const [id, answer] of Object.entries(given)) {
    if (id === "$schema") continue;
    if (id === profileOriginField) {
      if (!isProfileOrigin(answer))
        mistakes.push({
          gap: id,
          detail:
            "must have the fields deployment, observed (a date), contract and open, as written by `data-service observe`",
        });
      continue;
    }
    if (!isGapId(id)) {
      // finding a similar id takes time, and no message shows more mistakes than this
      const meant = mistakes.length < emulatorDefinedLimits.mistakesShown ? suggestGap(id) : "";
      mistakes.push({ gap: id, detail: `there is no gap with this name${meant}` });
    } else if (!isKnownAnswer(id, answer))
      mistakes.push({
        gap: id,
        detail: `${JSON.stringify(answer)} is not a valid answer; ${describeAnswers(id)}`,
      });
  }
  if (mistakes.length > 0) return { mistakes };
  const answers: Record<string, unknown> = { ...defaultProfile, ...given };
  delete answers.$schema;
  Reflect.deleteProperty(answers, profileOriginField);
  return { profile: answers as unknown as Profile };
}

const knownGaps: ReadonlySet<string> = new Set(gapIds);

/** Whether a text is the id of a gap. */
export function isGapId(id: string): id is GapId {
  return knownGaps.has(id);
}

/** Whether a value is an answer to a gap. */
export function isKnownAnswer(id: GapId, answer: unknown): answer is GapAnswer {
  const gap = getGap(id);
  return (
    (gap.choices as unknown[]).includes(answer) ||
    listAnswerForms(gap).some(({ schema }) => matchesSchema(schema, answer))
  );
}

/** Supports only the keywords that {@link listAnswerForms} uses. */
function matchesSchema(
  { type, pattern = "", minimum = 0, maximum = 0 }: SchemaObject,
  value: unknown,
): boolean {
  if (type === "string") return typeof value === "string" && new RegExp(pattern, "u").test(value);
  return Number.isInteger(value) && minimum <= Number(value) && Number(value) <= maximum;
}

/** Describes the answers to a gap in words. */
export function describeAnswers(id: GapId): string {
  const gap = getGap(id);
  const choices = gap.choices.map((choice) => JSON.stringify(choice));
  const forms = listAnswerForms(gap).map(({ description }) => description);
  return `the valid answers are ${[...choices, ...forms].join(", ")}`;
}

/** Maximum number of suggestions: a short word is part of many names. */
const maxSuggestions = 5;

/** Returns `; did you mean …?` with gaps whose ids contain the first word of a text; empty if there are none. */
export function suggestGap(id: string): string {
  const word = id.split("-")[0] ?? "";
  const near = word === "" ? [] : gapIds.filter((known) => known.includes(word)).slice(0, maxSuggestions);
  return near.length > 0 ? `; did you mean ${near.join(" or ")}?` : "";
}

/**
 * The answers that the option `strict` sets. They help to find mistakes in clients: fields that the contract does not
 * define, such as misspelled names, are rejected instead of ignored.
 */
export const strictModeAnswers = {
  "unknown-request-fields": "reject",
} as const satisfies Partial<Profile>;
