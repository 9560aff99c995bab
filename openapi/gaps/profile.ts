import { emulatorDefinedLimits } from "../clauses/limits.js";
import type { GapAnswer, RouteRequirements } from "./gap.js";
import { buildRoutePattern } from "./gap.js";
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
  const { choices, range, list, anyRefusal, route, name } = getGap(id);
  if ((choices as unknown[]).includes(answer)) return true;
  if (anyRefusal && Number.isInteger(answer)) return isRefusal(answer as number);
  if (route && typeof answer === "string") return new RegExp(buildRoutePattern(route), "u").test(answer);
  if (name && typeof answer === "string") return new RegExp(name.pattern, "u").test(answer);
  if (range && Number.isInteger(answer))
    return (answer as number) >= range.minimum && (answer as number) <= range.maximum;
  if (list === undefined || !Array.isArray(answer)) return false;
  const form = new RegExp(list.pattern ?? "", "u");
  return answer.every((entry) => typeof entry === "string" && form.test(entry));
}

function isRefusal(status: number): boolean {
  return status >= 400 && status <= 499;
}

/** Describes the answers to a gap in words. */
export function describeAnswers(id: GapId): string {
  const { choices, range, list, anyRefusal, route, name } = getGap(id);
  const forms = choices.map((choice) => JSON.stringify(choice));
  if (route) forms.push(describeRoute(route));
  if (name) forms.push(`any other valid name of ${name.of}`);
  if (anyRefusal) forms.push("any other status from 400 to 499");
  if (range) forms.push(`a whole number of ${range.unit} from ${range.minimum} to ${range.maximum}`);
  if (list) forms.push(`a list of ${list.of}`);
  return `the valid answers are ${forms.join(", ")}`;
}

function describeRoute({ methods, parameters, keys = false }: RouteRequirements): string {
  const needed = parameters.map((name) => `{${name}}`).join(" and ");
  return (
    `"<METHOD> <path>" with ${methods.join(" or ")}` +
    (needed === "" ? "" : ` and ${needed} in the path`) +
    (keys ? ", which may contain {pk} and end with [/{sk}]" : "")
  );
}

/** Maximum number of suggestions: a short word is part of many names. */
const maxSuggestions = 5;

function suggestGap(id: string): string {
  const word = id.split("-")[0] ?? "";
  const near = word === "" ? [] : gapIds.filter((known) => known.includes(word)).slice(0, maxSuggestions);
  return near.length > 0 ? `; did you mean ${near.join(" or ")}?` : "";
}

/**
 * The answers of the option `strict`, which helps to find mistakes in clients: what the contract does not define, such as
 * a misspelt name, is refused instead of ignored.
 */
export const strictModeAnswers = {
  "unknown-request-members": "reject",
} as const satisfies Partial<Profile>;
