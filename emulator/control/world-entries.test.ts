import * as fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { createEmulator, type Emulator } from "../api/emulator.js";
import { connectEmulator } from "../api/connect.js";
import { SqlEngine } from "../sql/sql-engine.js";
import { getPropertyRuns } from "../testing/property-runs.js";
import { setLimits } from "../testing/set-limits.js";
import { sendStep, writingStep } from "../testing/transcript.js";

type Changes = ReturnType<Emulator["snapshots"]["compare"]>;
type Entry = Changes["added"][number];

const steps = fc.array(writingStep, { minLength: 1, maxLength: 25, size: "max" });

function sortEntries(entries: readonly Entry[]): string[] {
  return entries.map((entry) => JSON.stringify(entry)).sort();
}

/** Lists all entries in a snapshot: what an empty snapshot lacks. */
function listAllEntries(emulator: Emulator, name: string): readonly Entry[] {
  return emulator.snapshots.compare("nothing", name).added;
}

function applyChanges(entries: readonly Entry[], { added, changed, removed }: Changes): readonly Entry[] {
  const keyOf = ({ kind, id }: Pick<Entry, "kind" | "id">) => JSON.stringify([kind, id]);
  const byKey = new Map(entries.map((entry) => [keyOf(entry), entry]));
  for (const entry of removed) {
    expect(byKey.get(keyOf(entry))).toEqual(entry);
    byKey.delete(keyOf(entry));
  }
  for (const { kind, id, before, after } of changed) {
    expect(byKey.get(keyOf({ kind, id }))).toEqual({ kind, id, value: before });
    byKey.set(keyOf({ kind, id }), { kind, id, value: after });
  }
  for (const entry of added) {
    expect(byKey.has(keyOf(entry))).toBe(false);
    byKey.set(keyOf(entry), entry);
  }
  return [...byKey.values()];
}

describe("comparing snapshots", () => {
  it("finds no changes between a state and itself, and otherwise the changes from one state to the other", async () => {
    await fc.assert(
      fc.asyncProperty(steps, steps, async (first, second) => {
        const emulator = await createEmulator({ fixture: "empty" });
        try {
          emulator.snapshots.save("nothing");
          emulator.reset("demo");
          for (const step of first) await sendStep(emulator, step);
          emulator.snapshots.save("before");
          for (const step of second) await sendStep(emulator, step);
          emulator.snapshots.save("after");
          const { compare } = emulator.snapshots;
          const none = { added: [], changed: [], removed: [] };
          expect([compare("before", "before"), compare("after", "after"), compare("after")]).toEqual(
            Array(3).fill(none),
          );
          const after = listAllEntries(emulator, "after");
          const count = (wanted: Entry["kind"]) => after.filter(({ kind }) => kind === wanted).length;
          const { counts } = emulator.state();
          expect({
            users: count("user"),
            organizations: count("organization"),
            apiKeys: count("apiKey"),
            databases: count("database"),
            items: count("item"),
            repositories: count("repository"),
            entities: count("entity"),
            sqlTables: count("table"),
            sqlRows: count("row"),
          }).toEqual(counts);
          for (const [from, to] of [
            ["before", "after"],
            ["after", "before"],
          ] as const)
            expect(sortEntries(applyChanges(listAllEntries(emulator, from), compare(from, to)))).toEqual(
              sortEntries(listAllEntries(emulator, to)),
            );
        } finally {
          await emulator.close();
        }
      }),
      { numRuns: getPropertyRuns(3) },
    );
  });

  it("parses no data that is the same in both, and queries no empty tables", async () => {
    const emulator = await createEmulator();
    const headers = { Authorization: "Bearer dsk_demo_all", "Content-Type": "application/json" };
    const send = (method: string, path: string, body: object) =>
      emulator.fetch(path, { method, headers, body: JSON.stringify(body) });
    const put = (pk: string, of: string) =>
      send("PUT", "/api/v1/databases/db_demo/items", { pk, data: { of } });
    const sql = "CREATE TABLE without_rows (id INT PRIMARY KEY)";
    await send("POST", "/databases/db_demo/sql/execute", { sql });
    await put("same", "data of same");
    await put("other", "data of other");
    emulator.snapshots.save("before");
    await put("other", "data of other, changed");
    const parse = vi.spyOn(JSON, "parse");
    const query = vi.spyOn(SqlEngine.prototype, "query");
    const { changed } = emulator.snapshots.compare("before");
    const texts = parse.mock.calls.map(([text]) => text);
    const queries = query.mock.calls.map(([{ sql }]) => sql);
    vi.restoreAllMocks();
    expect(changed).toMatchObject([{ before: { data: { of: "data of other" } } }]);
    expect(texts).toContainEqual(expect.stringContaining("data of other"));
    expect(texts).not.toContainEqual(expect.stringContaining("data of same"));
    expect(queries).toContain('SELECT * FROM "products"');
    expect(queries).not.toContain('SELECT * FROM "without_rows"');
    await emulator.close();
  });

  it("shows values before and after, the same over HTTP", async () => {
    const emulator = await createEmulator();
    const path = "/api/v1/databases/db_demo/items";
    const headers = { Authorization: "Bearer dsk_demo_all", "Content-Type": "application/json" };
    const put = (body: string) => emulator.fetch(path, { method: "PUT", headers, body });
    await put('{"pk":"a","data":{"n":1}}');
    await put('{"pk":"b","data":{"n":9007199254740992}}');
    emulator.snapshots.save("before");
    await put('{"pk":"a","data":{"n":2}}');
    // a number that a double cannot represent
    await put('{"pk":"b","data":{"n":9007199254740993}}');
    await put('{"pk":"c","sk":"d","data":{}}');
    const changes = emulator.snapshots.compare("before");
    expect(changes).toMatchObject({
      added: [{ kind: "item", id: { databaseId: "db_demo", pk: "c", sk: "d" }, value: { data: {} } }],
      changed: [
        { kind: "item", id: { pk: "a", sk: null }, before: { data: { n: 1 } }, after: { data: { n: 2 } } },
        { kind: "item", id: { pk: "b", sk: null } },
      ],
      removed: [],
    });
    const remote = await connectEmulator(await emulator.listen());
    expect(await remote.snapshots.compare("before")).toEqual(changes);
    expect(() => emulator.snapshots.compare("before", "nowhere")).toThrow("no snapshot");
    await emulator.close();
  });
});

it("distinguishes rows whose keys are equal as doubles", async () => {
  const emulator = await createEmulator();
  const headers = { Authorization: "Bearer dsk_demo_all", "Content-Type": "application/json" };
  const send = (kind: "execute" | "query", sql: string) =>
    emulator.fetch(`/databases/db_demo/sql/${kind}`, {
      method: "POST",
      headers,
      body: JSON.stringify({ sql }),
    });
  await send("execute", "CREATE TABLE large (id BIGINT PRIMARY KEY)");
  await send("query", "INSERT INTO large (id) VALUES (9007199254740992)");
  emulator.snapshots.save("before");
  await send("query", "INSERT INTO large (id) VALUES (9007199254740993)");
  expect(emulator.snapshots.compare("before")).toMatchObject({
    added: [{ kind: "row", id: { table: "large" } }],
    changed: [],
    removed: [],
  });
  await emulator.close();
});

it("compares no states that are larger than the limit", async () => {
  const emulator = await createEmulator();
  const { bytes } = emulator.snapshots.save("one");
  setLimits({ comparedBytes: bytes });
  expect(emulator.snapshots.compare("one")).toEqual({ added: [], changed: [], removed: [] });
  const headers = { Authorization: "Bearer dsk_demo_all", "Content-Type": "application/json" };
  const body = JSON.stringify({ pk: "large", data: { text: "x".repeat(60_000) } });
  const path = "/api/v1/databases/db_demo/items";
  expect((await emulator.fetch(path, { method: "PUT", headers, body })).status).toBe(200);
  expect(() => emulator.snapshots.compare("one")).toThrow(`at most ${bytes} bytes`);
  emulator.snapshots.save("two");
  expect(() => emulator.snapshots.compare("one", "two")).toThrow(`at most ${bytes} bytes`);
  expect(emulator.snapshots.compare("one", "one")).toEqual({ added: [], changed: [], removed: [] });
  await emulator.close();
});

it("compares no states with more values in SQL rows than the limit", async () => {
  const emulator = await createEmulator({ fixture: "empty" });
  emulator.snapshots.save("empty");
  emulator.reset("demo");
  setLimits({ comparedRowValues: 1 });
  expect(() => emulator.snapshots.compare("empty")).toThrow("at most 1 values in SQL rows; this state has");
  expect(emulator.snapshots.compare("empty", "empty")).toEqual({ added: [], changed: [], removed: [] });
  await emulator.close();
});
