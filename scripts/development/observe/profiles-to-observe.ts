import fc from "fast-check";
import { parseProfile } from "../../../openapi/document/parse-profile.js";
import type { Profile } from "../../../openapi/gaps/profile.js";
import { getSampleAnswers, type GapId, gapIds, getGap } from "../../../openapi/gaps/register.js";

/** An answer to a gap, as part of a profile. */
type Choice = Partial<Profile>;

/**
 * Profiles in which every pair of answers to any two gaps occurs, but for those of {@link mayStandTogether}. Each begins
 * with a pair that none has yet, and takes of every other gap the answer that brings most such pairs.
 */
export function createProfilesToObserve(seed: number): readonly Profile[] {
  const choices = gapIds.map((gap) => getSampleAnswers(gap).map((answer): Choice => ({ [gap]: answer })));
  const numbers = new Map(choices.flat().map((choice, number) => [choice, number]));
  const all = [...numbers.keys()];
  const keyOf = (one: Choice, other: Choice) => {
    const [a = 0, b = 0] = [numbers.get(one), numbers.get(other)];
    return Math.min(a, b) * all.length + Math.max(a, b);
  };
  const open = new Map<number, readonly [Choice, Choice]>();
  const allowed = new Set<number>();
  for (const [place, ofGap] of choices.entries())
    for (const one of ofGap)
      for (const other of choices.slice(place + 1).flat())
        if (mayStandTogether({ ...one, ...other })) {
          open.set(keyOf(one, other), [one, other]);
          allowed.add(keyOf(one, other));
        }
  const profiles: Profile[] = [];
  while (open.size > 0) {
    const row = [...([...open.values()][0] ?? [])];
    const rest = choices.filter((ofGap) => !ofGap.some((choice) => row.includes(choice)));
    const [order = rest] = fc.sample(fc.shuffledSubarray(rest, { minLength: rest.length }), {
      seed: seed + profiles.length,
      numRuns: 1,
    });
    for (const ofGap of order) {
      const gains = ofGap
        .filter((choice) => row.every((other) => allowed.has(keyOf(choice, other))))
        .map((choice) => ({ choice, gain: row.filter((other) => open.has(keyOf(choice, other))).length }));
      const [best] = gains.sort((a, b) => b.gain - a.gain);
      if (best === undefined) throw new Error(`no answer goes with ${JSON.stringify(row)}`);
      row.push(best.choice);
    }
    for (const one of row) for (const other of row) open.delete(keyOf(one, other));
    const read = parseProfile(Object.assign({}, ...row) as object);
    if ("mistakes" in read) throw new Error(`a row is not a profile: ${JSON.stringify(read.mistakes)}`);
    profiles.push(read.profile);
  }
  return profiles;
}

/**
 * Whether two answers may stand in one profile. Two routes may not where one would take the requests of the other: the
 * reader of profiles refuses that. And a page of SQL rows that nobody limits is never larger than the largest page, so
 * that a profile that says otherwise describes the same deployment as one that does not.
 */
function mayStandTogether(pair: Partial<Profile>): boolean {
  const { "sql-page-size": rows, "page-limit-max": largest } = pair;
  if (rows !== undefined && largest !== undefined) return rows <= largest;
  const areRoutes = Object.keys(pair).every((gap) => getGap(gap as GapId).route !== undefined);
  return !areRoutes || "profile" in parseProfile(pair);
}
