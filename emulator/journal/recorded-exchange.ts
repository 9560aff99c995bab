import type { components } from "../../openapi/generated/control-plane-types.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import type { Caller } from "../access/caller.js";
import type { FiredFault } from "../request/completed-request.js";

/** An entry of the journal, as a response shows it. */
export type JournalEntry = components["schemas"]["JournalEntry"];

/** A request and its response. They are formatted and redacted only when they are read. */
export interface RecordedExchange {
  /** Set by the journal. */
  sequence: number;
  readonly durationMs: number;
  readonly method: string;
  /** Name of the namespace; an empty string for the default namespace. */
  readonly namespace: string;
  /** Returns the base URL of the namespace, as the client sent it. */
  readonly baseUrl: () => string;
  /** Path below the namespace, with the query. */
  readonly path: string;
  /** A list of alternating names and values, or an object with the headers. */
  readonly requestHeaders: readonly string[] | Headers;
  readonly operationId: string | undefined;
  /** The time of the request by the emulator's clock. */
  readonly at: number;
  /** The caller; undefined unless the credential was accepted. */
  readonly caller: Caller | undefined;
  /** The fault rules that fired. */
  readonly faults: readonly FiredFault[];
  /** The part of the body that was read. */
  readonly requestBody: RecordedBody | null;
  /** Status; 0 if the connection was dropped. */
  readonly status: number;
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly responseBody: RecordedBody | null;
  /** The profile under which the request was answered. */
  readonly profile: Profile;
}

/** Maximum length of the part of a body that is kept. */
export const maxRecordedBytes = 64 * 1024;

/** A body, or the beginning of one that was too long to keep or that a fault rule truncated. */
export class RecordedBody {
  /**
   * @param whole the length of the whole body, if each character of `kept` is one of its bytes; undefined if `kept` is the
   *   whole body as text
   */
  private constructor(
    private readonly kept: string,
    private readonly whole?: number,
  ) {}

  /**
   * Keeps a short text, and the first bytes of any other body as a string. Small byte arrays would make the garbage
   * collector run more often, because their memory is outside the heap.
   *
   * @param maxBytes the bytes after which a fault rule truncated the body
   */
  static of(body: string | Uint8Array | null | undefined, maxBytes = maxRecordedBytes): RecordedBody | null {
    if (body === null || body === undefined || body.length === 0) return null;
    // A character has at most three bytes.
    if (typeof body === "string" && body.length * 3 <= maxBytes) return new RecordedBody(body);
    const limit = Math.min(maxBytes, maxRecordedBytes);
    // Each character has at least one byte. One more keeps the last character whole.
    const bytes =
      typeof body === "string"
        ? Buffer.from(body.slice(0, limit + 1))
        : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
    return new RecordedBody(bytes.toString("latin1", 0, limit), Buffer.byteLength(body));
  }

  /** Length of the part that is kept. */
  get keptLength(): number {
    return this.kept.length;
  }

  /** Length of the whole body. */
  get bytes(): number {
    return this.whole ?? Buffer.byteLength(this.kept);
  }

  get isCut(): boolean {
    return this.whole !== undefined && this.kept.length < this.whole;
  }

  /** Returns the text of the part that is kept. */
  toString(): string {
    return this.whole === undefined ? this.kept : Buffer.from(this.kept, "latin1").toString("utf8");
  }
}
