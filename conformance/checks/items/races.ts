import type { Answer } from "../../client/client.js";
import { isRefused } from "../../client/is-refused.js";
import type { CheckContext } from "../../check/context.js";
import { RunTrouble } from "../../client/violation.js";
import { ItemCalls } from "./item-calls.js";

/** Makes sure that the way to Put is known before requests race. */
export async function settled(context: CheckContext): Promise<ItemCalls> {
  const items = await ItemCalls.shared(context);
  await items.put(items.key(), { n: 0 }, {}, { setUp: true });
  await items.tidy();
  return items;
}

/** Sends requests at the same time. Those without an answer may have taken place or not. */
export async function race(
  count: number,
  send: (by: number) => Promise<Answer>,
): Promise<readonly (Answer | undefined)[]> {
  return Promise.all(Array.from({ length: count }, (_, by) => unlessLost(send(by))));
}

/** An answer; nothing where none came, so that the request may have taken effect or not. */
export async function unlessLost(answer: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof RunTrouble) return undefined;
    throw error;
  }
}

/** Whether a request about one item was refused for another reason than the item: others may have been in its way. */
export function wasNotDone(answer: Answer): boolean {
  return isRefused(answer) && answer.status !== 404;
}

/** Waits until all have ended, and throws what the first of them threw that did. */
export async function allOf(running: readonly Promise<unknown>[]): Promise<void> {
  const ended = await Promise.allSettled(running);
  for (const one of ended) if (one.status === "rejected") throw one.reason;
}
