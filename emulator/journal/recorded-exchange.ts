import { performance } from "node:perf_hooks";
import type { components } from "../../openapi/generated/control-plane-types.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import type { Caller } from "../access/caller.js";
import type { ResponseParts } from "../request/response-parts.js";
import type { ParsedTarget } from "../request/target.js";

/** An entry of the journal, as a response shows it. */
export type JournalEntry = components["schemas"]["JournalEntry"];

/** A request, as far as it is known when it arrives. */
export interface IncomingRequest {
  readonly method: string;
  readonly target: ParsedTarget;
  /** A list of name, value, name, … as sent, or an object with the headers. */
  readonly headers: readonly string[] | Headers;
}

/** A request, as far as it is known when it is answered. */
export interface ExchangeResult {
  readonly operationId: string | undefined;
  /** The time of the request by the emulator's clock. */
  readonly at: number;
  /** The caller; undefined unless the credential was accepted. */
  readonly caller: Caller | undefined;
  /** The ids of the fault rules that fired. */
  readonly faults: readonly string[];
  /** The part of the body that was read. */
  readonly requestBody: Uint8Array | undefined;
  readonly response: ResponseParts;
  /** Set by a fault rule: the body bytes after which the connection ended; `nothing`: before the response. */
  readonly cutAfter?: number | "nothing" | undefined;
  /** The current profile. */
  readonly profile: Profile;
}

/** A request and its response by reference: copied, formatted and redacted only when read. */
export class RecordedExchange {
  /** Set by the journal. */
  sequence = 0;
  /** Start time on the machine's clock; after the end, the duration. */
  durationMs = performance.now();
  readonly method: string;
  /** Name of the namespace; the empty text for the default one. */
  readonly namespace: string;
  readonly path: string;
  readonly requestHeaders: readonly string[] | Headers;
  operationId: string | undefined = undefined;
  at = 0;
  caller: Caller | undefined = undefined;
  faults: readonly string[] = [];
  requestBody: RecordedBody = null;
  status = 0;
  responseHeaders: Readonly<Record<string, string>> = {};
  responseBody: RecordedBody = null;
  profile: Profile | undefined = undefined;

  constructor({ method, target, headers }: IncomingRequest) {
    this.method = method;
    this.namespace = target.namespace;
    this.path = target.query === "" ? target.path : `${target.path}?${target.query}`;
    this.requestHeaders = headers;
  }

  end({ operationId, at, caller, faults, requestBody, response, cutAfter, profile }: ExchangeResult): void {
    this.durationMs = performance.now() - this.durationMs;
    this.operationId = operationId;
    this.at = at;
    this.caller = caller;
    this.faults = faults;
    this.requestBody = toRecordedBody(requestBody ?? null);
    this.profile = profile;
    if (cutAfter === "nothing") return;
    this.status = response.status;
    this.responseHeaders = response.headers;
    this.responseBody = toRecordedBody(response.body, cutAfter);
  }
}

/** Maximum length of the part of a body that is kept. */
export const maxRecordedBytes = 64 * 1024;

/** The beginning of a body that was too long to keep, or that a fault rule truncated. */
export class TruncatedBody {
  constructor(
    readonly beginning: Uint8Array,
    /** Length of the whole body. */
    readonly bytes: number,
  ) {}
}

/**
 * The bytes of a body, one a character. A short text is cheaper to keep than a small array, whose memory lies outside
 * the heap and hurries the garbage collector.
 */
export class Latin1Text {
  readonly #text: string;

  constructor(bytes: Uint8Array) {
    const buffer = Buffer.isBuffer(bytes)
      ? bytes
      : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#text = buffer.toString("latin1");
  }

  get length(): number {
    return this.#text.length;
  }

  toString(): string {
    return Buffer.from(this.#text, "latin1").toString("utf8");
  }
}

/** A body by reference, or the beginning of it. */
export type RecordedBody = string | Latin1Text | Uint8Array | TruncatedBody | null;

/** Prepares a body for the journal. A part of a long body is copied, so that the rest can be freed. */
export function toRecordedBody(body: string | Uint8Array | null, maxBytes = maxRecordedBytes): RecordedBody {
  // a character has at most three bytes
  if (body === null || body.length === 0) return null;
  if (body.length * (typeof body === "string" ? 3 : 1) <= maxBytes)
    return typeof body === "string" ? body : new Latin1Text(body);
  const whole = Buffer.from(body);
  const most = Math.min(maxBytes, maxRecordedBytes);
  return whole.length <= most
    ? body
    : new TruncatedBody(Uint8Array.from(whole.subarray(0, most)), whole.length);
}

/** Returns the text of the part of a body that is kept. */
export function decodeBody(body: NonNullable<RecordedBody>): string {
  if (typeof body === "string") return body;
  if (body instanceof Latin1Text) return body.toString();
  return Buffer.from(body instanceof TruncatedBody ? body.beginning : body).toString("utf8");
}
