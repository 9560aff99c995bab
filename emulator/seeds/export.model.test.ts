import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { createEmulator, type Emulator } from "../api/emulator.js";
import { loadSqlite } from "../sqlite/sqlite.js";
import { fillWorld } from "../testing/fill-world.js";
import { getPropertyRuns } from "../testing/property-runs.js";
import { type Step, sendStep, recordTranscript, writingStep } from "../testing/transcript.js";
import { convertStateToSeed } from "./convert-state-to-seed.js";
import { formatYaml } from "./seed-text.js";

const sqlite = await loadSqlite();
const steps = (most: number) => fc.array(writingStep, { minLength: 1, maxLength: most, size: "max" });

/** Removes the client request token from a step, because a seed file does not contain the stored responses. */
function withoutToken(step: Step): Step {
  if (step.body === undefined) return step;
  const members = Object.entries(step.body as object).filter(([name]) => name !== "clientRequestToken");
  return { ...step, body: Object.fromEntries(members) };
}

function exported(emulator: Emulator): string {
  return formatYaml(convertStateToSeed(sqlite, emulator.export()));
}

const folder = mkdtempSync(join(tmpdir(), "seeds-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes a seed file; an object in memory would lose digits. */
function writeSeedFile(text: string): string {
  const file = join(folder, "seed.yaml");
  writeFileSync(file, text);
  return file;
}

/** Returns everything that a client can see, except what an export omits: usage figures and seeded credentials. */
async function readVisibleState(emulator: Emulator, after: readonly Step[]): Promise<string[]> {
  const lines = await recordTranscript(emulator, after);
  return lines
    .filter((line) => !/^GET \/(?:_emulator |api\/v1\/payment\/usage)/.test(line))
    .map((line) =>
      line
        .replace(/"(?:read|write)UnitsConsumed":\d+/g, '"units"')
        .replace(/"lastUpdated":"[^"]+"/g, '"lastUpdated"'),
    );
}

it("a seed keeps the order of users and organizations", async () => {
  const emulator = await createEmulator();
  await emulator.fetch("/api/v1/organizations", {
    method: "POST",
    headers: {
      Authorization: `Bearer ${emulator.token({ email: "owner@demo.test" })}`,
      "Content-Type": "application/json",
    },
    body: '{"name":"Acme"}',
  });
  emulator.users.create({ email: "ada@acme.test", password: "p" });
  const again = await createEmulator({ fixture: writeSeedFile(exported(emulator)) });
  for (const path of ["/_emulator/users", "/_emulator/organizations"])
    expect(await (await again.fetch(path)).json()).toEqual(await (await emulator.fetch(path)).json());
  await emulator.close();
  await again.close();
});

it("after any requests, an emulator that starts with the export has the same export and the same responses", async () => {
  await fc.assert(
    fc.asyncProperty(fc.boolean(), steps(30), steps(5), async (full, before, after) => {
      const emulator = await createEmulator();
      if (full) await fillWorld(emulator);
      for (const step of before) await sendStep(emulator, withoutToken(step));
      const text = exported(emulator);
      const again = await createEmulator({ fixture: writeSeedFile(text) });
      try {
        expect(exported(again)).toBe(text);
        expect(await readVisibleState(again, after)).toEqual(await readVisibleState(emulator, after));
      } finally {
        await emulator.close();
        await again.close();
      }
    }),
    { numRuns: getPropertyRuns(2) },
  );
});

it("an export has valid ids for long names that occur twice", async () => {
  const name = `${"a".repeat(63)} b`;
  const fixture = { users: ["a@x.test"], organizations: [name, name] };
  const emulator = await createEmulator({ fixture });
  const text = exported(emulator);
  const second = await createEmulator({ fixture: writeSeedFile(text) });
  expect(exported(second)).toBe(text);
  await Promise.all([emulator.close(), second.close()]);
});

it("an export has defaults whose keys are collections", async () => {
  const emulator = await createEmulator();
  const send = (operation: string, sql: string, from = emulator) =>
    from.fetch(`/databases/db_demo/sql/${operation}`, {
      method: "POST",
      headers: { Authorization: "Bearer dsk_demo_all", "Content-Type": "application/json" },
      body: JSON.stringify({ sql }),
    });
  const definition =
    "CREATE TABLE maps (id INT, a MAP<MAP<VARCHAR, INT>, SET<INT>> DEFAULT {{'a': 1}: {1, 2}}, " +
    "b MAP<LIST<BOOLEAN>, MAP<UUID, INT>> DEFAULT {[TRUE]: {}}, PRIMARY KEY (id))";
  expect((await send("execute", definition)).status).toBe(200);
  await send("query", "INSERT INTO maps (id) VALUES (1)");
  const again = await createEmulator({ fixture: writeSeedFile(exported(emulator)) });
  const select = "SELECT * FROM maps";
  expect(await (await send("query", select, again)).json()).toEqual(
    await (await send("query", select)).json(),
  );
});

it("an export can be loaded again if the profile allows names that occur twice and null fields", async () => {
  const profile = { "duplicate-name": "allow", "entity-null-fields": "kept" } as const;
  const emulator = await createEmulator({ profile });
  const token = emulator.token({ email: "owner@demo.test", organizationId: "org_demo_pro" });
  const create = async (path: string, body: object) => {
    const answer = await emulator.fetch(`/api/v1/${path}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    expect(answer.status, path).toBe(201);
    return (await answer.json()) as { readonly repositoryId: string };
  };
  for (const region of ["eu-west-1", "us-east-1"])
    await create("management/databases", { name: "twice", region });
  const repository = { name: "products", entityName: "Product" };
  const schema = { note: { type: "string" }, tag: { type: "string", default: null } };
  const path = "management/databases/db_demo/repositories";
  const { repositoryId } = await create(path, { ...repository, schema });
  await create(`repositories/${repositoryId}`, { data: { note: null } });
  const text = exported(emulator);
  const again = await createEmulator({ profile, fixture: writeSeedFile(text) });
  expect(exported(again)).toBe(text);
  again.reset({ databases: ["one", "one"], users: ["ada@acme.test"] });
  await expect(createEmulator({ fixture: writeSeedFile(text) })).rejects.toThrow(
    "already has a repository named products",
  );
  await Promise.all([emulator.close(), again.close()]);
});
