import { it } from "vitest";
import { getSampleAnswers, type AnswerTo, type GapId } from "../../openapi/gaps/register.js";
import { type Profile } from "../../openapi/gaps/profile.js";

/**
 * Registers one test for every answer of a gap: every choice, and samples of ranges and lists. The register test
 * looks for these calls to know that every answer is tried.
 *
 * @param run is given a profile with that one answer
 */
export function eachAnswer<Id extends GapId>(
  id: Id,
  title: string,
  run: (answer: AnswerTo<Id>, profile: Partial<Profile>) => Promise<void> | void,
): void {
  for (const answer of getSampleAnswers(id))
    it(`[${id}: ${JSON.stringify(answer)}] ${title}`, () => run(answer, { [id]: answer }));
}
