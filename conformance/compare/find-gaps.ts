import { type GapId, gapIds, getGap } from "../../openapi/gaps/register.js";
import type { OperationDefinition } from "../../openapi/operations/operation.js";
import { getProblemDefinition, type ProblemKind, problemKinds } from "../../openapi/operations/problems.js";
import { serviceApi } from "../../openapi/operations/register.js";
import { parseBody } from "../client/json-text.js";
import type { ResponseDifference } from "./run-history.js";

/**
 * Finds the gaps from which a difference may come: the gap of a differing route, gaps of which both statuses are answers,
 * and the gap whose observer alone shows the difference.
 */
export function findGaps(example: ResponseDifference, histories: ReadonlySet<string>): readonly GapId[] {
  const observed = gapIds.filter((gap) => histories.size === 1 && histories.has(`gaps/${gap}`));
  return [...new Set([...observed, ...findRouteGaps(example), ...findStatusGaps(example)])];
}

function findRouteGaps({ field, step: { operationId } }: ResponseDifference): readonly GapId[] {
  if (field !== "route" || operationId === undefined) return [];
  const { routes }: OperationDefinition = serviceApi.operations[operationId];
  return "gap" in routes ? [routes.gap] : [];
}

function findStatusGaps({
  field,
  step: { operationId },
  statuses,
  exchanges,
}: ResponseDifference): readonly GapId[] {
  if (field !== "status" || operationId === undefined) return [];
  const { successes }: OperationDefinition = serviceApi.operations[operationId];
  const named = successes({ kind: "open" }).flatMap(({ status, gap }) =>
    statuses.some((one) => one === status) ? (gap ?? []) : [],
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
  return [...named, ...problems].filter((gap) => statuses.every(isAnswer(gap)));
}
