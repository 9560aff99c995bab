/** No answer of the contract comes near this. */
const maxBytes = 64 * 1024 * 1024;

/**
 * The text of an answer's body, in UTF-8.
 *
 * @throws Error when the body is larger than anything that the contract knows; what a gzip stream unpacks to counts
 */
export async function readBounded(response: Response): Promise<string> {
  if (response.body === null) return "";
  const stream = response.body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  const reader = new TextReader();
  try {
    for (;;) {
      const { done, value } = await stream.read();
      if (done) return reader.end();
      reader.add(value);
    }
  } catch (error) {
    await stream.cancel().catch(() => undefined);
    throw error;
  }
}

/** Makes a text of bytes in UTF-8, and no longer one than any answer is. */
export class TextReader {
  readonly #decoder = new TextDecoder();
  #text = "";
  #bytes = 0;

  /** @throws Error when it is too much */
  add(bytes: Uint8Array): void {
    this.#bytes += bytes.byteLength;
    if (this.#bytes > maxBytes) throw new Error(`the answer is larger than ${maxBytes >> 20} MB`);
    this.#text += this.#decoder.decode(bytes, { stream: true });
  }

  end(): string {
    return this.#text + this.#decoder.decode();
  }
}
