import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { checks } from "../../conformance/checks/register.js";
import { selectChecks } from "../../conformance/run/select-checks.js";
import { readTargetFile } from "../../conformance/target/target-file.js";
import { createEmulator } from "../../emulator/api/emulator.js";
import packageJson from "../../package.json" with { type: "json" };

const root = fileURLToPath(new URL("../..", import.meta.url));
const readme = readFileSync(join(root, "README.md"), "utf8");
const example = /<!-- checks in vitest -->\s+```ts\n(.*?)```/s.exec(readme)?.[1] ?? "";
const entry = "data-service-emulator/conformance";

const emulator = await createEmulator();
const url = await emulator.listen();
// in the tree, where vitest transforms it
const folder = mkdtempSync(join(root, "dist-test-"));

/** Replaces a part of the example, which has to be there. */
function replaced(text: string, part: string, by: string): string {
  if (!text.includes(part)) throw new Error(`the example in the README has no ${part}`);
  return text.replace(part, by);
}

const script = join(folder, "example.ts");
let text = replaced(example, entry, join(root, "conformance/index.ts"));
text = replaced(text, "http://127.0.0.1:4100", url);
text = replaced(text, '["items", "sql"]', '["health"]');
writeFileSync(script, text);

describe("the README's checks", () => {
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await emulator.close();
  });

  // registers its tests right here
  describe("run inside a test suite", async () => {
    await import(script);
  });

  it("are what the package exports", () => {
    const { types, default: code } = packageJson.exports["./conformance"];
    expect(`${packageJson.name}/conformance`).toBe(entry);
    expect([types, code]).toEqual(["./dist/types/conformance/index.d.ts", "./dist/conformance.js"]);
    expect(packageJson.exports["./target.schema.json"]).toBe("./conformance/target.schema.json");
    expect(selectChecks([])).toBe(checks);
  });
});

describe("the README's target file", () => {
  const shown = /<!-- target file -->\s+```yaml\n(.*?)```/s.exec(readme)?.[1] ?? "";

  it("is the one in the samples, and has no mistake", () => {
    expect(shown).toBe(readFileSync(join(root, "fixtures/samples/demo-target.yaml"), "utf8"));
    expect(readTargetFile(shown, { DEMO_PASSWORD: "demo-password" })).toMatchObject({
      file: { users: { owner: { email: "owner@demo.test", password: "demo-password" } } },
    });
  });
});
