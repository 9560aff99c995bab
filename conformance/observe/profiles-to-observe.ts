import { answersToTry, type GapId, gapIds, gapOf } from "../../openapi/gaps/register.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import { readProfile } from "../../openapi/document/read-profile.js";
import { type Choice, coveringArray } from "./covering-array.js";

/**
 * Profiles in which every pair of answers to any two gaps occurs, but for those of {@link mayStandTogether}.
 */
export function profilesToObserve(seed: number): readonly Profile[] {
  const answers = gapIds.map((gap) => answersToTry(gap));
  const answerOf = ({ factor, value }: Choice) => ({ [gapIds[factor] ?? ""]: answers[factor]?.[value] });
  const rows = coveringArray(
    answers.map(({ length }) => length),
    {
      seed,
      allows: (one, other) => mayStandTogether({ ...answerOf(one), ...answerOf(other) }),
    },
  );
  return rows.map((row) => {
    const given = Object.assign({}, ...row.map((value, factor) => answerOf({ factor, value }))) as object;
    const read = readProfile(given);
    if ("mistakes" in read) throw new Error(`a row is no profile: ${JSON.stringify(read.mistakes)}`);
    return read.profile;
  });
}

/**
 * Whether two answers may stand in one profile. Two routes may not where one would take the requests of the other: the
 * reader of profiles refuses that. And a page of SQL rows that nobody limits is never larger than the largest page, so
 * that a profile that says otherwise describes the same deployment as one that does not.
 */
export function mayStandTogether(pair: Partial<Profile>): boolean {
  const { "sql-page-size": rows, "page-limit-max": largest } = pair;
  if (rows !== undefined && largest !== undefined) return rows <= largest;
  const areRoutes = Object.keys(pair).every((gap) => gapOf(gap as GapId).route !== undefined);
  return !areRoutes || "profile" in readProfile(pair);
}
