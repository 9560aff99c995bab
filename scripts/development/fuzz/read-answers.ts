/** An answer as it came over the connection. */
export interface FuzzAnswer {
  readonly status: number;
  /** By lower-case name; the last one counts. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Reads answers out of the bytes of a connection, as they come. */
export class AnswerReader {
  #left: Buffer = Buffer.alloc(0);

  /** Bytes that are no whole answer yet. */
  get left(): Buffer {
    return this.#left;
  }

  add(chunk: Buffer): void {
    this.#left = this.#left.length === 0 ? chunk : Buffer.concat([this.#left, chunk]);
  }

  /**
   * @param isHead whether the answer is one to HEAD, which has no body whatever its headers say
   * @returns nothing while it is not all there
   * @throws Error for what is no HTTP
   */
  next(isHead: boolean): FuzzAnswer | undefined {
    const end = this.#left.indexOf("\r\n\r\n");
    if (end < 0) return undefined;
    const [first = "", ...lines] = this.#left.toString("latin1", 0, end).split("\r\n");
    const status = Number(/^HTTP\/1\.1 (\d{3})(?: |$)/.exec(first)?.[1]);
    if (!(status >= 100)) throw new Error(`an answer begins with ${JSON.stringify(first.slice(0, 100))}`);
    const headers: Record<string, string> = {};
    for (const line of lines) {
      const colon = line.indexOf(":");
      if (colon < 1) throw new Error(`an answer has the header ${JSON.stringify(line.slice(0, 100))}`);
      headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
    }
    const from = end + 4;
    if (status < 200) {
      this.#left = this.#left.subarray(from);
      return this.next(isHead);
    }
    if (isHead || status === 204 || status === 304) {
      this.#left = this.#left.subarray(from);
      return { status, headers, body: Buffer.alloc(0) };
    }
    const read =
      headers["transfer-encoding"] === "chunked"
        ? readChunks(this.#left, from)
        : readLength(this.#left, from, Number(headers["content-length"] ?? 0));
    if (read === undefined) return undefined;
    this.#left = this.#left.subarray(read.end);
    return { status, headers, body: read.body };
  }
}

interface Read {
  readonly body: Buffer;
  readonly end: number;
}

function readLength(bytes: Buffer, from: number, length: number): Read | undefined {
  const end = from + length;
  return bytes.length < end ? undefined : { body: bytes.subarray(from, end), end };
}

function readChunks(bytes: Buffer, from: number): Read | undefined {
  const parts: Buffer[] = [];
  for (let at = from; ;) {
    const line = bytes.indexOf("\r\n", at);
    if (line < 0) return undefined;
    const length = Number.parseInt(bytes.toString("latin1", at, line), 16);
    const end = line + 2 + length;
    if (Number.isNaN(length)) throw new Error("a chunk of an answer has no length");
    if (bytes.length < end + 2) return undefined;
    if (length === 0) return { body: Buffer.concat(parts), end: end + 2 };
    parts.push(bytes.subarray(line + 2, end));
    at = end + 2;
  }
}
