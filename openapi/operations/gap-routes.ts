import { type GapId, getGap } from "../gaps/register.js";
import type { Profile } from "../gaps/profile.js";
import type { Method, GapRoutes, Route } from "./operation.js";

/**
 * The routes of an operation whose place a gap leaves open: those of the known answers, and whatever a profile names
 * as `<METHOD> <path template>`.
 *
 * @param byAnswer the routes of each known answer; two where the second has a sort key
 */
export function defineGapRoutes(gap: GapId, byAnswer: Readonly<Record<string, readonly Route[]>>): GapRoutes {
  return {
    gap,
    alternatives: (known) =>
      getPossibleAnswers(gap, known).map((answer) => byAnswer[answer] ?? parseRouteAnswer(answer)),
  };
}

/** The answers of a route gap that are left when some gaps are answered. */
export function getPossibleAnswers(gap: GapId, known: Partial<Profile>): readonly string[] {
  const answer = known[gap];
  return answer === undefined ? getGap(gap).choices.map(String) : [String(answer)];
}

/**
 * Reads `<METHOD> <path template>`; a last segment in brackets may be left out, which makes two routes of it:
 * `PUT /things/{pk}[/{sk}]`.
 */
export function parseRouteAnswer(answer: string): readonly Route[] {
  const [method = "", template = ""] = answer.split(" ");
  const [path = "", optional] = template.split(/[[\]]/);
  const route = (whole: string): Route => ({ method: method.toLowerCase() as Method, path: whole });
  return optional === undefined ? [route(path)] : [route(path), route(path + optional)];
}
