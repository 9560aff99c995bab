import fc from "fast-check";
import { expect, it } from "vitest";
import { ByteBuffer } from "./byte-buffer.js";

it("reproduces the input in any number of chunks", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 50 })), (chunks) => {
      const bytes = new ByteBuffer();
      for (const chunk of chunks) bytes.add(Buffer.from(chunk));
      const whole = Buffer.concat(chunks);
      expect(whole.equals(bytes.all())).toBe(true);
      expect(bytes.length).toBe(whole.length);
    }),
  );
});

it("copies small chunks, and uses little more memory than their bytes", () => {
  const bytes = new ByteBuffer();
  const socket = Buffer.alloc(100_000, "x");
  for (let at = 0; at < socket.length; at += 1) bytes.add(socket.subarray(at, at + 1));
  const all = bytes.all();
  expect(all.buffer).not.toBe(socket.buffer);
  expect(all.buffer.byteLength).toBeLessThanOrEqual(2 * socket.length);
});
