import type { RecordedBody } from "./journal.js";

/** How much of a body is kept. */
export const keptBytes = 64 * 1024;

const none: RecordedBody = { content: null, bytes: 0, isCut: false };

/** A body for the journal: by reference, or the beginning of a long one, copied so that the rest can go. */
export function recordedBody(content: string | Uint8Array | null | undefined, upTo = Infinity): RecordedBody {
  if (content === null || content === undefined || content.length === 0) return none;
  const most = Math.min(upTo, keptBytes);
  // a character is a byte or more
  if (typeof content === "string" && content.length > most) {
    const whole = Buffer.from(content);
    return { content: new Uint8Array(whole.subarray(0, most)), bytes: whole.length, isCut: true };
  }
  if (typeof content === "string") {
    const bytes = Buffer.byteLength(content);
    return bytes > most
      ? { content: new Uint8Array(Buffer.from(content).subarray(0, most)), bytes, isCut: true }
      : { content, bytes, isCut: false };
  }
  return content.length > most
    ? { content: content.slice(0, most), bytes: content.length, isCut: true }
    : { content, bytes: content.length, isCut: false };
}
