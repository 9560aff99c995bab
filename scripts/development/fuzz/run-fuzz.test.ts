import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { defaultProfile } from "../../../openapi/gaps/profile.js";
import { detectMemoryGrowth, replayFinding, runFuzz } from "./run-fuzz.js";
import type { WatchCommand } from "./watched-emulator.js";
import { WatchedProcess } from "./watched-process.js";

const patience = 600_000;
const startFaulty = () => WatchedProcess.start(new URL("testing/faulty-emulator.ts", import.meta.url));

/** Faults, with the kind and message of the expected finding. */
const planted = [
  ["answers 500", "answer", /status (?:of )?500/],
  ["refuses without a documented body", "answer", /against the contract|undocumented/],
  ["answers against the contract", "answer", /listPlans/],
  ["loses a connection", "lost", /connection|hang up|ECONNRESET/],
  ["stalls", "stall", /turn of the event loop/],
  ["answers otherwise after a while", "afterwards", /different responses afterwards/],
  ["changes something when it refuses", "change", /changed/],
] as const;

describe("npm run fuzz", () => {
  /** One process for all faults. */
  let faulty: WatchedProcess;
  beforeAll(async () => {
    faulty = await startFaulty();
  });
  afterAll(() => faulty.end());

  /** Selects the fault that the faulty emulator has. */
  async function start(fault: string): Promise<WatchedProcess> {
    await fetch(`http://127.0.0.1:${faulty.port}/planted/${encodeURIComponent(fault)}`);
    return Object.assign(Object.create(faulty) as WatchedProcess, {
      describeExit: () => faulty.describeExit(),
      takePrinted: () => faulty.takePrinted(),
      ask: (command: WatchCommand) => faulty.ask(command),
      end: () => Promise.resolve(),
    });
  }

  it.each(planted)("finds an emulator that %s", { timeout: patience }, async (fault, kind, message) => {
    const { findings } = await runFuzz({
      requests: 3000,
      seed: 1,
      start: () => start(fault),
      maxFindings: 1,
    });
    expect(findings.map((finding) => finding.kind)).toEqual([kind]);
    expect(findings[0]?.message).toMatch(message);
    // few requests reproduce the finding
    expect(findings[0]?.requests.length).toBeLessThan(kind === "afterwards" ? 300 : 20);
  });

  it("shows the last output of an emulator that exits", { timeout: patience }, async () => {
    const ending = await startFaulty();
    await fetch(`http://127.0.0.1:${ending.port}/planted/ends`);
    let started = 0;
    // the next process has no fault
    const next = () => (started++ === 0 ? Promise.resolve(ending) : start("nothing"));
    const { findings } = await runFuzz({ requests: 3000, seed: 1, start: next, maxFindings: 1 });
    expect(findings).toMatchObject([{ kind: "gone", message: /it ended with 1:[^]*its last words/ }]);
  });

  it(
    "does not mistake a pipelined response for the response to a request",
    { timeout: patience },
    async () => {
      const [method, target] = ["PUT", "/ns/fuzz/_emulator/profile"] as const;
      const raw = `${method} ${target} HTTP/1.1\r\nHost: x\r\nContent-Type: text/x\r\nContent-Length: 2\r\n\r\n{}`;
      const requests = [
        { origin: "setProfile", method, target, headers: [], body: undefined, raw },
        {
          origin: "getHealth",
          method: "GET",
          target: "/ns/fuzz/health",
          headers: [["Host", "x"]] as const,
          body: undefined,
        },
      ];
      expect(await replayFinding({ requests, profile: defaultProfile, kind: "gone" })).toBeUndefined();
    },
  );

  it("does not report a renewal that is due while a request is refused", { timeout: patience }, async () => {
    const [host, json] = [["Host", "127.0.0.1"] as const, ["Content-Type", "application/json"] as const];
    const request = { method: "POST", target: "/ns/fuzz/api/v1/databases/db_demo/items/query", body: "{}" };
    const clock = { method: "PATCH", target: "/ns/fuzz/_emulator/clock" };
    const requests = [
      { ...clock, origin: "changeClock", headers: [host, json], body: '{"now":"2031-01-31T23:59:59.999Z"}' },
      {
        ...request,
        origin: "queryItems",
        headers: [host, ["Authorization", "Bearer dsk_demo_all"], json] as const,
      },
    ];
    expect(await replayFinding({ requests, profile: defaultProfile, kind: "change" })).toBeUndefined();
  });

  it("finds nothing in an unmodified emulator", { timeout: patience }, async () => {
    const { findings, sent, accepted } = await runFuzz({ requests: 800, seed: 4 });
    expect(findings).toEqual([]);
    expect(sent).toBe(800);
    expect(accepted).toBeGreaterThan(250);
  });
});

describe("judging memory", () => {
  const megabyte = 2 ** 20;
  const samples = (heap: (at: number) => number) =>
    Array.from({ length: 30 }, (_, at) => ({
      heapBytes: heap(at) * megabyte,
      residentBytes: 500 * megabyte,
    }));

  it("reports growth from round to round", () => {
    expect(detectMemoryGrowth(samples((at) => 80 + 4 * at))).toMatch(
      /heapBytes grew from 80 MB to 160 MB within 30 rounds/,
    );
  });

  it("tolerates caches that fill and single rounds that need more", () => {
    expect(detectMemoryGrowth(samples((at) => (at < 5 ? 60 : 100)))).toBeUndefined();
    expect(detectMemoryGrowth(samples((at) => (at % 3 === 0 ? 80 : 300)))).toBeUndefined();
  });
});
