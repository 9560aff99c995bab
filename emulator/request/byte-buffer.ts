/**
 * Concatenates the chunks of a body. They are copied at once: a list of chunks would need hundreds of bytes for each,
 * and a client may send every byte in a separate chunk.
 */
export class ByteBuffer {
  /** A single chunk is kept without copying; a second one causes both to be copied. */
  #bytes: Uint8Array = nothing;
  #isOwn = false;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(chunk: Uint8Array): void {
    const length = this.#length + chunk.length;
    if (this.#length === 0) {
      this.#bytes = chunk;
      this.#isOwn = false;
    } else {
      if (!this.#isOwn || length > this.#bytes.length) {
        // doubles the capacity, so that each byte is copied twice on average
        const larger = Buffer.allocUnsafeSlow(2 * length);
        larger.set(this.#bytes.subarray(0, this.#length));
        this.#bytes = larger;
        this.#isOwn = true;
      }
      this.#bytes.set(chunk, this.#length);
    }
    this.#length = length;
  }

  all(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }
}

const nothing = Buffer.alloc(0);
