import { appendPointer } from "../../openapi/validation/json-pointer.js";
import type { OperationDefinition } from "../../openapi/operations/operation.js";
import { type OperationId, serviceApi } from "../../openapi/operations/register.js";
import { readPlain } from "../client/json-text.js";
import type { Exchange, Manner } from "../client/exchange.js";
import { type AnswerSchemas, type Place, typeOf, unknownPlace } from "./answer-schemas.js";
import type { History, Recording, ShownValue, Step } from "./history.js";
import { jsonTexts } from "./translation.js";

/** A request that was sent while a history was recorded. */
export interface TracedEvent {
  readonly exchange: Exchange;
  readonly manner: Manner;
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
  subject: Pick<History, "id" | "title" | "needs">,
  events: readonly TracedEvent[],
  recording: Recording,
  schemas: AnswerSchemas,
): History {
  const steps: Step[] = [];
  const shownBy = new Map<string, number>();
  const sent = new Set<string>();
  for (const event of withoutPolls(events)) {
    const kind = kindOf(event, recording);
    if (kind === undefined) continue;
    const number = steps.length;
    const { segment, manner, exchange } = event;
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
  const { id, title, needs } = subject;
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
  if (operationId !== undefined && (manner.path !== undefined || !hasParameters(operationId))) return "call";
  return request.url.startsWith(`${baseUrl}/`) ? "send" : undefined;
}

/** Whether the path of an operation has parameters: a request without them was given its whole target. */
function hasParameters(operationId: OperationId): boolean {
  const { routes }: OperationDefinition = serviceApi.operations[operationId];
  const ways = "gap" in routes ? routes.alternatives({}).flat() : [routes];
  return ways.some(({ path }) => path.includes("{"));
}

/** The texts that a request sends: parameters, credential, strings of the body. */
function textsOf({ exchange, manner }: TracedEvent): readonly string[] {
  const { url, headers, body = "" } = exchange.request;
  const parts = url.split(/[/?&=]/).map((part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  });
  const credentials = Object.values(headers).flatMap((header) => header.split(/\s+/));
  return [...Object.values(manner.path ?? {}), ...parts, ...credentials, ...jsonTexts(body)];
}

/** The values of an answer that differ between targets and that later requests may send. */
function shownValues({ exchange, isControl }: TracedEvent, schemas: AnswerSchemas): readonly ShownValue[] {
  if (exchange.answer === undefined) return [];
  const { operationId, answer } = exchange;
  let body: unknown;
  try {
    body = readPlain(answer.body);
  } catch {
    return [];
  }
  if (isControl)
    return opaqueValues(body, unknownPlace, true).filter(({ pointer }) => isControlHandle.test(pointer));
  if (operationId === undefined) return [];
  return opaqueValues(body, schemas.bodyOf(operationId, answer.status), false).filter(
    ({ pointer }) => !isNoHandle.test(pointer),
  );
}

/** The ids, tokens, cursors and times in a body; every text where nothing is known of the body. */
function opaqueValues(body: unknown, place: Place, takesAll: boolean): readonly ShownValue[] {
  const found: ShownValue[] = [];
  const visit = (value: unknown, at: Place, pointer: string): void => {
    const { kind, fields, items } = at(value);
    if (typeof value === "string") {
      if (takesAll || kind === "opaque" || kind === "time") found.push({ pointer, value });
    } else if (Array.isArray(value))
      for (const [index, entry] of value.entries())
        visit(entry, items ?? unknownPlace, appendPointer(pointer, index));
    else if (typeOf(value) === "object" && kind !== "data")
      for (const [name, field] of Object.entries(value as object))
        visit(field, fields?.get(name) ?? unknownPlace, appendPointer(pointer, name));
  };
  visit(body, place, "");
  return found;
}

/** The events with a single one for each series of polls of a database. */
function withoutPolls(events: readonly TracedEvent[]): readonly TracedEvent[] {
  const kept: TracedEvent[] = [];
  for (let index = 0; index < events.length; index++) {
    let event = events[index];
    if (event === undefined) continue;
    for (let next = index + 1; isPoll(event) && next < events.length; next++) {
      const other = events[next];
      if (other === undefined) break;
      if (isPoll(other) && other.exchange.request.url === event.exchange.request.url)
        [event, index] = [other, next];
      else if (!isWaiting(other)) break;
    }
    kept.push(event);
  }
  return kept;
}

function isPoll({ exchange }: TracedEvent): boolean {
  return exchange.operationId === "getDatabase" && exchange.setUp;
}

/** A step of an emulator's clock. */
function isWaiting({ exchange, isControl }: TracedEvent): boolean {
  return isControl && exchange.request.url.endsWith("/clock");
}
