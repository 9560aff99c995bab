import type { OperationDefinition } from "../../openapi/operations/operation.js";
import { type OperationId, service } from "../../openapi/operations/register.js";
import type { Answer } from "../client/client.js";
import type { Exchange } from "../client/exchange.js";
import { readExact } from "./exact-number.js";
import { isWrite } from "../client/read-lag.js";
import type { Command, History, Reference, Source, Template } from "./command.js";
import { compareBodies, type ComparisonContext, type Mismatch } from "./compare-answers.js";
import { Correspondence } from "./correspondence.js";
import { routeOf } from "./route-of.js";
import type { AnswerSchemas } from "./schema-of-answer.js";
import type { Rendered, Side } from "./side.js";

/** What the two sides answered to one command, and where it differs. */
export interface Difference extends Mismatch {
  readonly history: History;
  readonly command: Command;
  /** Nothing where a request that no operation has was answered. */
  readonly operationId: OperationId | undefined;
  readonly statuses: readonly [number, number];
  readonly exchanges: readonly [Exchange, Exchange];
}

/** What came of taking both sides through a history. */
export interface HistoryResult {
  readonly differences: readonly Difference[];
  /** How many answers of each operation were compared. */
  readonly compared: ReadonlyMap<OperationId, number>;
  /** Commands that one of the sides has not shown what they go on with. */
  readonly skipped: number;
  /** What both sides were sent and answered, as far as it went. */
  readonly exchanges: readonly (readonly [Exchange, Exchange])[];
}

export interface HistoryOptions {
  readonly schemas: AnswerSchemas;
  /** The text that all names of this execution begin with. */
  readonly execution: string;
  /** Whether there is nothing on either side but what the run has made. */
  readonly isAlone: boolean;
  /** When the run began on each side, as its clock says: what is older was there before. */
  readonly began: readonly [number, number];
  /** Differences that were there before, see {@link givenName}. */
  readonly given: ReadonlySet<string>;
  /** How long answers that may still change are read again, in milliseconds. */
  readonly patienceMs: number;
  /** How long to wait before every command, in milliseconds: instants that are not the same are told apart then. */
  readonly pauseMs?: number;
  /** Ends with the first difference for which this holds. */
  readonly until?: (difference: Difference) => boolean;
}

/** Takes two sides through a history, one command after the other, and compares every answer. */
export async function runHistory(
  history: History,
  [first, second]: readonly [Side, Side],
  options: HistoryOptions,
): Promise<HistoryResult> {
  const correspondence = new Correspondence();
  const differences: Difference[] = [];
  const compared = new Map<OperationId, number>();
  const exchanges: (readonly [Exchange, Exchange])[] = [];
  let skipped = 0;
  let abandoned: number | undefined;
  for (const command of history.commands) {
    if (command.segment === abandoned) continue;
    const [here, there] = await Promise.all([first.render(command), second.render(command)]);
    if (here === undefined || there === undefined) {
      // what was not shown shows a difference of its own, or goes on with what was left out
      skipped++;
      continue;
    }
    await bindReferences(command, [first, second], correspondence);
    if (command.does.kind === "await" || command.does.kind === "pause") {
      await Promise.all([first.wait(command, here), second.wait(command, there)]);
      continue;
    }
    noteSent(command, [here, there], correspondence);
    if (options.pauseMs !== undefined) await first.context.client.time.sleep(options.pauseMs);
    const send = () => Promise.all([first.send(command, here), second.send(command, there)]);
    let answers = await send();
    const operationId = operationOf(command, here);
    if (command.does.kind !== "control") {
      const context = contextOf(command, [here, there], correspondence, options);
      const compare = () =>
        [
          ...compareRoutes(command, [first, second], [here, there], answers),
          ...compareAnswers(answers, operationId, context, options.schemas),
        ].filter((mismatch) => !options.given.has(givenName({ ...mismatch, operationId, command })));
      const mark = correspondence.mark();
      let found = compare();
      for (
        let waited = 0, pause = 25;
        isRead(command, here) &&
        found.length > 0 &&
        found.every(({ mayPass }) => mayPass) &&
        waited < options.patienceMs;
        waited += pause, pause = Math.min(2 * pause, 1000)
      ) {
        await first.context.client.time.sleep(pause);
        answers = await send();
        correspondence.rollback(mark);
        found = compare();
      }
      if (operationId !== undefined) compared.set(operationId, (compared.get(operationId) ?? 0) + 1);
      const [mine, theirs] = answers;
      for (const mismatch of found) {
        const difference: Difference = {
          ...mismatch,
          history,
          command,
          operationId,
          statuses: [mine.status, theirs.status],
          exchanges: [mine.exchange, theirs.exchange],
        };
        differences.push(difference);
        if (options.until?.(difference) === true) {
          exchanges.push([mine.exchange, theirs.exchange]);
          return { differences, compared, skipped, exchanges };
        }
      }
      // one side has done what the other has not: from here on they are different worlds
      if (!isRead(command, here) && mine.status < 300 !== theirs.status < 300) abandoned = command.segment;
    }
    const [mine, theirs] = answers;
    exchanges.push([mine.exchange, theirs.exchange]);
    first.keep(command, mine);
    second.keep(command, theirs);
  }
  return { differences, compared, skipped, exchanges };
}

/** The operation that a request is for, also where its target was given whole. */
function operationOf({ does }: Command, { target = "" }: Rendered): OperationId | undefined {
  if (does.kind === "call") return does.operationId;
  return does.kind === "send" ? routeOf(does.method, `http://localhost${target}`)?.operationId : undefined;
}

/** Whether a command may be sent again to see whether its answer has changed. */
function isRead({ does }: Command, { body }: Rendered): boolean {
  if (does.kind !== "call") return does.kind === "send" && ["GET", "OPTIONS"].includes(does.method);
  const { routes }: OperationDefinition = service.operations[does.operationId];
  const method = "gap" in routes ? "" : routes.method.toUpperCase();
  return !isWrite(method, body, does.operationId);
}

/** Where the specification leaves open what leads to an operation, the sides may be asked in other ways. */
function compareRoutes(
  { does }: Command,
  sides: readonly [Side, Side],
  rendered: readonly [Rendered, Rendered],
  answers: readonly [Answer, Answer],
): readonly Mismatch[] {
  if (does.kind !== "call") return [];
  const { routes }: OperationDefinition = service.operations[does.operationId];
  if (!("gap" in routes)) return [];
  const wayOf = (side: 0 | 1) => {
    const { method, url } = answers[side].exchange.request;
    const names = new Map(
      Object.entries(rendered[side].path).map(([name, value]) => [encodeURIComponent(value), `{${name}}`]),
    );
    const segments = new URL(
      url.slice(sides[side].context.client.baseUrl.length),
      "http://localhost",
    ).pathname.split("/");
    return `${method} ${segments.map((segment) => names.get(segment) ?? segment).join("/")}`;
  };
  const [first, second] = [wayOf(0), wayOf(1)];
  return first === second ? [] : [{ pointer: "route", detail: "other ways", first, second, mayPass: false }];
}

function compareAnswers(
  [first, second]: readonly [Answer, Answer],
  operationId: OperationId | undefined,
  context: ComparisonContext,
  schemas: AnswerSchemas,
): readonly Mismatch[] {
  if (first.status !== second.status)
    return [
      {
        pointer: "status",
        detail: "other statuses",
        first: String(first.status),
        second: String(second.status),
        mayPass: false,
      },
    ];
  const found: Mismatch[] = [];
  for (const name of ["content-type", ...presentHeaders]) {
    const [mine, theirs] = [first, second].map((answer) => headerOf(answer, name));
    if (mine !== theirs)
      found.push({
        pointer: `header:${name}`,
        detail: "other headers",
        ...(mine === undefined ? {} : { first: mine }),
        ...(theirs === undefined ? {} : { second: theirs }),
        mayPass: false,
      });
  }
  if (operationId === undefined) return found;
  const [mine, theirs] = [bodyOf(first), bodyOf(second)];
  if (mine === undefined && theirs === undefined) return found;
  const place = schemas.bodyOf(operationId, first.status);
  const goesOn = [first, second].some(({ body }) => hasMore(body));
  return [...found, ...compareBodies(mine, theirs, place, { ...context, goesOn })];
}

/** Headers that the contract documents; what stands in them is for people, or follows from the moment. */
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

function hasMore(body: unknown): boolean {
  const { nextCursor, nextPageToken } = (body ?? {}) as Readonly<Record<string, unknown>>;
  return (nextCursor ?? nextPageToken ?? null) !== null;
}

function contextOf(
  { does, caller }: Command,
  [here, there]: readonly [Rendered, Rendered],
  correspondence: Correspondence,
  { execution, isAlone, began }: HistoryOptions,
): ComparisonContext {
  const isOfHistory = (texts: Template) =>
    texts.some((part) =>
      typeof part === "string"
        ? part.includes(execution)
        : part.sources.some(({ from }) => from === "answer"),
    );
  const operation = does.kind === "call" ? does.operationId : "";
  const paths = does.kind === "call" ? Object.values(does.path) : [];
  const isNew =
    paths.length > 0 &&
    (paths.some(isOfHistory) ||
      [here, there].every(({ path }) => Object.values(path).some((text) => text.includes(execution))));
  const place = `${operation} ${Object.values(here.path).join(" ")} ${paths.length === 0 ? caller : ""}`;
  return {
    correspondence,
    figuresOf: isNew ? undefined : place,
    figuresOfEntry: (entry) => {
      const text = JSON.stringify(entry);
      return text.includes(execution) ? undefined : `${operation} ${nameOf(entry)}`;
    },
    isOurs: (entry) =>
      isAlone ||
      JSON.stringify(entry).includes(execution) ||
      idsOf(entry).some((id) => correspondence.knows(id)),
    began,
    goesOn: false,
  };
}

/** What tells an entry of a list from the others. */
function nameOf(entry: unknown): string {
  if (typeof entry !== "object" || entry === null) return "";
  const [, value] = Object.entries(entry).find(([name]) => /(^id$|Id$|^name$)/.test(name)) ?? [];
  return String(value);
}

/** The ids in an entry of a list. */
function idsOf(entry: unknown): readonly string[] {
  if (typeof entry !== "object" || entry === null) return [];
  return Object.entries(entry).flatMap(([name, value]) =>
    typeof value === "string" && (/(^id|Id)$/.test(name) || name === "email") ? value : [],
  );
}

/**
 * What a difference is known by that was there before: the member, and what stands in it. Of a status, who has asked for
 * what as well: others may be answered so for other reasons.
 */
export function givenName({
  pointer,
  first = "",
  second = "",
  operationId,
  command,
}: Mismatch & Pick<Difference, "operationId" | "command">): string {
  const about = pointer === "status" ? [operationId ?? "", command.caller] : [];
  return [pointer.slice(pointer.lastIndexOf("/") + 1), first, second, ...about].join("\0");
}

/** Binds what both sides were asked with: it stands for each other from now on. */
async function bindReferences(
  command: Command,
  [first, second]: readonly [Side, Side],
  correspondence: Correspondence,
): Promise<void> {
  for (const reference of referencesOf(command)) {
    const [source] = reference.sources;
    if (source === undefined || source.from === "answer") continue;
    const bind = (mine: string | undefined, theirs: string | undefined, member: string) => {
      if (mine !== undefined && theirs !== undefined) correspondence.bind(mine, theirs, member);
    };
    const bare: Reference = { sources: reference.sources };
    bind(await first.value(bare), await second.value(bare), memberOf(source));
    if (source.from !== "session") continue;
    const [mine, theirs] = await Promise.all([first.session(source.of), second.session(source.of)]);
    for (const member of ["userId", "email", "name", "personalOrgId"] as const)
      bind(mine[member], theirs[member], member);
  }
}

function memberOf(source: Exclude<Source, { readonly from: "answer" }>): string {
  switch (source.from) {
    case "session":
    case "login":
      return source.member;
    case "key":
      return "key";
    case "shared":
      return source.what === "region" ? "region" : `${source.what}Id`;
    case "extra":
      return "databaseId";
  }
}

/** Everything in a command that each side says in its own way. */
export function referencesOf({ does, authorization, body }: Command): readonly Reference[] {
  const templates: Template[] = [];
  if (does.kind === "call")
    templates.push(...Object.values(does.path), ...Object.values(does.query), does.at ?? []);
  else if (does.kind === "await") templates.push(does.databaseId);
  else if (does.kind !== "pause") templates.push(does.target);
  return [...templates, authorization ?? [], body ?? []].flat().filter((part) => typeof part !== "string");
}

/** Texts longer than this are no names that anybody would answer. */
const longestName = 300;

/** Notes the texts that both sides are sent as they are: they stand for themselves in answers. */
function noteSent(
  { does, body }: Command,
  [here, there]: readonly [Rendered, Rendered],
  correspondence: Correspondence,
): void {
  if (does.kind === "call")
    for (const [name, text] of Object.entries(here.path))
      if (there.path[name] === text) correspondence.sent(text);
  if (body === undefined || here.body === undefined || here.body.length > 300_000) return;
  const theirs = new Set(stringsOf(there.body ?? ""));
  for (const text of stringsOf(here.body)) if (theirs.has(text)) correspondence.sent(text);
}

function stringsOf(body: string): readonly string[] {
  return [...body.matchAll(/"((?:[^"\\]|\\.)*)"/gs)].flatMap(([whole, inner = ""]) => {
    if (inner.length > longestName) return [];
    try {
      return [JSON.parse(whole) as string];
    } catch {
      return [];
    }
  });
}
