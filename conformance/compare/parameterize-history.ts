import { appendPointer } from "../../openapi/validation/json-pointer.js";
import type { Exchange } from "../client/exchange.js";
import { decodePathSegment, findRoute } from "../client/find-route.js";
import { getJsonType, parseBody } from "../client/json-text.js";
import { isWrite } from "../client/read-lag.js";
import { type ResponseSchemas, getFieldSchema, type Schema } from "./answer-schemas.js";
import {
  type History,
  type HistoryPlaceholder,
  isClockStep,
  mapRecordValues,
  getPlaceholderMark,
  type Recording,
  type TracedEvent,
  type HistoryStep,
} from "./history.js";

/** Creates a history from recorded requests; values that later requests send back become placeholders. */
export function parameterizeHistory(
  { id, title, needs }: Pick<History, "id" | "title" | "needs">,
  events: readonly TracedEvent[],
  recording: Recording,
  schemas: ResponseSchemas,
): History {
  const steps: HistoryStep[] = [];
  const abstraction = new Abstraction(recording, schemas);
  for (const event of events) {
    const kind = kindOf(event, recording);
    if (kind === undefined) continue;
    if (kind === "await") {
      // the last of a series of polls shows the awaited state; the time that passed between them goes with the others
      const last = steps.findLastIndex((step) => !isClockStep(step));
      const { exchange } = steps[last] ?? {};
      if (steps[last]?.kind === kind && exchange?.request.url === event.exchange.request.url)
        steps.length = last;
    }
    steps.push(abstraction.toStep(event, kind, steps.length));
  }
  return { id, title, needs, steps, recording };
}

/** Returns the kind of a step; undefined for requests to other addresses. */
function kindOf(
  { exchange: { operationId, setUp, request }, behavior }: TracedEvent,
  { baseUrl }: Recording,
): HistoryStep["kind"] | undefined {
  if (request.url.startsWith(`${baseUrl}/_emulator/`)) return "control";
  if (operationId === "getDatabase" && setUp && behavior.path?.databaseId !== undefined) return "await";
  if (operationId !== undefined && behavior.path !== undefined) return "call";
  return request.url.startsWith(`${baseUrl}/`) ? "send" : undefined;
}

/** Shorter texts would be found by chance. */
const minValueLength = 4;

/** Fields that differ between targets and that no request sends back; a role may be called like a name. */
const isNoHandle = /\/(name|billingEmail|region|invoiceNumber)$/;

/** Fields of the control plane's answers that requests send back. */
const isControlHandle = /(Id|\/id|key|Url|Token|\/now)$/;

/** Maximum lengths of bodies and texts that are searched; longer texts are not names that a response would repeat. */
const maxSearched = 300_000;
const maxName = 300;

/** Maximum depth to which the values of a response are searched. */
const maxDepth = 100;

/** Names of roles and similar words, to which other values may be equal by chance. */
const isWord = /^[a-z]*$/i;

/** Matches a JSON string anywhere in a text; one without an end up to the end of the text, which is read only once then. */
const jsonString = /"(?:[^"\\]|\\.)*("|\\?$)/gs;

/** Shorter texts are no tokens that a check has altered, and those have as much in common with the token. */
const minTokenLength = 24;
const minSharedLength = 12;

const anyTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Creates the steps of one history from its events, in order. */
class Abstraction {
  readonly #shown = new Set<string>();
  readonly #sent = new Set<string>();
  /** The time that the control plane showed last. */
  #now: string | undefined;

  constructor(
    private readonly recording: Recording,
    private readonly schemas: ResponseSchemas,
  ) {}

  toStep(event: TracedEvent, kind: HistoryStep["kind"], number: number): HistoryStep {
    const { exchange, behavior } = event;
    const { baseUrl, run, shared } = this.recording;
    const { method, url, headers, body } = exchange.request;
    const { path = {} } = behavior;
    const isCall = kind === "call" || kind === "await";
    const operationId = kind === "send" ? findRoute(method, url)?.operationId : exchange.operationId;
    const { origin, pathname, searchParams } = new URL(url);
    const holes: HistoryPlaceholder[] = [];
    const mark = (text: string, hole: HistoryPlaceholder | undefined, encode = (value: string) => value) =>
      hole === undefined
        ? text
        : getPlaceholderMark(holes.push({ ...hole, spell: (value) => encode(hole.spell(value)) }) - 1);
    const markValue = (text: string) => mark(text, this.#find(text));
    const strings: string[] = [];
    const markBody = (quoted: string, end: string) => {
      if (end !== '"') return quoted;
      const text = String(parseBody(quoted));
      strings.push(text);
      return mark(quoted, this.#findTime(text, kind) ?? this.#findToken(text), JSON.stringify);
    };
    const markPart = (part: string) => mark(part, this.#find(decodePathSegment(part)), encodeURIComponent);
    const isElsewhere = isCall && !url.startsWith(`${baseUrl}/`);
    const isSearched = body !== undefined && body.length <= maxSearched;
    const request = {
      path: mapRecordValues(path, markValue),
      query: mapRecordValues(isCall ? Object.fromEntries(searchParams) : {}, markValue),
      headers: mapRecordValues(headers, (text) =>
        text.replaceAll(/\S+/g, (word) => mark(word, this.#findToken(word))),
      ),
      rest: {
        target: url.slice(baseUrl.length).replaceAll(/[^/?&=]+/g, markPart),
        ...(isElsewhere ? { at: markValue(origin + pathname.replace(/\/health\/live$/, "")) } : {}),
        ...(body === undefined ? {} : { body: isSearched ? body.replaceAll(jsonString, markBody) : body }),
      },
    };
    const texts = [...Object.values(path), ...strings];
    const isMade = (text: string) => this.#shown.has(text) && !shared.has(text);
    const words = `${Object.values(path).join(" ")} ${body ?? ""}`.split(/[^\w.@#-]+/);
    for (const text of [...texts, ...url.split(/[/?&=]/).map(decodePathSegment)]) this.#sent.add(text);
    const step = {
      ...event,
      number,
      kind,
      operationId,
      isRead: !isWrite(method, body, kind === "call" ? operationId : undefined),
      request,
      holes,
      shows: this.#shownValues(exchange.answer, operationId, kind === "control"),
      texts: texts.filter(
        (text) => text.length <= maxName && !isWord.test(text) && this.#find(text) === undefined,
      ),
      names: [...texts.filter(isMade), ...words.filter((word) => word.includes(run))],
    };
    for (const { value } of step.shows) this.#shown.add(value);
    if (isClockStep(step)) this.#now = step.shows.find(({ pointer }) => pointer === "/now")?.value;
    return step;
  }

  /** Finds the ids, tokens, cursors and times in a response that later requests may send. */
  #shownValues(
    answer: Exchange["answer"],
    operationId: HistoryStep["operationId"],
    isControl: boolean,
  ): HistoryStep["shows"] {
    if (answer === undefined || (operationId === undefined && !isControl)) return [];
    const found: HistoryStep["shows"][number][] = [];
    const visit = (value: unknown, schema: Schema, pointer: string, depth = 0): void => {
      if (depth > maxDepth) return;
      const shape = this.schemas.shapeOf(schema, value);
      const { kind, items } = shape;
      if (typeof value === "string") {
        const isHandle = isControl
          ? isControlHandle.test(pointer)
          : (kind === "opaque" || kind === "time") && !isNoHandle.test(pointer);
        // a name with the run id in it is the same on every target once a request has sent it
        const isSame = value.includes(this.recording.run) && this.#sent.has(value);
        if (isHandle && value.length >= minValueLength && !isSame) found.push({ pointer, value });
      } else if (Array.isArray(value))
        for (const [index, entry] of value.entries())
          visit(entry, items ?? {}, appendPointer(pointer, index), depth + 1);
      else if (getJsonType(value) === "object" && kind !== "data")
        for (const [name, field] of Object.entries(value as object))
          visit(field, getFieldSchema(shape, name) ?? {}, appendPointer(pointer, name), depth + 1);
    };
    const schema = operationId === undefined ? {} : this.schemas.bodyOf(operationId, answer.status);
    visit(parseBody(answer.body), schema, "");
    return found;
  }

  /** A time for the control plane, which keeps its distance from the time of the target. */
  #findTime(text: string, kind: HistoryStep["kind"]): HistoryPlaceholder | undefined {
    const recorded = this.#now;
    if (kind !== "control" || recorded === undefined || !instant.test(text)) return undefined;
    const distance = Date.parse(text) - Date.parse(recorded);
    return { recorded, spell: (now) => new Date(Date.parse(now) + distance).toISOString() };
  }

  #find(text: string): HistoryPlaceholder | undefined {
    if (this.#shown.has(text) || this.recording.shared.has(text))
      return { recorded: text, spell: (value) => value };
    const isUpper = text.includes("@") && text === text.toUpperCase() && text !== text.toLowerCase();
    const hole = isUpper ? this.#find(text.toLowerCase()) : undefined;
    return hole && { ...hole, spell: (value) => value.toUpperCase() };
  }

  /** A value, or a token that a check has altered: where the two differ it has the altered text. */
  #findToken(text: string): HistoryPlaceholder | undefined {
    const found = this.#find(text);
    const isToken = text.length >= minTokenLength && !/\s/.test(text) && !text.includes(this.recording.run);
    // all times begin and end alike
    if (found !== undefined || !isToken || anyTime.test(text)) return found;
    let best = { recorded: "", start: 0, end: 0 };
    for (const recorded of [...this.#shown, ...this.recording.shared.keys()]) {
      const shortest = Math.min(recorded.length, text.length);
      let [start, end] = [0, 0];
      while (start < shortest && recorded[start] === text[start]) start++;
      while (end < shortest - start && recorded.at(-1 - end) === text.at(-1 - end)) end++;
      const isLike = Math.max(start, end) >= minSharedLength;
      if (isLike && start + end > best.start + best.end) best = { recorded, start, end };
    }
    const { recorded, start, end } = best;
    if (recorded === "") return undefined;
    const cut = recorded.length - start - end;
    const spell = (value: string) => {
      // counted from the nearer end, so that values of another length are altered in the same place
      const from = start <= recorded.length / 2 ? start : value.length - recorded.length + start;
      const at = Math.max(0, Math.min(from, value.length - cut));
      return value.slice(0, at) + text.slice(start, text.length - end) + value.slice(at + cut);
    };
    return { recorded, spell };
  }
}
