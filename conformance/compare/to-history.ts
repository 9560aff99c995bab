import { readPlain } from "../client/json-text.js";
import type { Exchange, Manner } from "../client/exchange.js";
import type { OperationDefinition } from "../../openapi/operations/operation.js";
import { type OperationId, service } from "../../openapi/operations/register.js";
import type { Need } from "../target/needs.js";
import type { Command, History, Reference, Template } from "./command.js";
import { joined, KnownValues } from "./known-values.js";
import { type AnswerSchemas } from "./schema-of-answer.js";
import { allTexts, shownValues } from "./shown-values.js";
import type { Traced } from "./trace-recorder.js";

/** Bodies longer than this hold no values to speak of, and are taken as they are. */
const longestSearched = 300_000;

/** A string of JSON, wherever it stands in a text. */
const jsonString = /("(?:[^"\\]|\\.)*")/s;

/** The place of a recording: where its requests went, and what was known before. */
export interface Recording {
  readonly baseUrl: string;
  /** What all names begin with that were made meanwhile. */
  readonly run: string;
  readonly schemas: AnswerSchemas;
  readonly known: KnownValues;
  /** The password that goes with an address; each user of a target has their own. */
  readonly passwordOf: (email: string) => { readonly text: string; readonly template: Template } | undefined;
}

type Recorded = Extract<Traced, { kind: "exchange" }>;

/** Makes a history of what was recorded: what every side says otherwise becomes a reference to where it was shown. */
export function toHistory(
  { id, title, needs }: { readonly id: string; readonly title: string; readonly needs: readonly Need[] },
  events: readonly Traced[],
  recording: Recording,
): History {
  const known = new KnownValues(recording.known);
  const commands: Command[] = [];
  const sent = new Set<string>();
  let clock: ClockRead | undefined;
  for (const event of withoutPolls(events)) {
    const number = commands.length;
    if (event.kind === "pause") {
      commands.push(pause(number, event.segment, event.milliseconds));
      continue;
    }
    const command = commandOf(event, number, known, recording, clock);
    if (command === undefined) continue;
    commands.push(command);
    if (event.isControl) clock = clockRead(event, number) ?? clock;
    for (const text of textsOf(event.exchange)) sent.add(text);
    for (const { pointer, value } of shownBy(event, recording)) {
      // what carries the mark of the run is said alike on every side, if the history has said it first
      const isMarked = value.includes(recording.run);
      if (isMarked ? !sent.has(value) : isHandle(pointer, event.isControl))
        known.add(value, { from: "answer", command: number, pointer });
    }
  }
  return { id, title, needs, commands };
}

/** The texts that a request says. */
function textsOf({ request: { body = "" } }: Exchange): readonly string[] {
  return body.length > longestSearched
    ? []
    : body.split(jsonString).flatMap((part, index) => (index % 2 === 1 ? (unquoted(part) ?? []) : []));
}

/** Members that are another text on each side, and that nobody gives back: a role may be called like a name. */
const noHandles = /\/(name|email|billingEmail|region|invoiceNumber)$/;

/** Members of the control plane's answers that lead to something. */
const controlHandles = /(Id|\/id|key|Url|Token)$/;

/** Whether a member of an answer may hold what later requests go on with. */
function isHandle(pointer: string, isControl: boolean): boolean {
  return isControl ? controlHandles.test(pointer) : !noHandles.test(pointer);
}

function pause(number: number, segment: number, milliseconds: number): Command {
  return {
    number,
    segment,
    does: { kind: "pause", milliseconds },
    caller: "",
    headers: {},
    isValid: true,
  };
}

/** What an answer shows that later requests may go on with. */
function shownBy(event: Recorded, { schemas }: Recording): ReturnType<typeof allTexts> {
  const { exchange, isControl } = event;
  const { answer, operationId } = exchange;
  const body = parsed(answer?.body);
  if (body === undefined || answer === undefined) return [];
  if (isControl) return allTexts(body);
  return operationId === undefined ? [] : shownValues(body, schemas.bodyOf(operationId, answer.status));
}

/** When the clock of the emulator was read, and what it said: what is told of times goes by it. */
interface ClockRead {
  readonly command: number;
  readonly now: string;
}

function clockRead({ exchange: { request, answer } }: Recorded, command: number): ClockRead | undefined {
  const { now } = (parsed(answer?.body) ?? {}) as { readonly now?: unknown };
  return request.url.endsWith("/clock") && typeof now === "string" ? { command, now } : undefined;
}

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** A time that follows from what the clock has said. */
function timeByClock(text: string, { command, now }: ClockRead): Reference {
  const milliseconds = Date.parse(text) - Date.parse(now);
  return {
    sources: [{ from: "answer", command, pointer: "/now" }],
    change: { kind: "later", milliseconds },
  };
}

function commandOf(
  { exchange, manner, segment, isControl }: Recorded,
  number: number,
  known: KnownValues,
  recording: Recording,
  clock: ClockRead | undefined,
): Command | undefined {
  const { request, caller, intent } = exchange;
  const does = doing(exchange, manner, isControl, known, recording);
  if (does === undefined) return undefined;
  const authorization = Object.entries(request.headers).find(([name]) => isAuthorization(name))?.[1];
  return {
    number,
    segment,
    does,
    caller,
    ...(authorization === undefined ? {} : { authorization: credentialTemplate(authorization, known) }),
    headers: Object.fromEntries(Object.entries(request.headers).filter(([name]) => !isAuthorization(name))),
    ...(request.body === undefined
      ? {}
      : { body: bodyTemplate(request.body, known, recording, isControl ? clock : undefined) }),
    isValid: intent === "valid",
    ...(manner.impatient === true ? { impatient: true as const } : {}),
    ...(manner.unpaced === true ? { unpaced: true as const } : {}),
  };
}

function isAuthorization(name: string): boolean {
  return name.toLowerCase() === "authorization";
}

function doing(
  { request, operationId, setUp, answer }: Exchange,
  { path }: Manner,
  isControl: boolean,
  known: KnownValues,
  { baseUrl }: Recording,
): Command["does"] | undefined {
  const { method, url } = request;
  if (isControl) return { kind: "control", method, target: targetTemplate(url.slice(baseUrl.length), known) };
  // a database that is waited for
  if (operationId === "getDatabase" && setUp && path?.databaseId !== undefined)
    return {
      kind: "await",
      until: answer?.status === 200 && answer.body.includes('"Active"') ? "ready" : "gone",
      databaseId: known.whole(path.databaseId),
    };
  const isElsewhere = !url.startsWith(`${baseUrl}/`);
  if (operationId === undefined || (path === undefined && hasParameters(operationId)))
    return isElsewhere
      ? undefined
      : { kind: "send", method, target: targetTemplate(url.slice(baseUrl.length), known) };
  const { origin, pathname, searchParams } = new URL(url);
  const base = isElsewhere ? known.find(origin + pathname.replace(/\/health\/live$/, "")) : undefined;
  return {
    kind: "call",
    operationId,
    path: mapped(path ?? {}, known),
    query: mapped(Object.fromEntries(searchParams), known),
    ...(base === undefined ? {} : { at: [base] }),
  };
}

/** Whether the way to an operation has parameters: who gives none has written the target whole. */
function hasParameters(operationId: OperationId): boolean {
  const { routes }: OperationDefinition = service.operations[operationId];
  const ways = "gap" in routes ? routes.ways({}).flat() : [routes];
  return ways.some(({ path }) => path.includes("{"));
}

function mapped(values: Readonly<Record<string, string>>, known: KnownValues): Record<string, Template> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, known.whole(value)]));
}

function targetTemplate(target: string, known: KnownValues): Template {
  return joined(
    target.split(/([/?&=])/).map((part) => {
      try {
        return known.find(decodeURIComponent(part)) ?? part;
      } catch {
        return part;
      }
    }),
  );
}

function credentialTemplate(text: string, known: KnownValues): Template {
  return joined(text.split(/(\s+)/).map((part) => known.find(part) ?? known.findChanged(part) ?? part));
}

/** Texts of this length and more may be tokens that somebody has changed. */
const shortestToken = 24;

function bodyTemplate(
  body: string,
  known: KnownValues,
  { passwordOf, run }: Recording,
  clock: ClockRead | undefined,
): Template {
  if (body.length > longestSearched) return [body];
  const parts = body.split(jsonString);
  const texts = parts.map((part, index) => (index % 2 === 1 ? unquoted(part) : undefined));
  const password = texts
    .flatMap((text) => (text === undefined ? [] : (passwordOf(text) ?? passwordOf(text.toLowerCase()) ?? [])))
    .at(0);
  return joined(
    parts.flatMap((part, index): Template => {
      const text = texts[index];
      if (text === undefined) return [part];
      if (text === password?.text) return quoted(password.template);
      if (clock !== undefined && instant.test(text)) return quoted([timeByClock(text, clock)]);
      const found =
        known.find(text) ??
        (text.length >= shortestToken && !/\s/.test(text) && !text.includes(run)
          ? known.findChanged(text)
          : undefined);
      return found === undefined ? [part] : quoted([found]);
    }),
  );
}

/** In the text of JSON a value stands between its quotes. */
function quoted(template: Template): Template {
  return ['"', ...template, '"'];
}

function unquoted(part: string): string | undefined {
  try {
    return JSON.parse(part) as string;
  } catch {
    return undefined;
  }
}

function parsed(text: string | undefined): unknown {
  if (text === undefined || text === "") return undefined;
  try {
    return readPlain(text);
  } catch {
    return undefined;
  }
}

/** The events with a single one for each series of looks at a database that is waited for. */
function withoutPolls(events: readonly Traced[]): readonly Traced[] {
  const kept: Traced[] = [];
  for (let index = 0; index < events.length; index++) {
    const event = events[index];
    if (event === undefined) continue;
    kept.push(event);
    if (!isPoll(event)) continue;
    for (let next = index + 1; next < events.length; next++) {
      const other = events[next];
      if (other === undefined || !(isWaiting(other) || isSamePoll(event, other))) break;
      if (isSamePoll(event, other)) {
        kept[kept.length - 1] = other;
        index = next;
      }
    }
  }
  return kept;
}

function isPoll(event: Traced): event is Recorded {
  return event.kind === "exchange" && event.exchange.operationId === "getDatabase" && event.exchange.setUp;
}

function isSamePoll(event: Traced, other: Traced): boolean {
  return isPoll(event) && isPoll(other) && event.exchange.request.url === other.exchange.request.url;
}

/** What somebody does who waits: time passes. */
function isWaiting(event: Traced): boolean {
  return event.kind === "pause" || (event.isControl && event.exchange.request.url.endsWith("/clock"));
}
