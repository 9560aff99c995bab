import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { defaultProfile } from "../../../openapi/gaps/profile.js";
import { EmulatorProcess, type WatchedProcess } from "./emulator-process.js";
import { replay, runFuzz } from "./run-fuzz.js";

const patience = 600_000;
/** For a process that ends soon: to make SQLite as fast as can be would take longer than it runs. */
const forShortRuns = ["--liftoff-only"];
const startEmulator = (script: string) =>
  EmulatorProcess.start(new URL(script, import.meta.url), forShortRuns);

/** What is planted, and as what it has to be found. */
const planted = [
  ["answers 500", "answer", /status (?:of )?500/],
  ["refuses without a documented body", "answer", /against the contract|undocumented/],
  ["answers against the contract", "answer", /listPlans/],
  ["loses a connection", "lost", /connection|hang up|ECONNRESET/],
  ["stalls", "stall", /without a pause/],
  ["answers otherwise after a while", "afterwards", /otherwise afterwards/],
  ["changes something when it refuses", "change", /changed/],
] as const;

describe("npm run fuzz", () => {
  /** One process for all faults: each is planted in it anew. */
  let faulty: EmulatorProcess;
  beforeAll(async () => {
    faulty = await startEmulator("testing/faulty-emulator.ts");
  });
  afterAll(() => faulty.end());

  /** The process with a fault, as if it had been started with it. */
  async function start(fault: string): Promise<WatchedProcess> {
    await fetch(`http://127.0.0.1:${faulty.port}/planted/${encodeURIComponent(fault)}`);
    return {
      port: faulty.port,
      whyGone: () => faulty.whyGone(),
      takePrinted: () => faulty.takePrinted(),
      ask: (order) => faulty.ask(order),
      end: () => Promise.resolve(),
    };
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
    // what was found comes back, and with few requests
    expect(findings[0]?.requests.length).toBeLessThan(kind === "afterwards" ? 300 : 20);
  });

  it("tells the last words of an emulator that ends", { timeout: patience }, async () => {
    const ending = await startEmulator("testing/faulty-emulator.ts");
    await fetch(`http://127.0.0.1:${ending.port}/planted/ends`);
    let started = 0;
    // the one that comes after it has no fault
    const next = () => (started++ === 0 ? Promise.resolve(ending) : start("nothing"));
    const { findings } = await runFuzz({ requests: 3000, seed: 1, start: next, maxFindings: 1 });
    expect(findings).toMatchObject([{ kind: "gone", message: /it ended with 1:[^]*its last words/ }]);
  });

  it("takes no answer to what is sent behind a request for one to it", { timeout: patience }, async () => {
    const [method, target] = ["PUT", "/ns/fuzz/_emulator/profile"] as const;
    const raw = `${method} ${target} HTTP/1.1\r\nHost: x\r\nContent-Type: text/x\r\nContent-Length: 2\r\n\r\n{}`;
    const requests = [
      { origin: "setProfile", method, target, headers: [], body: undefined, raw: Buffer.from(raw) },
      {
        origin: "getHealth",
        method: "GET",
        target: "/ns/fuzz/health",
        headers: [["Host", "x"]] as const,
        body: undefined,
      },
    ];
    expect(await replay({ requests, profile: defaultProfile, kind: "gone" })).toBeUndefined();
  });

  it("finds nothing in an emulator that is as it should be", { timeout: patience }, async () => {
    const { findings, sent, accepted } = await runFuzz({
      requests: 800,
      seed: 1,
      start: () => startEmulator("watched-emulator.ts"),
    });
    expect(findings).toEqual([]);
    expect(sent).toBe(800);
    expect(accepted).toBeGreaterThan(250);
  });
});
