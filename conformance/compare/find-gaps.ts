import { type GapId, gapIds, getGap } from "../../openapi/gaps/register.js";
import type { OperationDefinition } from "../../openapi/operations/operation.js";
import { getProblemDefinition, type ProblemKind, problemKinds } from "../../openapi/operations/problems.js";
import { serviceApi } from "../../openapi/operations/register.js";
import { parseBody } from "../client/json-text.js";
import type { ResponseDifference } from "./run-history.js";

/** Finds the gap whose observer alone shows a cause, if the histories of all checks and observers were compared. */
export function findObservedGap(histories: ReadonlySet<string>): readonly GapId[] {
  return gapIds.filter((gap) => histories.size === 1 && histories.has(`gaps/${gap}`));
}

/** Finds the gaps of which both statuses are answers. */
export function findStatusGaps({
  field,
  step: { operationId },
  statuses,
  exchanges,
}: ResponseDifference): readonly GapId[] {
  if (field !== "status" || operationId === undefined) return [];
  const { successes }: OperationDefinition = serviceApi.operations[operationId];
  const named = successes({ kind: "open" }).flatMap(({ status, gap }) =>
    statuses.some((one) => one === status) ? gap : [],
  );
  const problems = (exchanges.at(-1) ?? []).flatMap(({ answer }) => {
    const { type } = (parseBody(answer?.body ?? "") ?? {}) as { readonly type?: unknown };
    const kind = String(type).replace(/^.*\//s, "");
    const { status } = Object.hasOwn(problemKinds, kind) ? getProblemDefinition(kind as ProblemKind) : {};
    return typeof status === "object" ? status.gap : [];
  });
  const isAnswer = (gap: GapId) => (status: number) => {
    const { choices, anyRefusal } = getGap(gap);
    return choices.includes(status) || (anyRefusal === true && status >= 400 && status < 500);
  };
  return [...new Set([...named, ...problems])].filter(
    (gap): gap is GapId => gap !== undefined && statuses.every(isAnswer(gap)),
  );
}
