import { completeProfile, type Profile } from "../../openapi/gaps/profile.js";
import { type GapId, gapIds, getSampleAnswers } from "../../openapi/gaps/register.js";
import { hashText } from "../../openapi/text/hash-text.js";
import type { Variant } from "./mutant.js";

/** Gaps whose answers cannot be combined freely with other answers. */
const omittedGaps: readonly GapId[] = [
  // With three requests per second, most requests would be sent several times.
  "rate-limit",
];

/** Number of profiles in which each gap has its first, second, … answer; gaps with fewer answers have their first answer. */
const orderedProfileCount = Math.max(...gapIds.map((id) => getSampleAnswers(id).length));

/** Number of profiles with mixed answers, which contain most pairs of answers to any two gaps. */
const mixedProfileCount = 8;

function createProfile(number: number): Profile {
  const answers = gapIds
    .filter((id) => !omittedGaps.includes(id))
    .map((id) => {
      const known = getSampleAnswers(id);
      return [
        id,
        number < orderedProfileCount
          ? (known[number] ?? known[0])
          : known[Math.abs(hashText(`${number} ${id}`)) % known.length],
      ];
    });
  const completed = completeProfile(Object.fromEntries(answers) as Partial<Profile>);
  if ("mistakes" in completed) throw new Error(completed.mistakes.map(({ detail }) => detail).join("; "));
  return completed.profile;
}

/** Deployments with different answers to all gaps; together, they cover every answer to every gap. */
export const gapVariants: readonly Variant[] = [
  ...Array.from({ length: orderedProfileCount + mixedProfileCount - 1 }, (_, index): Variant => ({
    id: `everywhere/answers-${index + 1}`,
    profile: createProfile(index + 1),
  })),
  { id: "databases/rate-limit", alsoIn: ["members", "concurrency"], profile: { "rate-limit": 3 } },
];
