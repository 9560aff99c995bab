import { afterAll, beforeAll, describe, expect } from "vitest";
import { eachAnswer } from "../testing/each-answer.js";
import { beginItems, type ItemsClient, type SeenPage } from "../testing/items-client.js";
import { repositoryScene } from "../testing/repository-client.js";
import { type TestAnswer, type TestEmulator, testEmulator } from "../testing/test-client.js";

let running: TestEmulator;
beforeAll(async () => {
  running = await testEmulator();
});
afterAll(() => running.emulator.close());

const databases = "/api/v1/management/databases";

/** Items a to d of two partitions. */
async function fill(items: ItemsClient): Promise<void> {
  for (const pk of ["p", "q"]) for (const sk of ["a", "b", "c", "d"]) await items.put(pk, sk, { v: 1, w: 1 });
}

/** The sort keys on a page, or the status of a refusal. */
function shown({ status, body }: TestAnswer): string | number {
  return status === 200 ? (body as SeenPage).items.map(({ sk }) => sk).join("") : status;
}

const cursorOf = ({ body }: TestAnswer) => (body as SeenPage).nextCursor;

describe("a cursor of another query", () => {
  eachAnswer("cursor-of-other-query", "of items", async (answer, profile) => {
    const items = await beginItems(running, profile);
    await fill(items);
    const query = { partitionKey: "p", filterExpression: { v: 1 } };
    const cursor = cursorOf(await items.query({ ...query, limit: 2 }));
    const of = async (other: object) => shown(await items.query({ ...query, cursor, ...other }));
    expect(await of({})).toBe("cd");
    expect(await of({ limit: 1 })).toBe("c");
    // members of a filter have no order
    const filter = { filterExpression: { w: 1, v: 1 } };
    const twice = cursorOf(await items.query({ ...query, ...filter, limit: 2 }));
    expect(await of({ filterExpression: { v: 1, w: 1 }, cursor: twice })).toBe("cd");
    const ofFilter = answer === "refused" ? 400 : "cd";
    expect(await of(filter)).toBe(ofFilter);
    expect(await of({ filterExpression: undefined })).toBe(ofFilter);
    const taken = <Page>(page: Page) => (answer === "taken" ? page : 400);
    expect(await of({ partitionKey: "q" })).toBe(taken("cd"));
    expect(await of({ scanForward: false })).toBe(taken("a"));
    expect(await of({ sortKeyCondition: ">=:d" })).toBe(taken("d"));
    expect(await of({ sortKeyCondition: ">=:b" })).toBe(taken("cd"));
    expect(await of({ sortKeyCondition: "<=:a", scanForward: false })).toBe(taken("a"));
    const ofScan = cursorOf(await items.scan({ limit: 6 }));
    expect(shown(await items.scan({ cursor: ofScan }))).toBe("cd");
    expect(shown(await items.scan({ cursor: ofScan, filterExpression: { v: 1 } }))).toBe(ofFilter);
    // the list is another one
    expect(await of({ cursor: ofScan })).toBe(400);
  });

  eachAnswer("cursor-of-other-query", "of entities", async (answer, profile) => {
    const { owner, entities, emulator } = await repositoryScene(undefined, profile);
    // in the order of n: 0 to 5, of v: 5 3 1 4 2 0
    for (const [n, v] of [5, 2, 4, 1, 3, 0].entries()) await owner.post(entities, { data: { n, v } });
    const ask = async (body: object) => {
      const page = await owner.post(`${entities}/query`, body);
      const { entities: found } = page.body;
      const numbers = page.status === 200 && found.map(({ data }) => (data as { n: number }).n).join("");
      return { shown: numbers === false ? page.status : numbers, cursor: page.body.nextCursor };
    };
    const sorted = { sortBy: "v", filter: "v < :x", filterValues: { ":x": 6 } };
    const { cursor } = await ask({ ...sorted, limit: 3 });
    expect((await ask({ ...sorted, cursor })).shown).toBe("420");
    const ofFilter = (await ask({ ...sorted, filterValues: { ":x": 4 }, cursor })).shown;
    expect(ofFilter).toBe(answer === "refused" ? 400 : "4");
    const taken = (page: string) => (answer === "taken" ? page : 400);
    // the last entity of the page is the one of v 2 and n 1
    expect((await ask({ ...sorted, sortOrder: "desc", cursor })).shown).toBe(taken("35"));
    expect((await ask({ ...sorted, sortBy: "n", cursor })).shown).toBe(taken("2345"));
    expect((await ask({ cursor })).shown).toBe(taken("2345"));
    const whole = await ask({ limit: 4 });
    expect((await ask({ sortBy: "v", cursor: whole.cursor })).shown).toBe(taken("1420"));
    await emulator.close();
  });
});

describe("a text that is no cursor", () => {
  /** What a text leads to in each list: the first page, or a refusal. */
  async function led(items: ItemsClient, cursor: string): Promise<unknown[]> {
    const { owner, entities, emulator } = await repositoryScene(undefined, running.emulator.profile.get());
    await owner.post(entities, { data: {} });
    const answers = [
      await items.query({ partitionKey: "p", cursor }),
      await items.scan({ limit: 4, cursor }),
      await items.client.get(`${databases}?cursor=${cursor}`),
      await items.client.get(`${databases}/${items.databaseId}/repositories?cursor=${cursor}`),
      await owner.get(`${entities}?cursor=${cursor}`),
      await owner.post(`${entities}/query`, { cursor }),
      await owner.post(`${entities}/query`, { cursor, sortBy: "n" }),
    ];
    await emulator.close();
    const [query, scan, ...rest] = answers.map((each, index) => (index < 2 ? shown(each) : each.status));
    return [query, scan, ...rest];
  }
  const firstPages = ["abcd", "abcd", 200, 200, 200, 200, 200];
  const refusals = firstPages.map(() => 400);

  eachAnswer("unknown-cursor", "is refused or counts as none", async (answer, profile) => {
    const items = await beginItems(running, profile);
    await fill(items);
    const expected = answer === "refused" ? refusals : firstPages;
    expect(await led(items, "nothing")).toEqual(expected);
    expect(await led(items, cursorOf(await items.client.get(`${databases}?limit=1`)) ?? "x")).toEqual(
      // of the list of databases it is one
      expected.with(2, 200),
    );
    expect(await led(items, "")).toEqual(refusals);
  });

  eachAnswer("empty-cursor", "is refused or counts as none", async (answer, profile) => {
    const items = await beginItems(running, profile);
    await fill(items);
    expect(await led(items, "")).toEqual(answer === "refused" ? refusals : firstPages);
    expect(await led(items, "nothing")).toEqual(refusals);
  });
});
