import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createEmulator } from "../../emulator/api/emulator.js";
import { showCompareProgress } from "./compare-command.js";
import { ProgressLine } from "./progress-line.js";
import { Launcher } from "./testing/built-command.js";
import { createCollectingStream } from "./testing/collecting-stream.js";

it("prints a line to a log at the end of each phase, but not at its start", () => {
  const { stream, written } = createCollectingStream();
  const line = new ProgressLine(stream);
  for (const done of [0, 1, 2]) showCompareProgress(line, { phase: "comparing", done, total: 2, causes: 1 });
  for (const done of [0, 1]) showCompareProgress(line, { phase: "reproducing", done, total: 1, causes: 1 });
  expect(written()).toBe(
    "compared 2 of 2 request sequences; causes of differences: 1\nrechecked 1 of 1 cause\n",
  );
});

it("compares with the emulator at a URL, and fails if requests of a HAR file were not compared", async () => {
  const folder = mkdtempSync(join(tmpdir(), "compare-command-"));
  const launcher = new Launcher();
  const emulators = await Promise.all([
    createEmulator({ profile: { "validation-status": 422 } }),
    createEmulator(),
  ]);
  try {
    const [first, second] = await Promise.all(emulators.map((emulator) => emulator.listen()));
    const query = (base: string) => ({
      request: {
        method: "POST",
        url: `${base}/api/v1/databases/db_demo/items/query`,
        headers: [{ name: "Authorization", value: "Bearer dsk_demo_all" }],
        postData: { text: "{}" },
      },
      response: { status: 400 },
    });
    const compare = async (...entries: readonly object[]) => {
      writeFileSync(join(folder, "a.har"), JSON.stringify({ log: { entries } }));
      const args = ["compare", first ?? "", "--emulator", "--with", second ?? "", "--har", "a.har"];
      return launcher.launch([...args, "--write-accept"], { cwd: folder }).ended;
    };
    expect(await compare(query("http://here"))).toMatchObject({ code: 0 });
    const { code, stdout } = await compare(query("http://here"), query("http://elsewhere"));
    expect(stdout).toContain("1 of 2 requests is not for a known operation at http://here");
    expect(code).toBe(2);
  } finally {
    launcher.killAll();
    await Promise.all(emulators.map((emulator) => emulator.close()));
    rmSync(folder, { recursive: true });
  }
}, 120_000);
