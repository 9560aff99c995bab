import type { IncomingMessage } from "node:http";
import type { TLSSocket } from "node:tls";
import { Problem } from "../domain/problem.js";
import type { Incoming } from "../request/incoming.js";
import type { FetchedRequest } from "./fetched-request.js";
import { GatheredBytes } from "./gathered-bytes.js";

/** A request that came over a socket. */
export class SocketIncoming implements Incoming {
  readonly method: string;
  readonly #message: IncomingMessage;

  constructor(message: IncomingMessage) {
    this.#message = message;
    this.method = message.method ?? "GET";
  }

  get isSecure(): boolean {
    return (this.#message.socket as Partial<TLSSocket>).encrypted === true;
  }

  origin(): string {
    return originOf(`${this.isSecure ? "https" : "http"}://${this.#message.headers.host ?? ""}`);
  }

  header(name: string): string | undefined {
    const value = this.#message.headers[name];
    return Array.isArray(value) ? value.join(", ") : value;
  }

  headers(): readonly string[] {
    return this.#message.rawHeaders;
  }

  body(maxBytes: number): Promise<Uint8Array> {
    return readSocketBody(this.#message, maxBytes);
  }
}

/** A request given to `fetch` in the same process. */
export function fetchIncoming(request: FetchedRequest): Incoming {
  return {
    method: request.method,
    // of a request that never leaves the process it does not matter
    isSecure: false,
    origin: () => originOf(request.url),
    header: (name) => request.headers.get(name) ?? undefined,
    headers: () => request.headers,
    body: async (maxBytes) => {
      const bytes = new Uint8Array(await request.arrayBuffer());
      if (bytes.length > maxBytes) throw tooLarge(maxBytes);
      return bytes;
    },
  };
}

/** The host comes from the client, so it may be no host at all. */
function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : "http://localhost";
}

function readSocketBody(message: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  if (Number(message.headers["content-length"] ?? 0) > maxBytes) {
    // what is still coming is thrown away, so that the connection stays usable and the client gets the answer
    message.resume();
    return Promise.reject(tooLarge(maxBytes));
  }
  return new Promise((resolve, reject) => {
    const bytes = new GatheredBytes();
    message.on("data", (chunk: Buffer) => {
      if (bytes.length + chunk.length > maxBytes) {
        bytes.clear();
        reject(tooLarge(maxBytes));
      } else bytes.add(chunk);
    });
    message.on("end", () => resolve(bytes.all()));
    message.on("error", reject);
    message.on("aborted", () =>
      reject(new Problem("malformed-request", "The request ended before its body did.")),
    );
  });
}

function tooLarge(maxBytes: number): Problem {
  return new Problem("request-too-large", `A request body may have ${maxBytes} bytes at most.`);
}
