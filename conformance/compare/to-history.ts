import { appendPointer } from "../../openapi/validation/json-pointer.js";
import { type OperationDefinition, getRoutes } from "../../openapi/operations/operation.js";
import { serviceApi } from "../../openapi/operations/register.js";
import { getPathParameters } from "../../openapi/text/path-template.js";
import { readPlain } from "../client/json-text.js";
import type { Exchange, CallBehavior } from "../client/exchange.js";
import { type AnswerSchemas, type Place, typeOf, unknownPlace } from "./answer-schemas.js";
import { type History, isOfClock, type Recording, type ShownValue, type Step } from "./history.js";
import { jsonTexts } from "./translation.js";

/** A request that was sent while a history was recorded. */
export interface TracedEvent {
  readonly exchange: Exchange;
  readonly manner: CallBehavior;
  readonly segment: number;
  readonly isControl: boolean;
}

/** Shorter texts would be found by chance. */
const minValueLength = 4;

/** Fields that differ between targets and that no request sends back; a role may be called like a name. */
const isNoHandle = /\/(name|email|billingEmail|region|invoiceNumber)$/;

/** Fields of the control plane's answers that requests send back. */
const isControlHandle = /(Id|\/id|key|Url|Token)$/;

/** Makes a history of recorded requests, with the values that later requests send back. */
export function toHistory(
  { id, title, needs }: Pick<History, "id" | "title" | "needs">,
  events: readonly TracedEvent[],
  recording: Recording,
  schemas: AnswerSchemas,
): History {
  const steps: Step[] = [];
  const shownBy = new Map<string, number>();
  const sent = new Set<string>();
  for (const event of events) {
    const kind = kindOf(event, recording);
    if (kind === undefined) continue;
    const { segment, manner, exchange } = event;
    if (kind === "await") {
      // of a series of polls the last says what was waited for; so does the time that was let pass between them
      const last = steps.findLastIndex((step) => !isOfClock(step));
      const isPolledAgain =
        steps[last]?.kind === kind && steps[last].exchange.request.url === exchange.request.url;
      if (isPolledAgain) steps.length = last;
    }
    const number = steps.length;
    const texts = textsOf(event);
    for (const text of texts) sent.add(text);
    const shows = shownValues(event, schemas).filter(
      // a name with the run id in it is the same on every target once a request has sent it
      ({ value }) => value.length >= minValueLength && (!value.includes(recording.run) || !sent.has(value)),
    );
    const uses = [...new Set(texts.flatMap((text) => shownBy.get(text) ?? []))];
    for (const { value } of shows) if (!shownBy.has(value)) shownBy.set(value, number);
    steps.push({ number, segment, kind, exchange, manner, shows, uses });
  }
  return { id, title, needs, steps, values: new Set(shownBy.keys()), recording };
}

/** The kind of a step; nothing for requests to other places. */
function kindOf(
  { exchange, manner, isControl }: TracedEvent,
  { baseUrl }: Recording,
): Step["kind"] | undefined {
  if (isControl) return "control";
  const { operationId, setUp, request } = exchange;
  if (operationId === "getDatabase" && setUp && manner.path?.databaseId !== undefined) return "await";
  if (operationId !== undefined) {
    // a request without the parameters of its path was given its whole target
    const operation: OperationDefinition = serviceApi.operations[operationId];
    const isPlain = getRoutes(operation).every(({ path }) => getPathParameters(path).length === 0);
    if (isPlain || manner.path !== undefined) return "call";
  }
  return request.url.startsWith(`${baseUrl}/`) ? "send" : undefined;
}

/** The texts that a request sends: parameters, credential, strings of the body. */
function textsOf({ exchange, manner }: TracedEvent): readonly string[] {
  const { url, headers, body = "" } = exchange.request;
  const parts = url.split(/[/?&=]/).map(decoded);
  const credentials = Object.values(headers).flatMap((header) => header.split(/\s+/));
  return [...Object.values(manner.path ?? {}), ...parts, ...credentials, ...jsonTexts(body)];
}

/** The ids, tokens, cursors and times of an answer that later requests may send. */
function shownValues({ exchange, isControl }: TracedEvent, schemas: AnswerSchemas): readonly ShownValue[] {
  const { operationId, answer } = exchange;
  if (answer === undefined || (operationId === undefined && !isControl)) return [];
  const found: ShownValue[] = [];
  const visit = (value: unknown, at: Place, pointer: string): void => {
    const { kind, fields, items } = at(value);
    if (typeof value === "string") {
      const isHandle = isControl
        ? isControlHandle.test(pointer)
        : (kind === "opaque" || kind === "time") && !isNoHandle.test(pointer);
      if (isHandle) found.push({ pointer, value });
    } else if (Array.isArray(value))
      for (const [index, entry] of value.entries())
        visit(entry, items ?? unknownPlace, appendPointer(pointer, index));
    else if (typeOf(value) === "object" && kind !== "data")
      for (const [name, field] of Object.entries(value as object))
        visit(field, fields?.get(name) ?? unknownPlace, appendPointer(pointer, name));
  };
  const place = operationId === undefined ? unknownPlace : schemas.bodyOf(operationId, answer.status);
  try {
    visit(readPlain(answer.body), place, "");
  } catch {
    return [];
  }
  return found;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
