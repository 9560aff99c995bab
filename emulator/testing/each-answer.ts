import { it } from "vitest";
import { getSampleAnswers, type AnswerTo, type GapId } from "../../openapi/gaps/register.js";
import { type Profile } from "../../openapi/gaps/profile.js";

/**
 * Registers one test for each answer to a gap: all choices, and samples of ranges and lists. `register.test.ts` looks
 * for these calls, to make sure that every answer is tested.
 *
 * @param run receives an answer and a profile that contains it
 */
export function eachAnswer<Id extends GapId>(
  id: Id,
  title: string,
  run: (answer: AnswerTo<Id>, profile: Partial<Profile>) => Promise<void> | void,
): void {
  for (const answer of getSampleAnswers(id))
    it(`[${id}: ${JSON.stringify(answer)}] ${title}`, () => run(answer, { [id]: answer }));
}
