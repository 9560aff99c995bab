import type { Incoming } from "./incoming.js";

/** A request whose body can be read again. */
export class RememberedIncoming implements Incoming {
  readonly #inner: Incoming;
  #reading: Promise<Uint8Array> | undefined;

  constructor(inner: Incoming) {
    this.#inner = inner;
  }

  get method(): string {
    return this.#inner.method;
  }

  get isSecure(): boolean {
    return this.#inner.isSecure;
  }

  origin(): string {
    return this.#inner.origin();
  }

  header(name: string): string | undefined {
    return this.#inner.header(name);
  }

  headers(): ReturnType<Incoming["headers"]> {
    return this.#inner.headers();
  }

  body(maxBytes: number): Promise<Uint8Array> {
    return (this.#reading ??= this.#inner.body(maxBytes));
  }
}
