import fc from "fast-check";
import { parseProfile } from "../../../openapi/document/parse-profile.js";
import type { Profile } from "../../../openapi/gaps/profile.js";
import { getSampleAnswers, gapIds } from "../../../openapi/gaps/register.js";

const answers = gapIds.map((id) => [id, fc.constantFrom<unknown>(...getSampleAnswers(id))] as const);
const profileArbitrary = fc.record(Object.fromEntries(answers)) as fc.Arbitrary<Profile>;

/** Generates profiles with random answers to all gaps. A hundred profiles have almost every pair of answers to two gaps. */
export function sampleProfiles(seed: number, count: number): readonly Profile[] {
  const usable = profileArbitrary.filter((profile) => "profile" in parseProfile(profile));
  return fc.sample(fc.noBias(usable), { seed, numRuns: count });
}
