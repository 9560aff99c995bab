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

/** Compares the two targets' responses to the request of a step. */
export function compareResponses(
  { kind, operationId }: HistoryStep,
  [first, second]: readonly [ComparedResponse, ComparedResponse],
  context: BodyComparisonContext,
): readonly Mismatch[] {
  const found: Mismatch[] = [];
  const note = (
    field: string,
    read: (answer: ComparedResponse) => string | undefined,
    more: Partial<Mismatch> = {},
  ) => {
    const [mine, theirs] = [read(first), read(second)];
    if (mine === theirs) return;
    const isAlone = mine === undefined || theirs === undefined;
    const kind = isAlone ? describeOneSide(theirs === undefined) : describeBothSides(mine, theirs);
    found.push({ field, kind, first: mine, second: theirs, ...more });
  };
  const hasOpenRoute = operationId !== undefined && "gap" in serviceApi.operations[operationId].routes;
  if ((first.sessionEnd === undefined) !== (second.sessionEnd === undefined))
    note("end of session", ({ sessionEnd }) => sessionEnd && String(sessionEnd.status));
  if (kind === "call" && hasOpenRoute && isSuccess(first) && isSuccess(second))
    note("route", ({ route }) => route, { isOfOperation: true });
  if (first.status !== second.status) return [...found, statusMismatch(first, second)];
  for (const name of ["content-type", ...presentHeaders])
    note(`header ${name}`, (answer) => headerOf(answer, name));
  if (operationId === undefined) return found;
  // with all digits of numbers
  const [mine, theirs] = [first, second].map(({ text }) => parseBody(text, parse));
  if (mine === undefined && theirs === undefined) return found;
  const cursors = [first, second].map(({ body }) => partsOf(body).nextCursor ?? partsOf(body).nextPageToken);
  const isPage = context.isPage || cursors.some((cursor) => (cursor ?? null) !== null);
  const schema = context.schemas.bodyOf(operationId, first.status);
  return [...found, ...compareBodies(mine, theirs, schema, operationId, { ...context, isPage })];
}

/** Statuses that are not specific to an operation: those about access and about rate limits. */
const ofAllOperations = [401, 429];

const maxReason = 80;

/**
 * A refusal is known by the reason that the emulator gives, or the one side that refuses. What is refused on one side
 * alone is a cause of its operation, unless it is refused for a field, or by a status that no operation has to itself.
 */
function statusMismatch(first: ComparedResponse, second: ComparedResponse): Mismatch {
  const [mine, theirs] = [String(first.status), String(second.status)];
  const shown = { field: "status", first: mine, second: theirs };
  const alone = [first, second].find(({ status }) => ofAllOperations.includes(status));
  if (alone !== undefined) return { ...shown, kind: `${alone.status} ${describeOneSide(alone === first)}` };
  const isOneTaken = isSuccess(first) !== isSuccess(second);
  const { type, errors } = partsOf((isSuccess(second) ? first : second).body);
  const { pointer, field = pointer } = partsOf(Array.isArray(errors) ? errors[0] : undefined);
  const name = isOneTaken
    ? textOf(field)
        .split(/[^A-Za-z]/)
        .at(-1)
    : "";
  const reason = [textOf(type).replace(/^.*\//s, ""), name].join(" ").trim().slice(0, maxReason);
  const outcome = (answer: ComparedResponse) =>
    isOneTaken && isSuccess(answer) ? "accepted" : String(answer.status);
  return {
    ...shown,
    kind: describeBothSides(outcome(first), outcome(second)) + (reason === "" ? "" : ` (${reason})`),
    ...(isOneTaken && name === "" ? { isOfOperation: true } : {}),
  };
}

/** Headers in the contract whose presence is compared; their values are prose or depend on the time. */
const presentHeaders = ["www-authenticate", "retry-after", "access-control-allow-origin"] as const;

function headerOf(answer: ComparedResponse, name: string): string | undefined {
  const value = answer.header(name);
  if (name !== "content-type") return value === undefined ? undefined : "present";
  return answer.text === "" ? undefined : value?.split(";")[0]?.trim().toLowerCase();
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function partsOf(body: unknown): Readonly<Record<string, unknown>> {
  return (body ?? {}) as Readonly<Record<string, unknown>>;
}
