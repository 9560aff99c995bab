import { type GapId, gapIds, getGap } from "../../openapi/gaps/register.js";
import type { OperationDefinition } from "../../openapi/operations/operation.js";
import { getProblemDefinition, type ProblemKind, problemKinds } from "../../openapi/operations/problems.js";
import { serviceApi } from "../../openapi/operations/register.js";
import { isSuccess } from "../client/is-success.js";
import { parseBody } from "../client/json-text.js";
import type { ResponseDifference } from "./run-history.js";

/**
 * Finds the gaps from which a difference may come: the gap of a differing route, gaps of which both statuses are answers,
 * gaps that limit a value that one side rejects, and the gap whose observer alone shows the difference.
 *
 * @param selected what was selected; a gap whose observer shows the difference counts only if it was named, because a
 *   history that was not selected may show the difference as well; undefined if everything was compared
 */
export function findGaps(
  example: ResponseDifference,
  histories: ReadonlySet<string>,
  selected?: readonly string[],
): readonly GapId[] {
  const observed = gapIds.filter(
    (gap) =>
      histories.size === 1 &&
      histories.has(`gaps/${gap}`) &&
      (selected === undefined || selected.includes(gap)),
  );
  const others = [findRouteGaps, findStatusGaps, findLimitGaps].flatMap((find) => find(example));
  return [...new Set([...observed, ...others])];
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

/** Finds the gaps that limit a value in the request, if one side alone rejects the request and names the value. */
function findLimitGaps({ field, statuses, exchanges }: ResponseDifference): readonly GapId[] {
  // A 429 response depends on earlier requests.
  if (field !== "status" || statuses.includes(429) || !statuses.some((status) => isSuccess({ status })))
    return [];
  const { request, answer } =
    exchanges.at(-1)?.find(({ answer }) => answer !== undefined && !isSuccess(answer)) ?? {};
  if (request === undefined || answer === undefined) return [];
  const { url, body = "" } = request;
  const sent = (parseBody(body) ?? {}) as Readonly<Record<string, unknown>>;
  const parameters = new URLSearchParams(url.replace(/^[^?]*/, ""));
  return gapIds.filter((gap) => {
    const { limits, range } = getGap(gap);
    if (limits === undefined) return false;
    const { of, above } = limits;
    const value = of === "body" ? Buffer.byteLength(body) : (sent[of] ?? Number(parameters.get(of)));
    const isNamed = of === "body" ? answer.status === 413 : new RegExp(`\\b${of}\\b`).test(answer.body);
    return isNamed && typeof value === "number" && value > above && value <= (range?.maximum ?? Infinity);
  });
}
