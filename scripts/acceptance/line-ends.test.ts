import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { parseTargetFile } from "../../conformance/target/target-file.js";
import { createEmulator } from "../../emulator/api/emulator.js";
import { repositoryRoot } from "../development/contract/guides.js";

const folder = mkdtempSync(join(tmpdir(), "line-ends-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns a file as a Windows editor saves it, with a byte order mark. */
function convertToWindowsText(file: string): string {
  return `\ufeff${readFileSync(join(repositoryRoot, file), "utf8").replace(/\r?\n/g, "\r\n")}`;
}

it("a seed file may have the line ends of Windows", async () => {
  const seed = join(folder, "seed.yaml");
  writeFileSync(seed, convertToWindowsText("fixtures/demo.yaml"));
  const [saved, built] = await Promise.all([createEmulator({ fixture: seed }), createEmulator()]);
  const { counts, credentials } = built.state();
  expect(saved.state()).toMatchObject({ counts, credentials });
  await Promise.all([saved.close(), built.close()]);
});

it("so may a target file", () => {
  const sample = "fixtures/samples/demo-target.yaml";
  const env = { DEMO_PASSWORD: "demo-password" };
  expect(parseTargetFile(convertToWindowsText(sample), env)).toEqual(
    parseTargetFile(readFileSync(join(repositoryRoot, sample), "utf8"), env),
  );
});
