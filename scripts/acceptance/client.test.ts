import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import createClient from "openapi-fetch";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEmulator, type Emulator } from "../../emulator/api/emulator.js";
import type { paths } from "../../openapi/generated/service-types.js";
import packageJson from "../../package.json" with { type: "json" };
import { findExample, repositoryRoot } from "../development/contract/guides.js";

describe("the typed client of the guide", () => {
  let example: string;
  let folder: string;
  let emulator: Emulator;
  beforeAll(async () => {
    example = findExample("openapi/guides/typed-client.md", "typed client");
    // inside the repository, where imports of packages are resolved
    folder = await mkdtemp(`${repositoryRoot}dist-test-client-`);
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
    // the demo database and the database created by the example
    expect(emulator.state().counts).toMatchObject({ databases: 2 });
  });

  it("needs no port with the emulator's fetch", async () => {
    const service = createClient<paths>({ baseUrl: "http://localhost", fetch: emulator.fetch });
    const { data, error } = await service.GET("/api/v1/databases/{databaseId}/items/{pk}/{sk}", {
      params: { path: { databaseId: "db_demo", pk: "settings", sk: "currency" } },
      headers: { Authorization: "Bearer dsk_demo_database_read" },
    });
    expect(error).toBeUndefined();
    expect(data?.data).toMatchObject({ code: "EUR", digits: 2 });
  });

  it("takes its types from the package's exports", () => {
    const { types } = packageJson.exports["./openapi-types"];
    expect(example).toContain(`"${packageJson.name}/openapi-types"`);
    expect(types).toBe("./dist/openapi-types.d.cts");
  });
});
