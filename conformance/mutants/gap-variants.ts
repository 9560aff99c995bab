import { completeProfile, type Profile } from "../../openapi/gaps/profile.js";
import { type GapId, gapIds, getSampleAnswers } from "../../openapi/gaps/register.js";
import { hashText } from "../../openapi/text/hash-text.js";
import type { Variant } from "./mutant.js";

/** Gaps whose answers cannot be combined freely with other answers. */
const leftOut: readonly GapId[] = [
  // With three requests per second, most requests would be sent several times.
  "rate-limit",
];

/** Profiles in which each gap has its first, second, … answer; gaps with fewer answers have their first answer. */
const inOrder = Math.max(...gapIds.map((id) => getSampleAnswers(id).length));

/** Profiles with mixed answers, in which most pairs of answers of any two gaps occur. */
const mixed = 8;

function profileOf(number: number): Profile {
  const answers = gapIds
    .filter((id) => !leftOut.includes(id))
    .map((id) => {
      const known = getSampleAnswers(id);
      return [
        id,
        number < inOrder
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
  ...Array.from({ length: inOrder + mixed - 1 }, (_, index): Variant => ({
    id: `everywhere/answers-${index + 1}`,
    profile: profileOf(index + 1),
  })),
  { id: "databases/rate-limit", alsoIn: ["members", "concurrency"], profile: { "rate-limit": 3 } },
];
