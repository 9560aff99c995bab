import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { checks } from "../../conformance/checks/register.js";
import { selectChecks } from "../../conformance/run/select-checks.js";
import { parseTargetFile } from "../../conformance/target/target-file.js";
import { createEmulator } from "../../emulator/api/emulator.js";
import packageJson from "../../package.json" with { type: "json" };
import { program } from "../commands/cli.js";
import { findExample, readGuide, replaceOnce, repositoryRoot } from "../development/contract/guides.js";

const example = findExample("conformance/README.md", "checks in vitest");
const entry = "data-service-emulator/conformance";

const emulator = await createEmulator();
const url = await emulator.listen();
// inside the repository, where Vitest transforms the file
const folder = mkdtempSync(join(repositoryRoot, "dist-test-"));

const script = join(folder, "example.ts");
let text = replaceOnce(example, entry, join(repositoryRoot, "conformance/index.ts"));
text = replaceOnce(text, "http://127.0.0.1:4100", url);
text = replaceOnce(text, '["items", "sql"]', '["health"]');
writeFileSync(script, text);

describe("checks in the guide", () => {
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await emulator.close();
  });

  // the import registers its tests in this block
  describe("in a test suite", async () => {
    await import(script);
  });

  it("match the exports of the package", () => {
    const { types, default: code } = packageJson.exports["./conformance"];
    expect(`${packageJson.name}/conformance`).toBe(entry);
    expect([types, code]).toEqual(["./dist/conformance.d.ts", "./dist/conformance.js"]);
    expect(packageJson.exports["./target.schema.json"]).toBe("./conformance/target.schema.json");
    expect(selectChecks([])).toBe(checks);
  });
});

describe("the guide's target file", () => {
  const shown = findExample("conformance/README.md", "target.yaml");

  it("equals the sample except for its schema path, and is valid", () => {
    const withoutSchema = (text: string) => text.split("\n").slice(1).join("\n");
    const sample = readFileSync(join(repositoryRoot, "fixtures/samples/demo-target.yaml"), "utf8");
    expect(withoutSchema(shown)).toBe(withoutSchema(sample));
    expect(parseTargetFile(shown, { DEMO_PASSWORD: "demo-password" })).toMatchObject({
      file: { users: { owner: { email: "owner@demo.test", password: "demo-password" } } },
    });
  });
});

describe("the guides of the command line", () => {
  it("list every command, and every option of start", () => {
    const [synopsis = ""] = /```text\n[^]*?```/.exec(readGuide("emulator/README.md")) ?? [];
    const names = program.commands.map((command) => command.name());
    expect(
      names.filter((name) => !new RegExp(`^data-service [^[]*\\b${name}\\b`, "m").test(synopsis)),
    ).toEqual([]);
    const options = program.commands.find((command) => command.name() === "start")?.options ?? [];
    expect(
      options
        .map(({ long }) => long)
        .filter((long) => !synopsis.includes(`[${long}`) && !synopsis.includes(`| ${long}`)),
    ).toEqual([]);
  });
});
