import { Problem } from "../domain/problem.js";
import { emulatorLimits } from "../memory/limits.js";
import { ByteBuffer } from "./byte-buffer.js";

/** Total size of the bodies that are being received: announced bytes, or received bytes of chunked bodies. */
let receivingBytes = 0;

/** The total size does not limit bodies of up to this many bytes. */
const smallBodyBytes = 1024 * 1024;

/**
 * Reads a body of limited length.
 *
 * @throws problems `request-too-large`, as soon as there are more bytes than allowed, `limit-reached` if too much is
 *   being received, and `malformed-request`
 */
export async function readBytes(
  request: Pick<Request, "headers" | "body" | "arrayBuffer">,
  maxBytes: number,
): Promise<Uint8Array> {
  const { headers } = request;
  const announced = Number(headers.get("content-length") ?? 0);
  if (announced > maxBytes) throw createTooLargeProblem(maxBytes);
  const room = new Reservation();
  try {
    // A chunked body, an in-process body, or a body over HTTP/2.
    if (!headers.has("content-length") && request.body !== null)
      return await readChunks(request.body, {
        maxBytes,
        room,
        keepsConnection: headers.has("transfer-encoding"),
      });
    room.growTo(announced);
    const bytes = new Uint8Array(await request.arrayBuffer());
    if (bytes.length > maxBytes) throw createTooLargeProblem(maxBytes);
    return bytes;
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw new Problem("malformed-request", "The request ended before its body was complete.");
  } finally {
    room.free();
  }
}

/**
 * Counts a body as being received while its request waits.
 *
 * @throws a problem `limit-reached` if too much is being received
 */
export async function reserveBytesWhile<Result>(bytes: number, wait: () => Promise<Result>): Promise<Result> {
  const room = new Reservation();
  try {
    room.growTo(bytes);
    return await wait();
  } finally {
    room.free();
  }
}

/** The part of the total size that one body uses. */
class Reservation {
  #bytes = 0;

  /** @throws a problem `limit-reached` */
  growTo(bytes: number): void {
    const more = bytes - this.#bytes;
    if (bytes > smallBodyBytes && receivingBytes + more > emulatorLimits.receivedBytes)
      throw new Problem(
        "limit-reached",
        "The emulator is receiving too many large requests: together, their bodies can have at most " +
          `${emulatorLimits.receivedBytes} bytes. Try again after some of them have completed.`,
      );
    // The header of an in-process request may not be a number.
    if (!(more > 0)) return;
    receivingBytes += more;
    this.#bytes = bytes;
  }

  free(): void {
    receivingBytes -= this.#bytes;
  }
}

interface ReadOptions {
  readonly maxBytes: number;
  readonly room: Reservation;
  /** Whether to read and discard the rest of a body that is too large. Canceling it would end the connection. */
  readonly keepsConnection: boolean;
}

async function readChunks(
  body: NonNullable<Request["body"]>,
  { maxBytes, room, keepsConnection }: ReadOptions,
): Promise<Uint8Array> {
  const bytes = new ByteBuffer();
  const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader();
  try {
    for (let chunk = await reader.read(); chunk.value !== undefined; chunk = await reader.read()) {
      if (bytes.length + chunk.value.length > maxBytes) throw createTooLargeProblem(maxBytes);
      room.growTo(bytes.length + chunk.value.length);
      bytes.add(chunk.value);
    }
  } catch (error) {
    if (error instanceof Problem)
      void (keepsConnection ? discardRest(reader) : reader.cancel()).catch(() => undefined);
    throw error;
  }
  return bytes.all();
}

async function discardRest(reader: ReadableStreamDefaultReader): Promise<void> {
  while (!(await reader.read()).done);
}

function createTooLargeProblem(maxBytes: number): Problem {
  return new Problem("request-too-large", `A request body can have at most ${maxBytes} bytes.`);
}
