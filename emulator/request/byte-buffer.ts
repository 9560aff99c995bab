/**
 * Concatenates the chunks of a body. Copies them immediately, because each chunk in a list would use hundreds of bytes, even
 * if it contains a single byte.
 */
export class ByteBuffer {
  /** A single chunk is kept without being copied. */
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
        // Doubles the capacity, so that the total cost stays proportional to the length.
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
