/* eslint-disable @typescript-eslint/no-unsafe-assignment, @typescript-eslint/no-unsafe-member-access, @typescript-eslint/no-unsafe-argument, @typescript-eslint/no-unsafe-call -- looks into answers of every shape */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { convertStateToSeed } from "../seeds/convert-state-to-seed.js";
import { formatYaml } from "../seeds/seed-text.js";
import { loadSqlite } from "../sqlite/sqlite.js";
import { quoteName } from "../sqlite/quote-name.js";
import { createEmptyDatabase, ItemsClient } from "../testing/items-client.js";
import { oddTextArbitrary } from "../testing/odd-text.arbitrary.js";
import { getPropertyRuns } from "../testing/property-runs.js";
import { SqlTestClient } from "../testing/sql-test-client.js";
import { type TestEmulator, createTestEmulator } from "../testing/test-client.js";

const organizationId = "org_demo_enterprise";
const databases = "/api/v1/management/databases";
const folder = mkdtempSync(join(tmpdir(), "exact-text-"));
afterAll(() => rmSync(folder, { recursive: true }));

const texts = fc.uniqueArray(oddTextArbitrary, { minLength: 1, maxLength: 4 });
const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
const valuesOf = (texts: readonly string[]) => Object.fromEntries(texts.map((text) => [text, text]));

interface CreatedResources {
  readonly databaseId: string;
  readonly repositoryId: string;
}

/** Stores the texts wherever a client can choose what is stored. */
async function write(running: TestEmulator, texts: readonly string[]): Promise<CreatedResources> {
  const [first = ""] = texts;
  const items = await createEmptyDatabase(running, { organizationId });
  const { client, databaseId } = items;
  for (const pk of texts) for (const sk of texts) await items.put(pk, sk, valuesOf(texts));
  const { body } = await client.post(`${databases}/${databaseId}/repositories`, {
    name: first,
    entityName: first,
    schema: { [first]: { type: "string", default: first } },
  });
  const { repositoryId } = body as CreatedResources;
  await client.post(`/api/v1/repositories/${repositoryId}`, { data: valuesOf(texts) });
  const sql = new SqlTestClient(client, databaseId);
  const [table, literal] = [quoteName(first), `'${first.replaceAll("'", "''")}'`];
  await sql.run(
    `CREATE TABLE ${table} (${table} TEXT, "second" TEXT, "map" MAP<TEXT, TEXT>, "other" TEXT DEFAULT ${literal}, PRIMARY KEY (${table}, "second"))`,
  );
  for (const a of texts)
    for (const b of texts)
      await sql.query(`INSERT INTO ${table} VALUES (?, ?, ?, ${literal})`, { a, b, c: valuesOf(texts) });
  await client.post(databases, { name: "settings", region: "eu-west-1", settings: valuesOf(texts) });
  await client.put(`/api/v1/organizations/${organizationId}`, { name: `${first}..` });
  running.emulator.users.create({ email: "odd@demo.test", name: first, password: "demo-password" });
  return { databaseId, repositoryId };
}

/** Reads everything that {@link write} has stored, in pages of one entry. */
async function read(running: TestEmulator, { databaseId, repositoryId }: CreatedResources) {
  const client = await running.login("owner@demo.test", organizationId);
  const sql = new SqlTestClient(client, databaseId);
  const items = new ItemsClient(client, databaseId);
  const scanned = await items.scanPages({ limit: 1 });
  const pks = new Set(scanned.flatMap((page) => page.items.map(({ pk }) => pk)));
  const repository = (await client.get(`${databases}/${databaseId}/repositories/${repositoryId}`)).body;
  const table = (await sql.tables()).body.tables[0].name as string;
  const schema = (await sql.schema(table)).body;
  const { body: listed } = await client.get(databases);
  const session = await running.client.post("/auth/password", {
    email: "odd@demo.test",
    password: "demo-password",
  });
  return {
    scanned: scanned.flatMap((page) => page.items),
    queried: await Promise.all([...pks].map((pk) => items.sortKeys(pk, undefined, { limit: 1 }))),
    repository: [repository.name, repository.entityName, repository.schema],
    entities: (await client.get(`/api/v1/repositories/${repositoryId}`)).body.entities.map(
      ({ data }: { data: unknown }) => data,
    ),
    table: [
      table,
      schema.tableName,
      schema.columns[0].name,
      schema.columns[3].defaultValue,
      schema.primaryKey.partitionKeys,
    ],
    rows: await selectRows(sql, `SELECT * FROM ${quoteName(table)}`),
    settings: listed.databases.at(-1).settings,
    names: [
      (await client.get(`/api/v1/organizations/${organizationId}`)).body.name,
      session.body.authResponse.name,
    ],
  };
}

/** Returns the rows of a query, which are read in pages of one row. */
async function selectRows(sql: SqlTestClient, text: string): Promise<unknown[]> {
  const rows: unknown[] = [];
  let pageToken: string | null | undefined;
  do {
    const { body } = await sql.query(text, undefined, {
      limit: 1,
      ...(pageToken === undefined ? {} : { pageToken }),
    });
    rows.push(...body.rows);
    pageToken = body.nextPageToken as string | null;
    if (rows.length > 100) throw new Error("SELECT goes on after a hundred pages");
  } while (pageToken !== null);
  return rows;
}

it("any text is returned as sent, by the service, a snapshot, a file and a seed file, page by page", async () => {
  const sqlite = await loadSqlite();
  await fc.assert(
    fc.asyncProperty(texts, async (given) => {
      const running = await createTestEmulator();
      const others: TestEmulator[] = [];
      try {
        const made = await write(running, given);
        const sorted = given.toSorted(byBytes);
        const values = valuesOf(given);
        const [first = ""] = given;
        const pairs = sorted.flatMap((a) => sorted.map((b) => [a, b] as const));
        const expected = {
          scanned: pairs.map(([pk, sk]) => ({ pk, sk, data: values })),
          queried: sorted.map(() => sorted),
          repository: [first, first, { [first]: { type: "string", default: first } }],
          entities: [values],
          table: [first, first, first, first, [first]],
          rows: pairs.map(([a, second]) => ({ [first]: a, second, map: values, other: first })),
          settings: values,
          names: [`${first}..`, first],
        };
        expect(await read(running, made)).toEqual(expected);

        running.emulator.snapshots.save("kept");
        const seed = join(folder, "seed.yaml");
        writeFileSync(seed, formatYaml(convertStateToSeed(sqlite, running.emulator.export())));
        const uploaded = await createTestEmulator();
        uploaded.emulator.snapshots.upload("kept", running.emulator.snapshots.download("kept"));
        uploaded.emulator.snapshots.restore("kept");
        others.push(uploaded, await createTestEmulator({ fixture: seed }));
        for (const other of others) expect(await read(other, made)).toEqual(expected);
      } finally {
        await Promise.all([running, ...others].map(({ emulator }) => emulator.close()));
      }
    }),
    { numRuns: getPropertyRuns(6), examples: [[["a", "\ufeffa", "\0"]]] },
  );
});
