import type { OperationDefinition } from "../../openapi/operations/operation.js";
import { type OperationId, serviceApi } from "../../openapi/operations/register.js";
import type { Answer } from "../client/client.js";
import type { Exchange } from "../client/exchange.js";
import { isSuccess } from "../client/is-success.js";
import { isWrite } from "../client/read-lag.js";
import type { AnswerSchemas } from "./answer-schemas.js";
import { type AnswerContext, compareBodies, type Mismatch, readExact } from "./compare-answers.js";
import type { History, Step } from "./history.js";
import { IdMapping } from "./id-mapping.js";
import { noRoute, type Rendered, type Replay } from "./replay.js";
import { routeOf } from "./route-of.js";
import { jsonTexts } from "./translation.js";

/** What two targets answered to one request, and one place where it differs. */
export interface Difference extends Mismatch {
  readonly history: History;
  readonly step: Step;
  /** Nothing where a request that no operation has was answered. */
  readonly operationId: OperationId | undefined;
  readonly statuses: readonly [number, number];
  readonly exchanges: readonly [Exchange, Exchange];
}

/** What a difference that was there before the run is known by. */
export type GivenDifference = Mismatch & Pick<Difference, "operationId" | "step">;

export interface HistoryResult {
  readonly differences: readonly Difference[];
  /** How many answers of each operation were compared. */
  readonly compared: ReadonlyMap<OperationId, number>;
  /** What both targets were sent and answered, as far as it went. */
  readonly exchanges: readonly (readonly [Exchange, Exchange])[];
}

export interface HistoryOptions {
  readonly schemas: AnswerSchemas;
  /** The text that all names of this execution begin with. */
  readonly execution: string;
  /** Whether a target holds nothing but what the run has made. */
  readonly isAlone: boolean;
  /** When the run began on each target: what is older was there before. */
  readonly began: readonly [number, number];
  /** What all names begin with that the run makes. */
  readonly mark: string;
  /** Instants that the targets have shown before the run. */
  readonly givenInstants: ReadonlySet<string>;
  /** Whether a difference was there before the run. */
  readonly isGiven: (difference: GivenDifference) => boolean;
  /** How long answers that lag are read again, in milliseconds. */
  readonly patienceMs: number;
  /** How long to wait before every request, in milliseconds: instants are told apart then. */
  readonly pauseMs?: number;
  /** Ends the history with the first difference for which this holds. */
  readonly until?: (difference: Difference) => boolean;
}

/** What a service may cut off an instant in a second that has not ended. */
const maxRoundingMs = 100;

/** Sends a history to two targets, one request after the other, and compares every answer. */
export async function runHistory(
  history: History,
  [first, second]: readonly [Replay, Replay],
  options: HistoryOptions,
): Promise<HistoryResult> {
  const ids = new IdMapping(options.pauseMs === undefined ? 0 : options.pauseMs - maxRoundingMs);
  const differences: Difference[] = [];
  const compared = new Map<OperationId, number>();
  const exchanges: (readonly [Exchange, Exchange])[] = [];
  /** Names and ids of what one target has changed and the other has not. */
  const diverged = new Set<string>();
  const abandoned = new Set<number>();
  for (const step of history.steps) {
    if (abandoned.has(step.segment)) continue;
    const [here, there] = await Promise.all([first.render(step), second.render(step)]);
    // a target that has not shown the value has shown a difference before
    if (here === undefined || there === undefined) continue;
    await bindShared([first, second], ids);
    if (step.kind === "await") {
      await Promise.all([first.wait(step, here), second.wait(step, there)]);
      continue;
    }
    bindSent([here, there], ids);
    const { pauseMs } = options;
    if (pauseMs !== undefined)
      await Promise.all([first, second].map(({ context: { client } }) => client.time.sleep(pauseMs)));
    const send = () => Promise.all([first.send(step, here), second.send(step, there)]);
    let answers = await send();
    const operationId = operationOf(step, here);
    const names = [namesIn(here, first, options.execution), namesIn(there, second, options.execution)].flat();
    const isRead = !writes(step, here);
    const isComparable =
      !names.some((name) => diverged.has(name)) || (operationId ?? "").startsWith("create");
    if (step.kind !== "control" && isComparable) {
      const context = contextOf(step, here, first, ids, diverged, options);
      const compare = () =>
        compareAnswers(step, answers, [here, there], operationId, context, options.schemas).filter(
          (mismatch) => !options.isGiven({ ...mismatch, operationId, step }),
        );
      const mark = ids.mark();
      let found = compare();
      for (
        let waited = 0, pause = 25;
        isRead && found.length > 0 && found.every(({ mayPass }) => mayPass) && waited < options.patienceMs;
        waited += pause, pause = Math.min(2 * pause, 1000)
      ) {
        await first.context.client.time.sleep(pause);
        answers = await send();
        ids.rollback(mark);
        found = compare();
      }
      const [mine, theirs] = answers;
      const statuses = [mine.status, theirs.status] as const;
      if (operationId !== undefined) compared.set(operationId, (compared.get(operationId) ?? 0) + 1);
      const pair = [mine.exchange, theirs.exchange] as const;
      for (const mismatch of found) {
        const difference = { ...mismatch, history, step, operationId, statuses, exchanges: pair };
        differences.push(difference);
        if (options.until?.(difference) === true)
          return { differences, compared, exchanges: [...exchanges, pair] };
      }
      // one target has done what the other has not
      if (!isRead && isSuccess(mine) !== isSuccess(theirs)) {
        for (const name of names) diverged.add(name);
        if (names.length === 0) abandoned.add(step.segment);
      }
    }
    const [mine, theirs] = answers;
    exchanges.push([mine.exchange, theirs.exchange]);
    first.learn(step, mine);
    second.learn(step, theirs);
  }
  return { differences, compared, exchanges };
}

/** The operation that a request is for, also where its target was given whole. */
function operationOf({ kind, exchange }: Step, { target }: Rendered): OperationId | undefined {
  if (kind === "call") return exchange.operationId;
  return kind === "send"
    ? routeOf(exchange.request.method, `http://localhost${target}`)?.operationId
    : undefined;
}

/** Whether a request may change something, so that it is not sent again. */
function writes({ kind, exchange }: Step, { body }: Rendered): boolean {
  const { operationId, request } = exchange;
  if (kind !== "call" || operationId === undefined) return !["GET", "OPTIONS"].includes(request.method);
  const { routes }: OperationDefinition = serviceApi.operations[operationId];
  return isWrite("gap" in routes ? "" : routes.method.toUpperCase(), body, operationId);
}

/** The names and ids in a request that belong to this execution of the history. */
function namesIn({ path, body = "" }: Rendered, replay: Replay, execution: string): readonly string[] {
  const ids = [...Object.values(path), ...jsonTexts(body)].filter((text) => replay.hasLearned(text));
  const text = `${Object.values(path).join(" ")} ${body.length > maxSearched ? "" : body}`;
  return [...ids, ...(text.match(new RegExp(`[\\w.@#-]*${execution}[\\w.@#-]*`, "g")) ?? [])];
}

const maxSearched = 300_000;

function compareAnswers(
  step: Step,
  [first, second]: readonly [Answer, Answer],
  rendered: readonly [Rendered, Rendered],
  operationId: OperationId | undefined,
  context: AnswerContext,
  schemas: AnswerSchemas,
): readonly Mismatch[] {
  const found: Mismatch[] = [];
  if (
    step.kind === "call" &&
    operationId !== undefined &&
    "gap" in serviceApi.operations[operationId].routes
  ) {
    const [mine, theirs] = [routeIn(first, rendered[0]), routeIn(second, rendered[1])];
    if (mine !== theirs && first.status !== noRoute && second.status !== noRoute)
      found.push({ field: "route", kind: "another route", first: mine, second: theirs, isOfOperation: true });
  }
  if (first.status !== second.status) return [...found, statusMismatch(first, second)];
  for (const name of ["content-type", ...presentHeaders]) {
    const [mine, theirs] = [headerOf(first, name), headerOf(second, name)];
    if (mine === theirs) continue;
    found.push({
      field: `header ${name}`,
      kind: `${mine ?? "none"} on the first side, ${theirs ?? "none"} on the second`,
      ...(mine === undefined ? {} : { first: mine }),
      ...(theirs === undefined ? {} : { second: theirs }),
    });
  }
  if (operationId === undefined) return found;
  const [mine, theirs] = [bodyOf(first), bodyOf(second)];
  if (mine === undefined && theirs === undefined) return found;
  const isPage = context.isPage || [first, second].some(({ body }) => cursorIn(body) !== undefined);
  const place = schemas.bodyOf(operationId, first.status);
  return [...found, ...compareBodies(mine, theirs, place, operationId, { ...context, isPage })];
}

/**
 * A refusal is known by the reason that the second target gives, and by the field at fault: what one rule refuses is one
 * cause in all operations. What is refused on one side alone is a cause of its operation.
 */
function statusMismatch(first: Answer, second: Answer): Mismatch {
  const [mine, theirs] = [first, second].map(({ status }) =>
    status === noRoute ? "no route" : String(status),
  );
  const isRefused = [first, second].map((answer) => !isSuccess(answer));
  const refusal = isRefused[1] === true ? second : isRefused[0] === true ? first : undefined;
  const { type, errors } = (refusal?.body ?? {}) as Readonly<Record<string, unknown>>;
  const [error] = Array.isArray(errors) ? (errors as readonly unknown[]) : [];
  const { pointer, field = pointer } = (error ?? {}) as Readonly<Record<string, unknown>>;
  const reason = [
    ...(typeof type === "string" ? [type.slice(type.lastIndexOf("/") + 1)] : []),
    ...(typeof field === "string" && field !== "" ? [field.replaceAll(/\d+/g, "*").slice(0, 60)] : []),
  ].join(" ");
  return {
    field: "status",
    kind: `${mine ?? ""} on the first side, ${theirs ?? ""} on the second${reason === "" ? "" : ` (${reason})`}`,
    first: mine ?? "",
    second: theirs ?? "",
    ...(isRefused[0] === isRefused[1] ? {} : { isOfOperation: true }),
  };
}

/** Method and path of a request, with the names of its parameters. */
function routeIn({ exchange }: Answer, { path }: Rendered): string {
  const { method, url } = exchange.request;
  const names = new Map(
    Object.entries(path).map(([name, value]) => [encodeURIComponent(value), `{${name}}`]),
  );
  const known = routeOf(method, url);
  const pathname =
    known === undefined
      ? new URL(url).pathname
      : new URL(url.slice(known.base.length), "http://localhost").pathname;
  return `${method} ${pathname
    .split("/")
    .map((segment) => names.get(segment) ?? segment)
    .join("/")}`;
}

/** Headers that the contract documents; their values are prose, or depend on the moment. */
const presentHeaders = ["www-authenticate", "retry-after", "access-control-allow-origin"] as const;

function headerOf(answer: Answer, name: string): string | undefined {
  const value = answer.header(name);
  if (name !== "content-type") return value === undefined ? undefined : "present";
  return answer.text === "" ? undefined : value?.split(";")[0]?.trim().toLowerCase();
}

/** A body with all digits of its numbers; a text where it is no JSON. */
function bodyOf({ text }: Answer): unknown {
  if (text === "") return undefined;
  try {
    return readExact(text);
  } catch {
    return text;
  }
}

function cursorIn(body: unknown): unknown {
  const { nextCursor, nextPageToken } = (body ?? {}) as Readonly<Record<string, unknown>>;
  return nextCursor ?? nextPageToken ?? undefined;
}

function contextOf(
  { number, exchange }: Step,
  { path, query, body = "" }: Rendered,
  replay: Replay,
  ids: IdMapping,
  diverged: ReadonlySet<string>,
  { execution, mark, isAlone, began, givenInstants }: HistoryOptions,
): AnswerContext {
  const { operationId = "", caller } = exchange;
  const paths = Object.values(path);
  const isNew = paths.some((text) => text.includes(execution) || replay.hasLearned(text));
  const place = `${operationId} ${paths.join(" ")} ${paths.length === 0 ? caller : ""}`;
  const asked = `${Object.keys(query).join(" ")} ${body}`;
  return {
    ids,
    answer: number,
    figuresOf: isNew ? undefined : place,
    figuresOfEntry: (entry) =>
      JSON.stringify(entry).includes(execution) ? undefined : `${operationId} ${namesOf(entry).join(" ")}`,
    isOurs: (entry) => {
      const text = JSON.stringify(entry);
      if (diverged.size > 0 && [...diverged].some((name) => text.includes(name))) return false;
      return isAlone || text.includes(execution) || namesOf(entry).some((name) => ids.has(name));
    },
    began,
    givenInstants,
    mark,
    isPage: /\b(cursor|pageToken)\b/.test(asked),
    isFiltered: asked.includes("filter"),
  };
}

/** The ids in an entry of a list. */
function namesOf(entry: unknown): readonly string[] {
  return Object.entries(entry ?? {}).flatMap(([name, value]: [string, unknown]) =>
    typeof value === "string" && (/(^id|Id)$/.test(name) || name === "email") ? value : [],
  );
}

/** Binds what both targets had before the history and were sent. */
async function bindShared([first, second]: readonly [Replay, Replay], ids: IdMapping): Promise<void> {
  for (const [shared, mine] of first.used) {
    const theirs = second.used.get(shared);
    if (theirs !== undefined) ids.bind(mine, theirs, "field" in shared ? shared.field : "key");
    if (shared.from !== "session") continue;
    const sessions = await Promise.all([first.session(shared.of), second.session(shared.of)]);
    for (const field of ["userId", "email", "name", "personalOrgId"] as const)
      ids.bind(sessions[0][field], sessions[1][field], field);
  }
}

/** Longer texts are no names that an answer would repeat. */
const maxName = 300;

/** Notes the texts that both targets are sent alike. */
function bindSent([here, there]: readonly [Rendered, Rendered], ids: IdMapping): void {
  for (const [name, text] of Object.entries(here.path)) if (there.path[name] === text) ids.addSent(text);
  const theirs = new Set(jsonTexts(there.body ?? ""));
  for (const text of jsonTexts(here.body ?? ""))
    if (text.length <= maxName && theirs.has(text)) ids.addSent(text);
}
