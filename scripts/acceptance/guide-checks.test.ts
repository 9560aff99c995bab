import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { checks } from "../../conformance/checks/register.js";
import { selectChecks } from "../../conformance/run/select-checks.js";
import { readTargetFile } from "../../conformance/target/target-file.js";
import { createEmulator } from "../../emulator/api/emulator.js";
import packageJson from "../../package.json" with { type: "json" };
import { exampleOf, replaced, root } from "../development/contract/guides.js";

const example = exampleOf("conformance/README.md", "checks in vitest");
const entry = "data-service-emulator/conformance";

const emulator = await createEmulator();
const url = await emulator.listen();
// in the tree, where vitest transforms it
const folder = mkdtempSync(join(root, "dist-test-"));

const script = join(folder, "example.ts");
let text = replaced(example, entry, join(root, "conformance/index.ts"));
text = replaced(text, "http://127.0.0.1:4100", url);
text = replaced(text, '["items", "sql"]', '["health"]');
writeFileSync(script, text);

describe("checks in the guide", () => {
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await emulator.close();
  });

  // registers its tests right here
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
  const shown = exampleOf("conformance/README.md", "target.yaml");

  it("equals the sample except for its schema path, and is valid", () => {
    const withoutSchema = (text: string) => text.split("\n").slice(1).join("\n");
    const sample = readFileSync(join(root, "fixtures/samples/demo-target.yaml"), "utf8");
    expect(withoutSchema(shown)).toBe(withoutSchema(sample));
    expect(readTargetFile(shown, { DEMO_PASSWORD: "demo-password" })).toMatchObject({
      file: { users: { owner: { email: "owner@demo.test", password: "demo-password" } } },
    });
  });
});
