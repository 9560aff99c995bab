import type { Answer } from "../../client/client.js";
import { isRefused } from "../../client/is-refused.js";
import { defineChecksWithSubject } from "../../check/check.js";
import { RunError } from "../../client/violation.js";
import { ItemCalls } from "../../steps/items/item-calls.js";

/** Defines checks whose requests race: the way to Put is known before they do. */
export const defineRaceChecks = defineChecksWithSubject(["database"], async (context) => {
  const items = await ItemCalls.shared(context);
  await items.put(items.key(), { n: 0 }, {}, { setUp: true });
  await items.tidy();
  return items;
});

/** Sends requests at the same time. Those without an answer may have taken place or not. */
export async function sendConcurrently(
  count: number,
  send: (by: number) => Promise<Answer>,
): Promise<readonly (Answer | undefined)[]> {
  return Promise.all(Array.from({ length: count }, (_, by) => undefinedIfNoResponse(send(by))));
}

/** An answer; nothing where none came, so that the request may have taken effect or not. */
export async function undefinedIfNoResponse(answer: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof RunError) return undefined;
    throw error;
  }
}

/** Whether a request about one item was refused for another reason than the item: others may have been in its way. */
export function isRefusedByConflict(answer: Answer): boolean {
  return isRefused(answer) && answer.status !== 404;
}
