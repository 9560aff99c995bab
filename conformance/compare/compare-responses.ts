import { parse } from "lossless-json";
import { serviceApi } from "../../openapi/operations/register.js";
import { isSuccess } from "../client/is-success.js";
import { parseBody } from "../client/json-text.js";
import {
  type BodyComparisonContext,
  compareBodies,
  type Mismatch,
  describeOneSide,
  describeBothSides,
} from "./compare-bodies.js";
import type { HistoryStep } from "./history.js";
import type { ComparedResponse } from "./compared-target.js";
import type { Pair } from "./pair.js";

/** Compares the two targets' responses to the request of a step. */
export function compareResponses(
  { kind, operationId }: HistoryStep,
  [first, second]: Pair<ComparedResponse>,
  context: BodyComparisonContext,
): readonly Mismatch[] {
  const found: Mismatch[] = [];
  const note = (
    field: string,
    read: (response: ComparedResponse) => string | undefined,
    more: Partial<Mismatch> = {},
  ) => {
    const [firstValue, secondValue] = [read(first), read(second)];
    if (firstValue === secondValue) return;
    const isOneSided = firstValue === undefined || secondValue === undefined;
    const kind = isOneSided
      ? describeOneSide(secondValue === undefined)
      : describeBothSides(firstValue, secondValue);
    found.push({ field, kind, first: firstValue, second: secondValue, ...more });
  };
  const hasOpenRoute = operationId !== undefined && "gap" in serviceApi.operations[operationId].routes;
  if ((first.sessionEnd === undefined) !== (second.sessionEnd === undefined))
    note("end of session", ({ sessionEnd }) => sessionEnd && String(sessionEnd.status));
  if (kind === "call" && hasOpenRoute && isSuccess(first) && isSuccess(second))
    note("route", ({ route }) => route, { isOperationSpecific: true });
  if (first.status !== second.status) return [...found, compareStatuses(first, second)];
  for (const name of ["content-type", ...presentHeaders])
    note(`header ${name}`, (response) => getComparedHeader(response, name));
  if (operationId === undefined) return found;
  // lossless-json keeps all digits of numbers.
  const [firstValue, secondValue] = [first, second].map(({ text }) => parseBody(text, parse));
  if (firstValue === undefined && secondValue === undefined) return found;
  const cursors = [first, second].map(
    ({ body }) => toFields(body).nextCursor ?? toFields(body).nextPageToken,
  );
  const isPage = context.isPage || cursors.some((cursor) => (cursor ?? null) !== null);
  const schema = context.schemas.getBodySchema(operationId, first.status);
  return [...found, ...compareBodies(firstValue, secondValue, schema, operationId, { ...context, isPage })];
}

/** Statuses about access and rate limits, which are not specific to an operation. */
const generalStatuses = [401, 429];

const maxReasonLength = 80;

/**
 * Describes different statuses with the reason for the refusal. If only one side refuses the request, the difference is
 * specific to the operation, unless the reason names a field or the status is one of the general statuses.
 */
function compareStatuses(first: ComparedResponse, second: ComparedResponse): Mismatch {
  const [firstValue, secondValue] = [String(first.status), String(second.status)];
  const mismatch = { field: "status", first: firstValue, second: secondValue };
  const general = [first, second].find(({ status }) => generalStatuses.includes(status));
  if (general !== undefined)
    return { ...mismatch, kind: `${general.status} ${describeOneSide(general === first)}` };
  const isOneAccepted = isSuccess(first) !== isSuccess(second);
  const { type, errors } = toFields((isSuccess(second) ? first : second).body);
  const { pointer, field = pointer } = toFields(Array.isArray(errors) ? errors[0] : undefined);
  const name = isOneAccepted
    ? toText(field)
        .split(/[^A-Za-z]/)
        .at(-1)
    : "";
  const reason = [toText(type).replace(/^.*\//s, ""), name].join(" ").trim().slice(0, maxReasonLength);
  const outcome = (response: ComparedResponse) =>
    isOneAccepted && isSuccess(response) ? "accepted" : String(response.status);
  return {
    ...mismatch,
    kind: describeBothSides(outcome(first), outcome(second)) + (reason === "" ? "" : ` (${reason})`),
    ...(isOneAccepted && name === "" ? { isOperationSpecific: true } : {}),
  };
}

/** Headers in the contract whose presence is compared; their values are prose or depend on the time. */
const presentHeaders = ["www-authenticate", "retry-after", "access-control-allow-origin"] as const;

function getComparedHeader(response: ComparedResponse, name: string): string | undefined {
  const value = response.header(name);
  if (name !== "content-type") return value === undefined ? undefined : "present";
  return response.text === "" ? undefined : value?.split(";")[0]?.trim().toLowerCase();
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function toFields(body: unknown): Readonly<Record<string, unknown>> {
  return (body ?? {}) as Readonly<Record<string, unknown>>;
}
