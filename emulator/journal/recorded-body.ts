/** How much of a body is kept. */
export const keptBytes = 64 * 1024;

/** The beginning of a body that was too long to be kept, or that a fault rule cut. */
export class CutBody {
  constructor(
    readonly beginning: Uint8Array,
    /** Length of the whole. */
    readonly bytes: number,
  ) {}
}

/** A body by reference, or the beginning of it. */
export type RecordedBody = string | Uint8Array | CutBody | null;

/** A body for the journal; of a long one a part is copied, so that the rest can go. */
export function recordedBody(body: string | Uint8Array | null, upTo = keptBytes): RecordedBody {
  // a character is three bytes at most
  if (body === null || body.length === 0) return null;
  if (body.length * (typeof body === "string" ? 3 : 1) <= upTo) return body;
  const whole = Buffer.from(body);
  const most = Math.min(upTo, keptBytes);
  return whole.length <= most ? body : new CutBody(Uint8Array.from(whole.subarray(0, most)), whole.length);
}
