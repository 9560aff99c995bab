import type { ClauseId } from "../../openapi/clauses/register.js";
import type { CheckContext } from "../check/context.js";
import type { ApiResponse } from "../client/client.js";
import type { OperationCall } from "./data-calls.js";

/** Fields that contain the entries of lists. */
const listFields = ["items", "entities", "repositories", "rows", "tables", "members"] as const;

/**
 * Asserts that a response reveals no data: the request is refused, or the response shows nothing. The specification
 * leaves the status open.
 */
export function assertRevealsNothing(
  context: CheckContext,
  clause: ClauseId,
  answer: ApiResponse,
  because: string,
): void {
  if (showsNothing(answer)) context.assert(clause, true, "a response without data", answer.text);
  else context.assertRefused(clause, answer, because);
}

/** Calls operations, and asserts that the responses reveal no data; see {@link assertRevealsNothing}. */
export async function assertCallsRevealNothing(
  context: CheckContext,
  clause: ClauseId,
  because: string,
  calls: readonly OperationCall[],
): Promise<void> {
  for (const [operationId, call] of calls) {
    const response = await context.call(operationId, { ...call, intent: "invalid" });
    assertRevealsNothing(context, clause, response, because);
  }
}

/** Whether a successful response contains no data: an empty list, missing items, or the deletion of a missing resource. */
function showsNothing({ status, body, exchange }: ApiResponse): boolean {
  const { operationId = "", request } = exchange;
  if (operationId.startsWith("delete")) return status === 204;
  if (status !== 200 || (operationId === "runSqlQuery" && !/"SELECT\b/i.test(request.body ?? "")))
    return false;
  const shown = listFields.map((name): unknown => body?.[name]).find((list) => Array.isArray(list)) as
    readonly { readonly itemExists?: boolean }[] | undefined;
  const isLast = (body?.nextCursor ?? body?.nextPageToken ?? null) === null;
  return isLast && shown?.every(({ itemExists }) => itemExists === false) === true;
}
