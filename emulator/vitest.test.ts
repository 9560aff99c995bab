import type { expect as playwrightExpect } from "@playwright/test";
import { afterAll, describe, expect, it } from "vitest";
import { connectEmulator } from "./connect.js";
import { createEmulator, type EmulatorNamespace } from "./index.js";
import { dataServiceTest, test, useDataService } from "./vitest.js";

const headers = { Authorization: "Bearer dsk_demo_all", "Content-Type": "application/json" };
const items = "/api/v1/databases/db_demo/items";
const empty = dataServiceTest({ fixture: "empty", seed: 7 });
let preparations = 0;
const prepared = dataServiceTest({
  prepare: async (world) => {
    preparations += 1;
    await put(world, "prepared");
  },
});
const fromFile = dataServiceTest({ data: await stateWith("from-a-file") });

async function put({ fetch }: Pick<EmulatorNamespace, "fetch">, pk: string, text?: string): Promise<number> {
  const body = JSON.stringify({ pk, data: { text } });
  return (await fetch(items, { method: "PUT", headers, body })).status;
}

async function has({ fetch }: Pick<EmulatorNamespace, "fetch">, pk: string): Promise<boolean> {
  return (await fetch(`${items}/${pk}`, { headers })).status === 200;
}

describe("the test of data-service-emulator/vitest", () => {
  const worlds: EmulatorNamespace[] = [];

  test("gives a test a namespace with the demo fixture", async ({ dataService }) => {
    worlds.push(dataService);
    expect(dataService.name).toBe("gives-a-test-a-namespace-with-the-demo-fixture");
    expect(await put(dataService, "left")).toBe(200);
    dataService.clock.advance("P1D");
    dataService.fork("a-fork");
    expect(dataService.url).toBeUndefined();
  });

  test("gives the next test another namespace", async ({ dataService }) => {
    expect(await has(dataService, "left")).toBe(false);
    expect(dataService.clock.get().now).toMatch(/^2030-01-01T00:00/);
    // the namespace of the previous test and its fork no longer exist
    expect(dataService.fork("a-fork").name).toBe("a-fork");
    expect(worlds).toHaveLength(1);
  });

  test("has a URL", async ({ dataService, dataServiceUrl }) => {
    expect(await put(dataService, "here")).toBe(200);
    expect((await fetch(`${dataServiceUrl}${items}/here`, { headers })).status).toBe(200);
    expect(dataService.url).toBe(dataServiceUrl);
  });

  describe("with tests that run at the same time", () => {
    const names = new Set<string>();
    let atOnce = 0;
    let most = 0;
    afterAll(() => {
      expect(names.size).toBe(5);
      expect(most).toBeGreaterThan(1);
    });
    for (let number = 0; number < 5; number += 1)
      test.concurrent("separates namespaces", async ({ dataService, expect }) => {
        most = Math.max(most, (atOnce += 1));
        names.add(dataService.name);
        for (const step of [1, 2, 3]) {
          expect(await has(dataService, `step-${step}`)).toBe(false);
          await put(dataService, `step-${step}`);
          await new Promise((resolve) => setTimeout(resolve, 1));
        }
        expect(dataService.journal.entries()).toHaveLength(6);
        atOnce -= 1;
      });
  });

  describe("expects requests", () => {
    test("of an operation, with some of their fields", async ({ dataService }) => {
      await put(dataService, "a");
      await put(dataService, "b");
      await dataService.fetch(`${items}/none?unknown=1`, { headers });
      expect(dataService).toHaveReceived("putItem");
      expect(dataService).toHaveReceived("putItem", { body: { pk: "b" }, status: 200 });
      expect(dataService).toHaveReceived("putItem", { body: { data: expect.any(Object) as unknown } });
      expect(dataService).toHaveReceived("getItem", {
        method: "GET",
        path: `${items}/none`,
        query: { unknown: "1" },
        unknownFields: [],
        status: 404,
        response: { body: { title: "Item not found" } },
      });
      await dataService.fetch("/health?unknown=1");
      expect(dataService).toHaveReceived("getHealth", { unknownFields: ["?unknown"] });
      expect(dataService).not.toHaveReceived("putItem", { body: { pk: "c" } });
      // no body has this field, but every object inherits it
      const inherited = { body: { toString: expect.anything() as unknown } };
      expect(dataService).not.toHaveReceived("putItem", inherited);
      expect(dataService).not.toHaveReceived("deleteItem");
      expect(dataService).toHaveReceivedTimes("putItem", 2);
      expect(dataService).toHaveReceivedTimes("putItem", 1, { body: { pk: "a" } });
      expect(dataService).not.toHaveReceivedTimes("putItem", 1);
    });

    test("by their caller, as an object or only its id", async ({ dataService }) => {
      dataService.faults.create({ effect: { kind: "status" }, when: { count: 1 } });
      await put(dataService, "a");
      await put(dataService, "b");
      await dataService.fetch("/health");
      expect(dataService).toHaveReceivedTimes("putItem", 2, { caller: "key_demo_all" });
      expect(dataService).toHaveReceived("putItem", { caller: { kind: "apiKey" }, status: 503 });
      const id = expect.stringMatching(/^key_/) as ReturnType<typeof playwrightExpect.any>;
      expect(dataService).toHaveReceivedTimes("putItem", 2, { caller: { id } });
      expect(dataService).toHaveReceived("getHealth", { caller: null });
      expect(dataService).not.toHaveReceived("getHealth", { caller: "key_demo_all" });
      expect(dataService).not.toHaveReceived("putItem", { caller: "key_other" });
      // @ts-expect-error a status must be a number
      expect(dataService).not.toHaveReceived("putItem", { status: "200" });
      // @ts-expect-error a caller has no field for the API key itself
      expect(dataService).not.toHaveReceived("putItem", { caller: { key: "dsk_demo_all" } });
    });

    test("of a namespace over HTTP, with promises", async ({ dataServiceUrl }) => {
      const remote = await connectEmulator(dataServiceUrl);
      await remote.fetch("/health");
      const received: Promise<void> = expect(remote).toHaveReceived("getHealth");
      await received;
      await expect(async () => {
        await expect(remote).not.toHaveReceivedTimes("getHealth", 1);
      }).rejects.toThrow("not to have received getHealth 1 times");
    });

    test("rejects an unknown operation, and anything but a namespace", ({ dataService }) => {
      const misspelt = "puItem" as "putItem";
      const assert = () => expect(dataService).not.toHaveReceived(misspelt);
      const suggestion = /operationId: must be one of \d+ values; did you mean "putItem"\?/;
      expect(assert).toThrow(suggestion);
      const match = { operationId: misspelt };
      expect(() => dataService.faults.create({ match, effect: { kind: "drop" } })).toThrow(suggestion);
      let stack: string | undefined;
      try {
        assert();
      } catch (error) {
        ({ stack } = error as Error);
      }
      expect(stack).toContain("vitest.test.ts");
      expect(() => expect({ status: 200 }).not.toHaveReceived("putItem")).toThrow(
        /expected a namespace.*not \{ status: 200 \}/,
      );
    });

    test("rejects a field that requests do not have", async ({ dataService }) => {
      await dataService.fetch("/health");
      const misplaced = { data: 1 } as object;
      const names = Object.keys(dataService.journal.requests()[0] ?? {}).join(", ");
      const message = `\`data\` is not a field of a request (the fields are ${names});`;
      expect(() => expect(dataService).toHaveReceived("putItem", misplaced)).toThrow(message);
      expect(() => expect(dataService).not.toHaveReceived("putItem", misplaced)).toThrow(message);
      const any = expect.anything() as object;
      expect(() => expect(dataService).toHaveReceived("putItem", any)).toThrow("it received no putItem");
    });

    test("asserts nothing about requests that the journal does not have", async ({ dataService }) => {
      await put(dataService, "a", "x".repeat(100_000));
      const cut = /only the first 64 KiB of a body, and 1 putItem request had a longer body/;
      expect(() => expect(dataService).toHaveReceived("putItem", { body: { pk: "a" } })).toThrow(cut);
      expect(() => expect(dataService).not.toHaveReceived("putItem", { body: { pk: "b" } })).toThrow(cut);
      expect(dataService).toHaveReceived("putItem", { status: 200 });
      expect(dataService).not.toHaveReceived("putItem", { body: { pk: "b" }, status: 400 });
      await dataService.fetch("/health");
      for (let number = 0; number < 250; number += 1) await dataService.fetch("/health/live");
      const dropped = /no longer has the namespace's oldest requests \(2 dropped\)/;
      expect(() => expect(dataService).not.toHaveReceived("putItem")).toThrow(dropped);
      expect(() => expect(dataService).toHaveReceivedTimes("getLiveness", 250)).toThrow(dropped);
      expect(dataService).toHaveReceived("getLiveness");
      expect(dataService).not.toHaveReceivedTimes("getLiveness", 249);
      dataService.journal.clear();
      expect(dataService).not.toHaveReceived("putItem");
      const silent = await createEmulator({ journal: false });
      expect(() => expect(silent).not.toHaveReceived("putItem")).toThrow("records no requests");
      await silent.close();
    });

    test("shows the closest request, or what was received instead", async ({ dataService }) => {
      expect(() => expect(dataService).toHaveReceived("putItem")).toThrow(
        `expected namespace ${dataService.name} to have received putItem; it received no requests`,
      );
      await put(dataService, "a");
      await put(dataService, "ab");
      const failure = () =>
        expect(dataService).toHaveReceived("putItem", { body: { pk: "abc", data: {} }, status: 200 });
      expect(failure).toThrow(/received 2 putItem requests, 0 of them as expected\nthe closest request:/);
      expect(failure).toThrow(/- .*"pk": "abc"[^]*\+ .*"pk": "a"/);
      expect(() => expect(dataService).toHaveReceived("getItem")).toThrow(
        `it received no getItem request, but 2 other requests:\n  putItem: PUT ${items} → 200\n  putItem: PUT ${items} → 200`,
      );
      expect(() => expect(dataService).not.toHaveReceivedTimes("putItem", 2)).toThrow(
        "not to have received putItem 2 times; it received 2 putItem requests, 2 of them as expected:\n" +
          `  PUT ${items} → 200 { pk: 'a', data: {} }\n  PUT ${items} → 200 { pk: 'ab', data: {} }`,
      );
      const assertNone = () => expect(dataService).not.toHaveReceived("putItem", { body: { pk: "ab" } });
      expect(assertNone).toThrow(`1 of them as expected:\n  PUT ${items} → 200 { pk: 'ab', data: {} }`);
    });
  });

  empty("takes the options of createEmulator", ({ dataService }) => {
    expect(dataService.state()).toMatchObject({ fixture: "empty", seed: 7, counts: { databases: 0 } });
  });

  for (const again of [false, true])
    prepared(`begins with a copy of what was prepared${again ? ", once" : ""}`, async ({ dataService }) => {
      expect(preparations).toBe(1);
      expect(await has(dataService, "prepared")).toBe(true);
      expect(await has(dataService, "mine")).toBe(false);
      await put(dataService, "mine");
      // a reset restores the prepared data
      dataService.reset();
      expect([await has(dataService, "prepared"), await has(dataService, "mine")]).toEqual([true, false]);
      await put(dataService, "mine");
    });

  fromFile("begins with the data of a file", async ({ dataService }) => {
    expect(await has(dataService, "from-a-file")).toBe(true);
  });
});

describe("useDataService", () => {
  const dataService = useDataService({ listen: true });

  it("finds the namespace of the running test", async () => {
    expect(dataService().name).toBe("finds-the-namespace-of-the-running-test");
    await put(dataService(), "left");
    expect((await fetch(`${String(dataService().url)}${items}/left`, { headers })).status).toBe(200);
  });

  it("gives the next test another namespace", async () => {
    expect(await has(dataService(), "left")).toBe(false);
  });

  describe("with tests that run at the same time", () => {
    let begun = 0;
    for (const title of ["a", "b"])
      it.concurrent(`says that it cannot know the calling test: ${title}`, async ({ expect }) => {
        begun += 1;
        while (begun < 2) await new Promise((resolve) => setTimeout(resolve, 1));
        expect(() => dataService()).toThrow("several tests are running");
        // wait until both tests have started
        begun += 1;
        while (begun < 4) await new Promise((resolve) => setTimeout(resolve, 1));
      });
  });

  it("says that no test is running", () => {
    expect(outside).toContain("no test is running");
  });
  let outside = "";
  try {
    dataService();
  } catch (error) {
    outside = String(error);
  }
});

async function stateWith(pk: string): Promise<Uint8Array> {
  const emulator = await createEmulator();
  await put(emulator, pk);
  const bytes = emulator.export();
  await emulator.close();
  return bytes;
}
