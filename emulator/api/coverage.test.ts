import type { Context, Next } from "hono";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { renderRecipeCode } from "../../openapi/situations/recipe.js";
import { listSituations, scenarios } from "../../openapi/situations/scenarios.js";
import type { Scenario, Situation } from "../../openapi/situations/situation.js";
import { coverageFolderVariable } from "../coverage/write-coverage.js";
import { createEmulator, type Emulator } from "./emulator.js";
import type { EmulatorOptions } from "./emulator-options.js";

/*
 * On a new emulator, the recipe of each situation covers that situation, and no other outcome or scenario of its
 * operation.
 */

let emulator: Emulator;
beforeEach(async () => {
  emulator = await createEmulator();
});
afterEach(() => emulator.close());

/** Runs a recipe's code in the same way as a test with the fixture `dataService`. */
async function runRecipe({ recipe }: Situation): Promise<void> {
  // this is the code that users paste into their tests
  // eslint-disable-next-line @typescript-eslint/no-implied-eval
  const run = new Function("dataService", `return (async () => { ${renderRecipeCode(recipe)} })()`) as (
    dataService: Emulator,
  ) => Promise<void>;
  await run(emulator);
}

/** Lists the outcomes of an operation that the steps of a scenario include. */
function listOutcomes({ steps }: Scenario, operationId: string): readonly string[] {
  return steps.map(([, outcome = "success"]) => `${operationId}:${outcome}`);
}

describe("the recipe", () => {
  const all = listSituations();

  it.each(all.map((situation) => [situation.id, situation] as const))("meets %s", async (id, situation) => {
    const { operationId, group } = situation;
    await runRecipe(situation);
    const { met } = emulator.coverage();
    expect(met).toContain(id);
    if (group === "operations") return;
    const allowed = group === "scenarios" ? [id, ...listOutcomes(situation as Scenario, operationId)] : [id];
    const ofOperation = all.filter(
      (other) => other.operationId === operationId && other.group !== "operations",
    );
    expect(
      ofOperation.map((other) => other.id).filter((other) => met.includes(other) && !allowed.includes(other)),
    ).toEqual([]);
    expect(scenarios.filter((other) => met.includes(other.id) && other.id !== id)).toEqual([]);
  });
});

it("does not count refused requests as work before a broken connection", async () => {
  emulator.faults.create({
    match: { operationId: "createEntity" },
    effect: { kind: "drop", applied: true },
    when: { count: 1 },
  });
  const create = () =>
    emulator.fetch("/api/v1/repositories/repo_demo_products", {
      method: "POST",
      headers: { Authorization: "Bearer dsk_demo_all", "Content-Type": "application/json" },
      body: JSON.stringify({ data: {} }),
    });
  await expect(create()).rejects.toThrow();
  expect((await create()).status).toBe(400);
  expect(emulator.coverage().met).not.toContain("connection-broken-after-the-work");
});

it("counts refusals and dropped work as without middleware, if it only adds a header", async () => {
  const read = async (options: EmulatorOptions) => {
    const observed = await createEmulator(options);
    const headers = { Authorization: "Bearer dsk_demo_all", "Content-Type": "application/json" };
    await observed.fetch("/databases/db_demo/sql/query", {
      method: "POST",
      headers,
      body: '{"sql":"SELEC"}',
    });
    await observed.fetch("/api/v1/databases/db_demo/items/none", { headers });
    observed.faults.create({ effect: { kind: "drop", applied: true } });
    await observed.fetch("/api/v1/plans", { headers }).catch(() => undefined);
    observed.faults.clear();
    observed.faults.create({
      effect: { kind: "status", status: 429, retryAfterSeconds: 2 },
      when: { count: 1 },
    });
    await observed.fetch("/api/v1/plans", { headers });
    observed.clock.advance("2s");
    await observed.fetch("/api/v1/plans", { headers });
    const { met } = observed.coverage();
    await observed.close();
    return met;
  };
  const plain = await read({});
  expect(plain).toEqual(
    expect.arrayContaining([
      "runSqlQuery:SQL_SYNTAX_ERROR",
      "getItem:item-not-found",
      "rate-limit-waited-for",
    ]),
  );
  const stamped = async (c: Context, next: Next) => {
    await next();
    c.header("x-region", "eu-west-1");
  };
  expect(await read({ middleware: [stamped] })).toEqual(plain);
});

describe("scenarios of puts", () => {
  const root = "/api/v1/databases/db_demo/items";
  const send = async (method: string, path: string, body?: object, key = "dsk_demo_all") => {
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    return (await emulator.fetch(path, init)).status;
  };
  const exists = (is: boolean) => ({ conditionExpression: `attribute_${is ? "" : "not_"}exists(pk)` });
  const isMet = (id: string) => emulator.coverage().met.includes(id);

  it.each(["user:1", "user%3A1", "user%3a1"])("recognize the item in a get of %s", async (key) => {
    const put = { pk: "user:1", data: {} };
    await send("PUT", root, put);
    expect(await send("PUT", root, { ...put, ...exists(false) })).toBe(409);
    expect(await send("GET", `${root}/other`)).toBe(404);
    await send("PUT", root, { ...put, ...exists(true) });
    expect(isMet("put-refused-read-and-repeated")).toBe(false);
    expect(await send("PUT", root, { ...put, ...exists(false) })).toBe(409);
    expect(await send("GET", `${root}/${key}`)).toBe(200);
    expect(await send("PUT", root, { ...put, ...exists(true) })).toBe(200);
    expect(isMet("put-refused-read-and-repeated")).toBe(true);
  });

  it("distinguish items whose keys are in the path", async () => {
    emulator.profile.set({ "put-item-route": "PUT /items/{pk}[/{sk}]" });
    await send("PUT", `${root}/a/x`, { data: {} }, "dsk_demo_database_all");
    await send("PUT", `${root}/b/y`, { data: {}, ...exists(true) });
    expect(isMet("put-race-lost")).toBe(false);
    await send("PUT", `${root}/a/x`, { data: {}, ...exists(false) });
    expect(isMet("put-race-lost")).toBe(true);
    await send("GET", `${root}/a/x`);
    await send("PUT", `${root}/a/x`, { data: {}, ...exists(true) });
    expect(isMet("put-refused-read-and-repeated")).toBe(true);
  });

  it("distinguish databases", async () => {
    const other = "/api/v1/databases/db_other/items";
    emulator.reset({
      users: ["ada@acme.test"],
      databases: [
        { name: "one", id: "db_demo" },
        { name: "other", id: "db_other" },
      ],
      apiKeys: [{ key: "dsk_demo_all" }, { key: "dsk_second" }],
    });
    expect(await send("PUT", root, { pk: "a", data: {} }, "dsk_second")).toBe(200);
    expect(await send("PUT", other, { pk: "a", data: {}, ...exists(true) })).toBe(409);
    expect(isMet("put-race-lost")).toBe(false);
    expect(await send("PUT", root, { pk: "a", data: {}, ...exists(false) })).toBe(409);
    expect(isMet("put-race-lost")).toBe(true);
  });
});

it("looks for scenarios in requests and responses whose fields are very long", async () => {
  const headers = { Authorization: "Bearer dsk_demo_all", "Content-Type": "application/json" };
  const long = "x".repeat(15_000_000);
  const write = (clientRequestToken: string) =>
    emulator.fetch("/api/v1/databases/db_demo/items/transact/write", {
      method: "POST",
      headers,
      body: JSON.stringify({ items: [{ action: "Put", pk: "a", data: {} }], clientRequestToken }),
    });
  expect((await write("short")).status).toBe(200);
  expect((await write(long)).status).toBe(400);
});

it("closes an emulator whose coverage cannot be written", async () => {
  const emulator = await createEmulator();
  vi.stubEnv(coverageFolderVariable, fileURLToPath(import.meta.url));
  await expect(emulator.close()).rejects.toThrow("EEXIST");
  vi.unstubAllEnvs();
  await expect(emulator.listen()).rejects.toThrow("the emulator is closed");
});
