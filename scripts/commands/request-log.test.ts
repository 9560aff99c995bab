import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { createEmulator, type Emulator } from "../../emulator/api/emulator.js";
import { escapeInvisibleInLines } from "../../openapi/text/escape-invisible.js";
import { RequestLog } from "./request-log.js";
import { createCollectingStream } from "./testing/collecting-stream.js";

const usual = {
  ...{ method: "GET", path: "/", status: 200, durationMs: 1, caller: undefined, detail: undefined },
  ...{ operationId: undefined, faults: [], unknownFields: [] },
};

describe("the request log", () => {
  it("has one line per request, whatever clients send", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary" }),
        fc.array(fc.string({ unit: "binary" })),
        (text, unknownFields) => {
          const { stream, written } = createCollectingStream();
          const odd = { method: text, path: text, caller: text, detail: text, unknownFields };
          new RequestLog("requests", stream).note({ ...usual, status: 400, ...odd });
          expect(written().split("\n")).toHaveLength(unknownFields.length === 0 ? 3 : 4);
          expect(escapeInvisibleInLines(written()).replaceAll("\t", "")).toBe(written());
        },
      ),
      { examples: [["\u001b[2J\n\u009b\u202e", ["/\u001b]0;t\u0007"]]] },
    );
  });

  it("names the fault rules that fired", async () => {
    const { stream, written } = createCollectingStream();
    const emulator = await createEmulator({ onRequest: new RequestLog("requests", stream).note });
    const rule = (effect: Parameters<Emulator["faults"]["create"]>[0]["effect"]) =>
      emulator.faults.create({ effect, when: { count: 1 } }).faultId;
    const [latency, status] = [rule({ kind: "latency", delayMs: 1 }), rule({ kind: "status" })];
    const drop = rule({ kind: "drop" });
    const sql = () =>
      emulator.fetch("/databases/db_demo/sql/query", {
        method: "POST",
        headers: { Authorization: "Bearer dsk_demo_all" },
      });
    expect((await sql()).status).toBe(503);
    await expect(sql()).rejects.toThrow();
    expect(
      written()
        .replace(/[\d.]+ ms/g, "N ms")
        .split("\n"),
    ).toEqual([
      "503  POST    /databases/db_demo/sql/query  N ms  key_demo_all",
      "     Service Unavailable",
      `     fault rule ${latency} (latency), ${status} (status)`,
      "---  POST    /databases/db_demo/sql/query  N ms  key_demo_all",
      `     fault rule ${drop} (drop)`,
      "",
    ]);
    await emulator.close();
  });

  it("has colors on a terminal, even if standard output is none", () => {
    for (const name of ["NO_COLOR", "FORCE_COLOR"]) vi.stubEnv(name, undefined);
    const { stream, written } = createCollectingStream(true);
    new RequestLog("requests", stream).note(usual);
    expect(written()).toContain("\u001b[32m200\u001b[39m  GET");
    vi.unstubAllEnvs();
  });
});
