import { appendPointer } from "../../openapi/validation/json-pointer.js";
import type { Exchange } from "../client/exchange.js";
import { decodePathSegment, findRoute } from "../client/find-route.js";
import { getJsonType, parseBody } from "../client/json-text.js";
import { isWrite } from "../client/is-write.js";
import { type ResponseSchemas, getFieldSchema, type Schema } from "./response-schemas.js";
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
  const builder = new StepBuilder(recording, schemas);
  for (const event of events) {
    const kind = getStepKind(event, recording);
    if (kind === undefined) continue;
    if (kind === "await") {
      // Of consecutive polls, only the last one shows the awaited state. The others are dropped, with the clock steps between them.
      const last = steps.findLastIndex((step) => !isClockStep(step));
      const { exchange } = steps[last] ?? {};
      if (steps[last]?.kind === kind && exchange?.request.url === event.exchange.request.url)
        steps.length = last;
    }
    steps.push(builder.buildStep(event, kind, steps.length));
  }
  return { id, title, needs, steps, recording };
}

/** Returns the kind of a step; undefined for requests to other addresses. */
function getStepKind(
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

/** Fields that differ between targets and that no request sends back, although other texts may equal their values by chance. */
const notSentBack = /\/(name|billingEmail|region|invoiceNumber)$/;

/** Fields of the control plane's responses that requests send back. */
const controlValueSentBack = /(Id|\/id|key|Url|Token|\/now)$/;

/** Maximum lengths of bodies and texts that are searched; longer texts are not names that a response would repeat. */
const maxSearched = 300_000;
const maxName = 300;

/** Maximum depth to which the values of a response are searched. */
const maxDepth = 100;

/** Matches words such as the names of roles, to which other values may be equal by chance. */
const isWord = /^[a-z]*$/i;

/** Matches a JSON string in a text; a string without an end matches up to the end of the text, so that matching takes linear time. */
const jsonString = /"(?:[^"\\]|\\.)*("|\\?$)/gs;

/** Minimum length of a token that a check has altered, and of the start or end that it shares with the original token. */
const minTokenLength = 24;
const minSharedLength = 12;

const anyTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Creates the steps of one history from its events, in order. */
class StepBuilder {
  readonly #shown = new Set<string>();
  readonly #sent = new Set<string>();
  /** The time in the last response about the emulator's clock. */
  #now: string | undefined;

  constructor(
    private readonly recording: Recording,
    private readonly schemas: ResponseSchemas,
  ) {}

  buildStep(event: TracedEvent, kind: HistoryStep["kind"], number: number): HistoryStep {
    const { exchange, behavior } = event;
    const { baseUrl, run, shared, isTraffic } = this.recording;
    const { method, url, headers, body } = exchange.request;
    const { path = {} } = behavior;
    const isCall = kind === "call" || kind === "await";
    const operationId = kind === "send" ? findRoute(method, url)?.operationId : exchange.operationId;
    const { origin, pathname, searchParams } = new URL(url);
    const placeholders: HistoryPlaceholder[] = [];
    const mark = (text: string, found?: HistoryPlaceholder, encode = (value: string) => value) => {
      if (found === undefined) return text;
      const transform = (value: string) => encode(found.transform(value));
      return getPlaceholderMark(placeholders.push({ ...found, transform }) - 1);
    };
    const markValue = (text: string) => mark(text, this.#findPlaceholder(text));
    const strings: string[] = [];
    const markBody = (quoted: string, end: string) => {
      if (end !== '"') return quoted;
      const text = String(parseBody(quoted));
      strings.push(text);
      const found = this.#findTimePlaceholder(text, kind) ?? this.#findTokenPlaceholder(text);
      return mark(quoted, found, JSON.stringify);
    };
    const markPart = (part: string) =>
      mark(part, this.#findPlaceholder(decodePathSegment(part)), encodeURIComponent);
    // Recorded traffic is sent only to the targets.
    const isElsewhere = isCall && isTraffic !== true && !url.startsWith(`${baseUrl}/`);
    const isSearched = body !== undefined && body.length <= maxSearched;
    const request = {
      path: mapRecordValues(path, markValue),
      query: mapRecordValues(isCall ? Object.fromEntries(searchParams) : {}, markValue),
      headers: mapRecordValues(headers, (text) =>
        text.replaceAll(/\S+/g, (word) => mark(word, this.#findTokenPlaceholder(word))),
      ),
      rest: {
        target: url.slice(baseUrl.length).replaceAll(/[^/?&=]+/g, markPart),
        ...(isElsewhere ? { at: markValue(origin + pathname.replace(/\/health\/live$/, "")) } : {}),
        ...(body === undefined ? {} : { body: isSearched ? body.replaceAll(jsonString, markBody) : body }),
      },
    };
    const texts = [...Object.values(path), ...strings];
    const isCreatedByRun = (text: string) => this.#shown.has(text) && !shared.has(text);
    const words = `${Object.values(path).join(" ")} ${body ?? ""}`.split(/[^\w.@#-]+/);
    for (const text of [...texts, ...url.split(/[/?&=]/).map(decodePathSegment)]) this.#sent.add(text);
    const step = {
      ...event,
      number,
      kind,
      operationId,
      isRead: !isWrite(method, body, kind === "call" ? operationId : undefined),
      request,
      placeholders,
      returnedValues: this.#listReturnedValues(exchange.answer, operationId, kind === "control"),
      texts: texts.filter(
        (text) => text.length <= maxName && !isWord.test(text) && this.#findPlaceholder(text) === undefined,
      ),
      names: [...texts.filter(isCreatedByRun), ...words.filter((word) => word.includes(run))],
    };
    for (const { value } of step.returnedValues) this.#shown.add(value);
    if (isClockStep(step)) this.#now = step.returnedValues.find(({ pointer }) => pointer === "/now")?.value;
    return step;
  }

  /** Finds the ids, tokens, cursors and times in a response that later requests may send. */
  #listReturnedValues(
    answer: Exchange["answer"],
    operationId: HistoryStep["operationId"],
    isControl: boolean,
  ): HistoryStep["returnedValues"] {
    if (answer === undefined || (operationId === undefined && !isControl)) return [];
    const found: HistoryStep["returnedValues"][number][] = [];
    const visit = (value: unknown, schema: Schema, pointer: string, depth = 0): void => {
      if (depth > maxDepth) return;
      const shape = this.schemas.getShape(schema, value);
      const { kind, items } = shape;
      if (typeof value === "string") {
        const isSentBack = isControl
          ? controlValueSentBack.test(pointer)
          : (kind === "opaque" || kind === "time") && !notSentBack.test(pointer);
        const isOfRun = value.includes(this.recording.run);
        // A text with the run id that a request has sent is the same on every target; the owner's organization has others.
        const isSame = isOfRun && this.#sent.has(value);
        const isOwn = isOfRun && operationId === "getOrganization" && /^\/(name|billingEmail)$/.test(pointer);
        if ((isSentBack || isOwn) && value.length >= minValueLength && !isSame)
          found.push({ pointer, value });
      } else if (Array.isArray(value))
        for (const [index, entry] of value.entries())
          visit(entry, items ?? {}, appendPointer(pointer, index), depth + 1);
      else if (getJsonType(value) === "object" && kind !== "data")
        for (const [name, field] of Object.entries(value as object))
          visit(field, getFieldSchema(shape, name) ?? {}, appendPointer(pointer, name), depth + 1);
    };
    const schema = operationId === undefined ? {} : this.schemas.getBodySchema(operationId, answer.status);
    visit(parseBody(answer.body), schema, "");
    return found;
  }

  /** Finds a time for the control plane, which keeps its distance from the time of the target. */
  #findTimePlaceholder(text: string, kind: HistoryStep["kind"]): HistoryPlaceholder | undefined {
    const recorded = this.#now;
    if (kind !== "control" || recorded === undefined || !instant.test(text)) return undefined;
    const distance = Date.parse(text) - Date.parse(recorded);
    return { recorded, transform: (now) => new Date(Date.parse(now) + distance).toISOString() };
  }

  #findPlaceholder(text: string): HistoryPlaceholder | undefined {
    if (this.#shown.has(text) || this.recording.shared.has(text))
      return { recorded: text, transform: (value) => value };
    const isUpper = text.includes("@") && text === text.toUpperCase() && text !== text.toLowerCase();
    const placeholder = isUpper ? this.#findPlaceholder(text.toLowerCase()) : undefined;
    return placeholder && { ...placeholder, transform: (value) => value.toUpperCase() };
  }

  /** Finds a value, or a token that a check has altered; each target's token is altered in the same way. */
  #findTokenPlaceholder(text: string): HistoryPlaceholder | undefined {
    const found = this.#findPlaceholder(text);
    const isToken = text.length >= minTokenLength && !/\s/.test(text) && !text.includes(this.recording.run);
    // Timestamps have similar starts and ends.
    if (found !== undefined || !isToken || anyTime.test(text) || this.recording.isTraffic === true)
      return found;
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
    const transform = (value: string) => {
      // The place is counted from the nearer end, because another target's token may have another length.
      const from = start <= recorded.length / 2 ? start : value.length - recorded.length + start;
      const at = Math.max(0, Math.min(from, value.length - cut));
      return value.slice(0, at) + text.slice(start, text.length - end) + value.slice(at + cut);
    };
    return { recorded, transform };
  }
}
