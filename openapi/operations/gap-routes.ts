import { type GapId, getGap } from "../gaps/register.js";
import type { Profile } from "../gaps/profile.js";
import type { Method, GapRoutes, Route } from "./operation.js";

/**
 * The routes of an operation whose path is a gap: those of the known answers, and any that a profile gives as
 * `<METHOD> <path template>`.
 *
 * @param byAnswer the routes of each known answer; if there are two, the second has a sort key
 */
export function defineGapRoutes(gap: GapId, byAnswer: Readonly<Record<string, readonly Route[]>>): GapRoutes {
  return {
    gap,
    alternatives: (known) =>
      getPossibleAnswers(gap, known).map((answer) => byAnswer[answer] ?? parseRouteAnswer(answer)),
  };
}

/** The possible answers to a route gap when some gaps are answered. */
export function getPossibleAnswers(gap: GapId, known: Partial<Profile>): readonly string[] {
  const answer = known[gap];
  return answer === undefined ? getGap(gap).choices.map(String) : [String(answer)];
}

/**
 * Parses `<METHOD> <path template>`. A last segment in brackets is optional, which gives two routes:
 * `PUT /things/{pk}[/{sk}]`.
 */
export function parseRouteAnswer(answer: string): readonly Route[] {
  const [method = "", template = ""] = answer.split(" ");
  const [path = "", optional] = template.split(/[[\]]/);
  const route = (whole: string): Route => ({ method: method.toLowerCase() as Method, path: whole });
  return optional === undefined ? [route(path)] : [route(path), route(path + optional)];
}
