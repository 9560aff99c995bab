import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import createClient from "openapi-fetch";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEmulator, type Emulator } from "../../emulator/api/emulator.js";
import type { paths } from "../../openapi/generated/service-types.js";
import packageJson from "../../package.json" with { type: "json" };
import { exampleOf, root } from "./guides.js";

const typesEntry = "data-service-emulator/openapi-types";
const source = "openapi/generated/service-types.ts";

describe("the typed client of the guide", () => {
  let example: string;
  let folder: string;
  let emulator: Emulator;
  beforeAll(async () => {
    example = exampleOf("openapi/guides/typed-client.md", "typed client");
    // inside the tree, where the packages are found
    folder = await mkdtemp(`${root}dist-test-client-`);
    emulator = await createEmulator();
  });
  afterAll(async () => {
    await emulator.close();
    await rm(folder, { recursive: true, force: true });
  });

  it("logs in, creates, puts, queries, transacts and deletes", async () => {
    expect(example).toContain("http://127.0.0.1:4100");
    const file = join(folder, "example.mjs");
    await build({
      stdin: {
        contents: example.replace("http://127.0.0.1:4100", await emulator.listen()),
        loader: "ts",
        resolveDir: folder,
      },
      outfile: file,
      bundle: true,
      format: "esm",
      platform: "node",
      target: "node20",
      logLevel: "silent",
    });
    const { stdout } = await promisify(execFile)(process.execPath, [file]);
    expect(stdout.trim().split("\n")).toEqual([
      expect.stringMatching(/^written at 2030-01-01T00:00:00\.\d{3}Z$/),
      "found order#2030-01-01 42.5",
      "applied 2 null",
      "deleted 204",
    ]);
    // the demo database, and the one the example made
    expect(emulator.state().counts).toMatchObject({ databases: 2 });
  });

  it("needs no port when it is given the emulator's fetch", async () => {
    const service = createClient<paths>({ baseUrl: "http://localhost", fetch: emulator.fetch });
    const { data, error } = await service.GET("/api/v1/databases/{databaseId}/items/{pk}/{sk}", {
      params: { path: { databaseId: "db_demo", pk: "settings", sk: "currency" } },
      headers: { Authorization: "Bearer dsk_demo_database_read" },
    });
    expect(error).toBeUndefined();
    expect(data?.data).toMatchObject({ code: "EUR", digits: 2 });
  });

  it("compiles under strict rules, and would not with a mistake in it", async () => {
    const mistaken = [
      ["misspells a member", 'password: "demo-password"', 'pasword: "demo-password"'],
      ["reads what no answer has", "put.data?.updatedAt", "put.data?.version"],
      ["knows no such path", "/items/query", "/items/find"],
      ["leaves a parameter out", "{ databaseId, ...order }", "{ databaseId }"],
      ["names no such action", 'action: "Update"', 'action: "Upsert"'],
    ] as const;
    const files = new Map([["right", example]]);
    for (const [what, right, wrong] of mistaken) {
      expect(example).toContain(right);
      files.set(what, example.replace(right, wrong));
    }
    const complaints = await compile(folder, files);
    expect(complaints.get("right")).toEqual([]);
    for (const [what] of mistaken) expect(complaints.get(what), what).not.toEqual([]);
  });

  it("takes its types from what the package exports", () => {
    const { types } = packageJson.exports["./openapi-types"];
    expect(`${packageJson.name}/openapi-types`).toBe(typesEntry);
    expect(types).toBe(`./dist/types/${source.replace(/\.ts$/, ".d.ts")}`);
  });
});

/** Type-checks the texts against the types in this tree, as the package would resolve them. */
async function compile(
  folder: string,
  texts: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const paths = new Map<string, string>();
  for (const [name, text] of texts) {
    const path = join(folder, `${name.replaceAll(" ", "-")}.mts`);
    await writeFile(path, text);
    paths.set(name, path);
  }
  const program = ts.createProgram([...paths.values()], {
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    verbatimModuleSyntax: true,
    skipLibCheck: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    types: [],
    paths: { [typesEntry]: [`${root}${source}`] },
  });
  return new Map(
    [...paths].map(([name, path]) => {
      const file = program.getSourceFile(path);
      const found = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
      return [name, found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"))];
    }),
  );
}
