import type { OperationId } from "../../openapi/operations/register.js";
import type { CallBehavior, Exchange } from "../client/exchange.js";
import type { Requirement } from "../target/requirements.js";
import type { SharedValue } from "./shared-values.js";

/** Data that all histories of one recording share. */
export interface Recording {
  /** The run id, which is the prefix of all names created while recording. */
  readonly run: string;
  readonly baseUrl: string;
  /** Whether the requests are an app's. The suite's histories can be repeated, and their tokens may be altered. */
  readonly isTraffic?: boolean;
  /** Values that differ between targets, by recorded value. */
  readonly shared: ReadonlyMap<string, SharedValue>;
}

/** A placeholder in a request for a value that differs between targets. */
export interface HistoryPlaceholder {
  readonly recorded: string;
  /** Converts a target's value to the form in the request, such as encoded, in capitals or altered. */
  readonly transform: (value: string) => string;
}

/** The texts of a request to one target; in a step, they contain the marks of placeholders and the recorded run id. */
export interface RequestStrings {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** `target`: path and query as they were recorded. `at`: another base URL than the target's. */
  readonly rest: Readonly<Partial<Record<"target" | "at" | "body", string>>>;
}

/** A request that was sent while a history was recorded. */
export interface TracedEvent {
  readonly exchange: Exchange;
  readonly behavior: CallBehavior;
}

/** A recorded request. */
export interface HistoryStep extends TracedEvent {
  /** Position in the recorded history; it does not change when other steps are left out. */
  readonly number: number;
  /** `await` waits until a database is ready or gone; `send` sends a request to a path that belongs to no operation. */
  readonly kind: "call" | "send" | "control" | "await";
  /** Undefined for a request that belongs to no operation. */
  readonly operationId: OperationId | undefined;
  readonly isRead: boolean;
  readonly request: RequestStrings;
  /** Placeholders by the number in their marks. */
  readonly placeholders: readonly HistoryPlaceholder[];
  /** The values in the response that are different on each target, and their JSON pointers. */
  readonly returnedValues: readonly { readonly pointer: string; readonly value: string }[];
  /** The texts in the path and the body that are the same for every target, except for the run id. */
  readonly texts: readonly string[];
  /** The resources of the history that the request concerns: recorded ids, and words with the run id. */
  readonly names: readonly string[];
}

/** A sequence of requests that can be sent to any target that offers what the sequence needs. */
export interface History {
  /** The check, observer or file from which the history comes. */
  readonly id: string;
  readonly title: string;
  readonly needs: readonly Requirement[];
  readonly steps: readonly HistoryStep[];
  readonly recording: Recording;
}

/** Whether a step moves an emulator's clock. */
export function isClockStep({ kind, exchange }: Pick<HistoryStep, "kind" | "exchange">): boolean {
  return kind === "control" && exchange.request.url.endsWith("/clock");
}

/** Returns the mark of a placeholder by its number; no text contains such a mark by chance. */
export const getPlaceholderMark = (number: number | string): string => `\uE000${number}\uE001`;
const marks = new RegExp(getPlaceholderMark("(\\d+)"), "g");

/** Applies a function to each text of a part of a request. */
export function mapRecordValues(
  texts: Readonly<Record<string, string>>,
  map: (text: string) => string,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, map(text)]));
}

/**
 * Returns the request of a step for a target.
 *
 * @param values the target's values for the recorded values, by placeholder number
 * @param rename replaces the run id in a text
 */
export function fillPlaceholders(
  { request, placeholders }: Pick<HistoryStep, "request" | "placeholders">,
  values: readonly string[],
  rename: (text: string) => string,
): RequestStrings {
  const fill = (text: string) =>
    rename(text).replaceAll(marks, (mark, number) => {
      const value = values[Number(number)];
      return value === undefined ? mark : (placeholders[Number(number)]?.transform(value) ?? mark);
    });
  return {
    path: mapRecordValues(request.path, fill),
    query: mapRecordValues(request.query, fill),
    headers: mapRecordValues(request.headers, fill),
    rest: mapRecordValues(request.rest, fill),
  };
}
