import { answersToTry, type GapId, gapIds, gapOf } from "../../openapi/gaps/register.js";
import type { Profile } from "../../openapi/profile.js";
import { readProfile } from "../../openapi/read-profile.js";
import { type Choice, coveringArray } from "./covering-array.js";

/**
 * Profiles in which every pair of answers to any two gaps occurs, but for the pairs of routes that no profile may have,
 * as one would take the requests of the other.
 */
export function profilesToObserve(seed: number): readonly Profile[] {
  const answers = gapIds.map((gap) => answersToTry(gap));
  const isRoute = gapIds.map((gap) => gapOf(gap).route !== undefined);
  const answerOf = ({ factor, value }: Choice) => ({ [gapIds[factor] as GapId]: answers[factor]?.[value] });
  const rows = coveringArray(
    answers.map(({ length }) => length),
    {
      seed,
      allows: (one, other) =>
        isRoute[one.factor] !== true ||
        isRoute[other.factor] !== true ||
        "profile" in readProfile({ ...answerOf(one), ...answerOf(other) }),
    },
  );
  return rows.map((row) => {
    const given = Object.assign({}, ...row.map((value, factor) => answerOf({ factor, value }))) as object;
    const read = readProfile(given);
    if ("mistakes" in read) throw new Error(`a row is no profile: ${JSON.stringify(read.mistakes)}`);
    return read.profile;
  });
}
