/** How much of a body is kept. */
export const maxRecordedBytes = 64 * 1024;

/** The beginning of a body that was too long to be kept, or that a fault rule cut. */
export class TruncatedBody {
  constructor(
    readonly beginning: Uint8Array,
    /** Length of the whole. */
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

/** A body for the journal; of a long one a part is copied, so that the rest can go. */
export function recordBody(body: string | Uint8Array | null, maxBytes = maxRecordedBytes): RecordedBody {
  // a character is three bytes at most
  if (body === null || body.length === 0) return null;
  if (body.length * (typeof body === "string" ? 3 : 1) <= maxBytes)
    return typeof body === "string" ? body : new Latin1Text(body);
  const whole = Buffer.from(body);
  const most = Math.min(maxBytes, maxRecordedBytes);
  return whole.length <= most
    ? body
    : new TruncatedBody(Uint8Array.from(whole.subarray(0, most)), whole.length);
}

/** The text of a body, as far as it is kept. */
export function decodeBody(body: NonNullable<RecordedBody>): string {
  if (typeof body === "string") return body;
  if (body instanceof Latin1Text) return body.toString();
  return Buffer.from(body instanceof TruncatedBody ? body.beginning : body).toString("utf8");
}
