import { describe, expect, it } from "vitest";
import { RunError } from "../client/violation.js";
import { createEmulatorTarget } from "./emulator-target.js";

const url = "http://127.0.0.1:9";
const megabyte = new Uint8Array(1024 * 1024).fill(0x20);

describe("a server that is no emulator", () => {
  it("is abandoned if its first response never ends", async () => {
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull: (body) => {
        sent += 1;
        // the suite must stop reading before this end
        if (sent > 200) body.close();
        else body.enqueue(megabyte);
      },
    });
    const fetch = () => Promise.resolve(new Response(endless));
    await expect(createEmulatorTarget({ url, fetch, run: "r" })).rejects.toThrow(/larger than 64 MB/);
    expect(sent).toBeLessThan(100);
  });
});

describe("trouble of a run", () => {
  it("quotes only the beginning of a long response", () => {
    const { message } = new RunError(`refused: ${"x".repeat(1_000_000)}`);
    expect(message).toMatch(/^refused: x+…$/);
    expect(message.length).toBeLessThan(3000);
  });
});
