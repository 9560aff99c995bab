import { parse } from "lossless-json";
import { serviceApi } from "../../openapi/operations/register.js";
import { isSuccess } from "../client/is-success.js";
import { type BodyComparisonContext, compareBodies, type Mismatch } from "./compare-bodies.js";
import type { HistoryStep } from "./history.js";
import type { ComparedAnswer } from "./compared-target.js";

/** Compares the two targets' responses to the request of a step. */
export function compareAnswers(
  { kind, operationId }: HistoryStep,
  [first, second]: readonly [ComparedAnswer, ComparedAnswer],
  context: BodyComparisonContext,
): readonly Mismatch[] {
  const found: Mismatch[] = [];
  const note = (
    field: string,
    read: (answer: ComparedAnswer) => string | undefined,
    more: Partial<Mismatch> = {},
  ) => {
    const [mine, theirs] = [read(first), read(second)];
    if (mine === theirs) return;
    const alone = mine === undefined ? "second" : theirs === undefined ? "first" : undefined;
    found.push({
      field,
      kind:
        alone === undefined
          ? `${mine} on the first side, ${theirs} on the second`
          : `on the ${alone} side alone`,
      first: mine,
      second: theirs,
      ...more,
    });
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
  const [mine, theirs] = [bodyOf(first), bodyOf(second)];
  if (mine === undefined && theirs === undefined) return found;
  const isPage = context.isPage || [first, second].some(({ body }) => cursorIn(body) !== undefined);
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
function statusMismatch(first: ComparedAnswer, second: ComparedAnswer): Mismatch {
  const answers = [first, second] as const;
  const [mine = "", theirs = ""] = answers.map(({ status }) => String(status));
  const shown = { field: "status", first: mine, second: theirs };
  for (const [side, { status }] of answers.entries())
    if (ofAllOperations.includes(status))
      return { ...shown, kind: `${status} on the ${side === 0 ? "first" : "second"} side alone` };
  const isOneTaken = isSuccess(first) !== isSuccess(second);
  const { type, errors } = ((isSuccess(second) ? first : second).body ?? {}) as Readonly<
    Record<string, unknown>
  >;
  const [error] = Array.isArray(errors) ? (errors as readonly unknown[]) : [];
  const { pointer, field = pointer } = (error ?? {}) as Readonly<Record<string, unknown>>;
  const name = isOneTaken && typeof field === "string" ? /[A-Za-z]+$/.exec(field)?.[0] : undefined;
  const reason = [typeof type === "string" ? type.slice(type.lastIndexOf("/") + 1) : "", name ?? ""]
    .join(" ")
    .trim();
  const [here, there] = answers.map((answer, side) =>
    isOneTaken && isSuccess(answer) ? "taken" : side === 0 ? mine : theirs,
  );
  return {
    ...shown,
    kind:
      `${here} on the first side, ${there} on the second` +
      (reason === "" ? "" : ` (${reason.slice(0, maxReason)})`),
    ...(isOneTaken && name === undefined ? { isOfOperation: true } : {}),
  };
}

/** Headers in the contract whose presence is compared; their values are prose or depend on the time. */
const presentHeaders = ["www-authenticate", "retry-after", "access-control-allow-origin"] as const;

function headerOf(answer: ComparedAnswer, name: string): string | undefined {
  const value = answer.header(name);
  if (name !== "content-type") return value === undefined ? undefined : "present";
  return answer.text === "" ? undefined : value?.split(";")[0]?.trim().toLowerCase();
}

/** Parses a body, keeping all digits of its numbers; returns the text if it is not JSON. */
function bodyOf({ text }: ComparedAnswer): unknown {
  if (text === "") return undefined;
  try {
    return parse(text);
  } catch {
    return text;
  }
}

function cursorIn(body: unknown): unknown {
  const { nextCursor, nextPageToken } = (body ?? {}) as Readonly<Record<string, unknown>>;
  return nextCursor ?? nextPageToken ?? undefined;
}
