import { type OperationDefinition, getRoutes } from "../../openapi/operations/operation.js";
import { type OperationId, serviceApi } from "../../openapi/operations/register.js";
import type { Answer } from "../client/client.js";
import type { Exchange } from "../client/exchange.js";
import { isSuccess } from "../client/is-success.js";
import { isWrite } from "../client/read-lag.js";
import { findRoute } from "../client/find-route.js";
import type { AnswerSchemas } from "./answer-schemas.js";
import { type AnswerContext, compareBodies, type Mismatch, readExact } from "./compare-answers.js";
import type { History, Step } from "./history.js";
import { IdMapping } from "./id-mapping.js";
import { noRoute, type Rendered, type Replay } from "./replay.js";
import { jsonTexts } from "./translation.js";

/** What two targets answered to one request, and one place where it differs. */
export interface AnswerDifference extends Mismatch {
  readonly history: History;
  readonly step: Step;
  /** Nothing where a request that no operation has was answered. */
  readonly operationId: OperationId | undefined;
  readonly statuses: readonly [number, number];
  readonly exchanges: readonly [Exchange, Exchange];
}

/** What a difference that was there before the run is known by. */
export type GivenDifference = Mismatch & Pick<AnswerDifference, "operationId" | "step">;

export interface HistoryResult {
  readonly differences: readonly AnswerDifference[];
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
  readonly until?: (difference: AnswerDifference) => boolean;
}

/** What a service may cut off an instant in a second that has not ended. */
const maxRoundingMs = 100;

/** Sends a history to two targets, one request after the other, and compares every answer. */
export async function runHistory(
  history: History,
  [first, second]: readonly [Replay, Replay],
  options: HistoryOptions,
): Promise<HistoryResult> {
  const { pauseMs, patienceMs, execution, schemas, until } = options;
  const ids = new IdMapping(pauseMs === undefined ? 0 : pauseMs - maxRoundingMs);
  const differences: AnswerDifference[] = [];
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
    const sleep = (milliseconds: number) =>
      Promise.all([first, second].map(({ context: { client } }) => client.time.sleep(milliseconds)));
    if (pauseMs !== undefined) await sleep(pauseMs);
    const send = () => Promise.all([first.send(step, here), second.send(step, there)]);
    let answers = await send();
    const operationId = operationOf(step, here);
    const names = [...namesIn(here, first, execution), ...namesIn(there, second, execution)];
    const isRead = !writes(step, here);
    const isComparable =
      !names.some((name) => diverged.has(name)) || (operationId ?? "").startsWith("create");
    if (step.kind !== "control" && isComparable) {
      const context = contextOf(step, here, first, ids, diverged, options);
      const lost = lostSession([first.lost, second.lost]);
      const compare = () =>
        [...lost, ...compareAnswers(step, answers, [here, there], operationId, context, schemas)].filter(
          (mismatch) => !options.isGiven({ ...mismatch, operationId, step }),
        );
      const mark = ids.mark();
      let found = compare();
      const mayPass = () => isRead && found.length > 0 && found.every((mismatch) => mismatch.mayPass);
      for (let waited = 0, pause = 25; mayPass() && waited < patienceMs; waited += pause, pause *= 2) {
        await first.context.client.time.sleep(Math.min(pause, 1000));
        answers = await send();
        ids.rollback(mark);
        found = compare();
      }
      if (operationId !== undefined) compared.set(operationId, (compared.get(operationId) ?? 0) + 1);
      const [mine, theirs] = answers;
      const statuses = [mine.status, theirs.status] as const;
      const pair = [mine.exchange, theirs.exchange] as const;
      for (const mismatch of found) {
        const difference = { ...mismatch, history, step, operationId, statuses, exchanges: pair };
        differences.push(difference);
        if (until?.(difference) === true) return { differences, compared, exchanges: [...exchanges, pair] };
      }
      // one target has done what the other has not
      if (!isRead && isSuccess(mine) !== isSuccess(theirs)) {
        for (const name of names) diverged.add(name);
        if (names.length === 0) abandoned.add(step.segment);
      }
    }
    exchanges.push([answers[0].exchange, answers[1].exchange]);
    first.learn(step, answers[0]);
    second.learn(step, answers[1]);
  }
  return { differences, compared, exchanges };
}

/** A session that has ended on one side alone. */
function lostSession([first, second]: readonly [
  Answer | undefined,
  Answer | undefined,
]): readonly Mismatch[] {
  if ((first === undefined) === (second === undefined)) return [];
  const side = first === undefined ? "second" : "first";
  return [
    { field: "session", kind: `ended on the ${side} side alone`, [side]: String((first ?? second)?.status) },
  ];
}

/** The operation that a request is for, also where its target was given whole. */
function operationOf({ kind, exchange }: Step, { target }: Rendered): OperationId | undefined {
  if (kind === "call") return exchange.operationId;
  return kind === "send"
    ? findRoute(exchange.request.method, `http://localhost${target}`)?.operationId
    : undefined;
}

/** Whether a request may change something, so that it is not sent again. */
function writes({ kind, exchange }: Step, { body }: Rendered): boolean {
  const { operationId, request } = exchange;
  if (kind !== "call" || operationId === undefined) return !["GET", "OPTIONS"].includes(request.method);
  const operation: OperationDefinition = serviceApi.operations[operationId];
  const [route, ...others] = getRoutes(operation);
  return isWrite(others.length > 0 ? "" : (route?.method.toUpperCase() ?? ""), body, operationId);
}

/** The names and ids in a request that belong to this execution of the history. */
function namesIn({ path, body = "" }: Rendered, replay: Replay, execution: string): readonly string[] {
  const ids = [...Object.values(path), ...jsonTexts(body)].filter((text) => replay.hasLearned(text));
  const words = `${Object.values(path).join(" ")} ${body}`.split(/[^\w.@#-]+/);
  return [...ids, ...words.filter((word) => word.includes(execution))];
}

function compareAnswers(
  step: Step,
  [first, second]: readonly [Answer, Answer],
  rendered: readonly [Rendered, Rendered],
  operationId: OperationId | undefined,
  context: AnswerContext,
  schemas: AnswerSchemas,
): readonly Mismatch[] {
  const found: Mismatch[] = [];
  const note = (
    field: string,
    mine: string | undefined,
    theirs: string | undefined,
    isOfOperation?: true,
  ) => {
    if (mine === theirs) return;
    const alone = mine === undefined ? "second" : theirs === undefined ? "first" : undefined;
    found.push({
      field,
      kind:
        alone === undefined
          ? `${mine} on the first side, ${theirs} on the second`
          : `on the ${alone} side alone`,
      ...(mine === undefined ? {} : { first: mine }),
      ...(theirs === undefined ? {} : { second: theirs }),
      ...(isOfOperation && { isOfOperation }),
    });
  };
  const hasOpenRoute = operationId !== undefined && "gap" in serviceApi.operations[operationId].routes;
  if (step.kind === "call" && hasOpenRoute && first.status !== noRoute && second.status !== noRoute)
    note("route", routeIn(first, rendered[0]), routeIn(second, rendered[1]), true);
  if (first.status !== second.status) return [...found, statusMismatch(first, second)];
  for (const name of ["content-type", ...presentHeaders])
    note(`header ${name}`, headerOf(first, name), headerOf(second, name));
  if (operationId === undefined) return found;
  const [mine, theirs] = [bodyOf(first), bodyOf(second)];
  if (mine === undefined && theirs === undefined) return found;
  const isPage = context.isPage || [first, second].some(({ body }) => cursorIn(body) !== undefined);
  const place = schemas.bodyOf(operationId, first.status);
  return [...found, ...compareBodies(mine, theirs, place, operationId, { ...context, isPage })];
}

/** Statuses that no operation has to itself: who may come in, and how much there may be of it. */
const ofAllOperations = [401, 429];

/**
 * A refusal is known by the reason that the emulator gives, or the one side that refuses. What is refused on one side
 * alone is a cause of its operation, unless it is refused for a field, or by a status that no operation has to itself.
 */
function statusMismatch(first: Answer, second: Answer): Mismatch {
  const areRefused = [!isSuccess(first), !isSuccess(second)];
  const [mine, theirs] = [first, second].map(({ status }) =>
    status === noRoute ? "no route" : String(status),
  );
  const shown = { field: "status", first: mine ?? "", second: theirs ?? "" };
  for (const [side, { status }] of [first, second].entries())
    if (ofAllOperations.includes(status))
      return { ...shown, kind: `${status} on the ${side === 0 ? "first" : "second"} side alone` };
  const { type, errors } = ((areRefused[1] ? second : first).body ?? {}) as Readonly<Record<string, unknown>>;
  const [error] = Array.isArray(errors) ? (errors as readonly unknown[]) : [];
  const { pointer, field = pointer } = (error ?? {}) as Readonly<Record<string, unknown>>;
  const name = /[A-Za-z]+$/.exec(typeof field === "string" ? field : "")?.[0];
  const reason = typeof type === "string" ? type.slice(type.lastIndexOf("/") + 1) : undefined;
  const because = (...parts: readonly (string | undefined)[]) => {
    const text = parts
      .filter((part) => part !== undefined)
      .join(" ")
      .slice(0, maxReason);
    return text === "" ? "" : ` (${text})`;
  };
  if (areRefused[0] === areRefused[1])
    return { ...shown, kind: `${mine} on the first side, ${theirs} on the second${because(reason)}` };
  return {
    ...shown,
    kind: areRefused[0]
      ? `${mine} on the first side, taken on the second${because(reason, name)}`
      : `taken on the first side, ${theirs} on the second${because(reason, name)}`,
    ...(name === undefined ? { isOfOperation: true } : {}),
  };
}

const maxReason = 80;

/** Method and path of a request, with the names of its parameters. */
function routeIn({ exchange }: Answer, { path }: Rendered): string {
  const { method, url } = exchange.request;
  const names = new Map(
    Object.entries(path).map(([name, value]) => [encodeURIComponent(value), `{${name}}`]),
  );
  const known = findRoute(method, url);
  const { pathname } = new URL(known === undefined ? url : url.slice(known.base.length), "http://localhost");
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
  const entryOf = (entry: unknown) =>
    JSON.stringify(entry).includes(execution) ? undefined : `${operationId} ${namesOf(entry).join(" ")}`;
  return {
    ids,
    answer: number,
    figuresOf: (entry) => (entry !== undefined ? entryOf(entry) : isNew ? undefined : place),
    isOurs: (entry) => {
      if (isAlone && diverged.size === 0) return true;
      const text = JSON.stringify(entry);
      if ([...diverged].some((name) => text.includes(name))) return false;
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
