import type { components } from "../../openapi/generated/control-plane-types.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import { performance } from "node:perf_hooks";
import type { Answer } from "../request/answer.js";
import { RequestTrace } from "../request/request-trace.js";
import type { RoutedRequest } from "../request/dispatch.js";
import type { World } from "../world/world.js";
import { recordedBody, type RecordedBody } from "./recorded-body.js";

/** An entry of the journal as it is shown. */
export type JournalEntry = components["schemas"]["JournalEntry"];

/**
 * A request and its answer by reference: nothing is copied, formatted or redacted before somebody reads it. The trace of
 * the request on its way becomes its entry, because every further object would cost all requests.
 */
export class RecordedExchange extends RequestTrace {
  /** Given by the journal. */
  sequence = 0;
  /** When it began until it has ended, by the machine's clock; from then on how long it took. */
  durationMs = performance.now();
  readonly operationId: string | undefined;
  /** Name of the namespace; the empty text for the default one. */
  readonly namespace: string;
  readonly method: string;
  readonly path: string;
  readonly requestHeaders: readonly string[] | Headers;
  requestBody: RecordedBody = null;
  status = 0;
  responseHeaders: Readonly<Record<string, string>> = noHeaders;
  responseBody: RecordedBody = null;
  /** The one in force. */
  profile: Profile | undefined = undefined;

  constructor(
    operationId: string | undefined,
    { incoming, target }: Pick<RoutedRequest, "incoming" | "target">,
  ) {
    super();
    this.operationId = operationId;
    this.namespace = target.namespace;
    this.method = incoming.method;
    this.path = target.query === "" ? target.path : `${target.path}?${target.query}`;
    this.requestHeaders = incoming.headers();
  }

  /** Takes the answer down, and lets go of what was needed on the way alone. */
  end({ status, headers, body, breakAfter }: Answer, { clock, profile }: World): void {
    this.profile = profile;
    this.durationMs = performance.now() - this.durationMs;
    if (Number.isNaN(this.at)) this.at = clock.now();
    this.requestBody = recordedBody(this.body ?? null);
    this.body = undefined;
    this.fault = undefined;
    this.status = status;
    this.responseHeaders = headers;
    this.responseBody = recordedBody(body, typeof breakAfter === "number" ? breakAfter : undefined);
  }
}

const noHeaders: Readonly<Record<string, string>> = {};
