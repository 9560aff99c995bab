import { Problem } from "../domain/problem.js";
import { ByteBuffer } from "./byte-buffer.js";

/**
 * Reads a body of limited length.
 *
 * @throws problems `request-too-large`, as soon as there are more bytes than allowed, and `malformed-request`
 */
export async function readBytes(
  request: Pick<Request, "headers" | "body" | "arrayBuffer">,
  maxBytes: number,
): Promise<Uint8Array> {
  const { headers } = request;
  if (Number(headers.get("content-length") ?? 0) > maxBytes) throw requestTooLarge(maxBytes);
  try {
    // only a chunked body has an unknown length
    if (headers.has("transfer-encoding")) return await readChunks(request.body, maxBytes);
    const bytes = new Uint8Array(await request.arrayBuffer());
    if (bytes.length > maxBytes) throw requestTooLarge(maxBytes);
    return bytes;
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw new Problem("malformed-request", "The request ended before its body was complete.");
  }
}

async function readChunks(body: Request["body"], maxBytes: number): Promise<Uint8Array> {
  const bytes = new ByteBuffer();
  const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = body?.getReader();
  for (let chunk = await reader?.read(); chunk?.value !== undefined; chunk = await reader?.read()) {
    if (bytes.length + chunk.value.length > maxBytes) {
      // canceling the stream would end the connection, which the response needs
      void discardRest(reader).catch(() => undefined);
      throw requestTooLarge(maxBytes);
    }
    bytes.add(chunk.value);
  }
  return bytes.all();
}

async function discardRest(reader: ReadableStreamDefaultReader | undefined): Promise<void> {
  while ((await reader?.read())?.done === false);
}

function requestTooLarge(maxBytes: number): Problem {
  return new Problem("request-too-large", `A request body may have at most ${maxBytes} bytes.`);
}
