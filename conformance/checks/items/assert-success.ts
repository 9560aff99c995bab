import type { Answer } from "../../client/client.js";
import type { CheckContext } from "../../check/context.js";
import { answerText, listsNothing } from "../../steps/items/item-calls.js";

/** Asserts the answer of a transaction that was applied. Whether ConditionChecks count is open. */
export function assertSuccess(
  context: CheckContext,
  answer: Answer,
  operations: readonly { readonly action: string }[],
): void {
  context.assertStatus("TX-06", answer, 200);
  const most = operations.length;
  const least = operations.filter(({ action }) => action !== "ConditionCheck").length;
  const { successCount, errors } = answer.body as { successCount: number; errors: unknown };
  context.assert(
    "TX-06",
    successCount === most || successCount === least,
    least === most ? `successCount ${most}` : `successCount ${most}, or ${least} without the ConditionChecks`,
    answerText(answer),
  );
  context.assert("TX-06", listsNothing(errors), "errors null or empty", errors);
}
