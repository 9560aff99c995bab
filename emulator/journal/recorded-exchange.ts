import type { components } from "../../openapi/generated/control-plane-types.js";
import type { Caller } from "../access/caller.js";
import type { RecordedBody } from "./recorded-body.js";

/** An entry of the journal as it is shown. */
export type JournalEntry = components["schemas"]["JournalEntry"];

/** A request and its answer by reference: nothing is copied, formatted or redacted before somebody reads it. */
export interface RecordedExchange {
  /** Given by the journal. */
  sequence: number;
  /** The emulator's time in milliseconds since 1970. */
  readonly at: number;
  readonly durationMs: number;
  readonly operationId: string | undefined;
  readonly caller: Caller | undefined;
  readonly faults: readonly string[];
  /** Name of the namespace; the empty text for the default one. */
  readonly namespace: string;
  readonly method: string;
  readonly path: string;
  readonly requestHeaders: readonly string[] | Headers;
  readonly requestBody: RecordedBody;
  readonly status: number;
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly responseBody: RecordedBody;
}
