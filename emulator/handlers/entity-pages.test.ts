import { limits } from "../../openapi/clauses/limits.js";
import { encodeCursor } from "../domain/cursor.js";
import { afterEach, describe, expect, it } from "vitest";
import { eachAnswer } from "../testing/each-answer.js";
import {
  type RepositoryResponse,
  createRepositoryTestSetup,
  type RepositoryTestSetup,
} from "../testing/repository-client.js";

let scene: RepositoryTestSetup;
afterEach(() => scene.emulator.close());

const query = (body: object) => scene.owner.post(`${scene.entities}/query`, body);

/** Creates an entity for each value of the field `v` (undefined omits the field); returns their ids in order. */
async function createEntities(values: readonly unknown[]): Promise<string[]> {
  const ids: string[] = [];
  for (const [n, v] of values.entries()) {
    const { body } = await scene.owner.post(scene.entities, { data: { n, v } });
    ids.push(body.id);
  }
  return ids;
}

/** Returns the field `n` of each entity in a response. */
function getNumbers({ body }: RepositoryResponse): number[] {
  return body.entities.map(({ data }) => (data as { n: number }).n);
}

/** Returns all pages of a query; calls `between` after each page. */
async function readPages(
  body: object,
  between: () => Promise<unknown> = () => Promise.resolve(),
): Promise<number[][]> {
  const all: number[][] = [];
  for (let cursor: string | null = null; ;) {
    const answer: RepositoryResponse = await query({ ...body, cursor });
    all.push(getNumbers(answer));
    cursor = answer.body.nextCursor;
    if (cursor === null) return all;
    await between();
  }
}

it("rejects a cursor whose sort value is longer than any stored value", async () => {
  scene = await createRepositoryTestSetup();
  await createEntities([1, 2, 3]);
  const repositoryId = scene.entities.split("/").at(-1) ?? "";
  const scope = `entity-query/${repositoryId}/${JSON.stringify(["v", false, null, null])}`;
  const ask = (value: unknown) =>
    query({ sortBy: "v", limit: 1, cursor: encodeCursor(scope, [1, JSON.stringify(value)]) });
  expect((await ask(0)).status).toBe(200);
  expect((await ask(Array.from({ length: limits.itemBytes }, () => 0))).status).toBe(400);
});

describe("list", () => {
  it("[REPO-33] [REPO-34] [REPO-35] returns pages of 20 without a limit, and counts all", async () => {
    scene = await createRepositoryTestSetup();
    await createEntities(Array.from({ length: 23 }, () => 0));
    const first = await scene.owner.get(scene.entities);
    expect(getNumbers(first)).toHaveLength(20);
    const second = await scene.owner.get(`${scene.entities}?cursor=${first.body.nextCursor}`);
    expect([...getNumbers(first), ...getNumbers(second)]).toEqual(Array.from({ length: 23 }, (_, n) => n));
    expect([first.body.totalCount, second.body.totalCount, second.body.nextCursor]).toEqual([23, 23, null]);
    expect(getNumbers(await scene.owner.get(`${scene.entities}?limit=2`))).toEqual([0, 1]);
    expect((await scene.owner.get(`${scene.entities}?limit=23`)).body.nextCursor).toBe(null);
    expect(getNumbers(await query({}))).toHaveLength(20);
  });

  it("keeps its place when entities are created and deleted", async () => {
    scene = await createRepositoryTestSetup();
    const ids = await createEntities([0, 0, 0, 0, 0]);
    const first = await scene.owner.get(`${scene.entities}?limit=2`);
    await scene.owner.delete(`${scene.entities}/${ids[0]}`);
    await scene.owner.delete(`${scene.entities}/${ids[1]}`);
    await scene.owner.delete(`${scene.entities}/${ids[4]}`);
    await createEntities([0]);
    const second = await scene.owner.get(`${scene.entities}?cursor=${first.body.nextCursor}`);
    expect(getNumbers(second)).toEqual([2, 3, 0]);
  });

  it.each(["?limit=0", "?limit=1001", "?limit=x", "?cursor=", "?cursor=MGh4"])("refuses %s", async (text) => {
    scene = await createRepositoryTestSetup();
    expect((await scene.owner.get(scene.entities + text)).status).toBe(400);
  });

  eachAnswer("entity-list-order", "orders lists, and queries without sortBy", async (answer, profile) => {
    scene = await createRepositoryTestSetup(undefined, profile);
    await createEntities([0, 0, 0]);
    const expected = answer === "oldest-first" ? [0, 1, 2] : [2, 1, 0];
    expect(getNumbers(await scene.owner.get(scene.entities))).toEqual(expected);
    const filtered = { filter: "v = :v", filterValues: { ":v": 0 }, limit: 1 };
    expect((await readPages({ limit: 1 })).flat()).toEqual(expected);
    expect((await readPages(filtered)).flat()).toEqual(expected);
    const { nextCursor } = (await scene.owner.get(`${scene.entities}?limit=1`)).body;
    expect(getNumbers(await scene.owner.get(`${scene.entities}?cursor=${nextCursor}`))).toEqual(
      expected.slice(1),
    );
  });
});

describe("filter", () => {
  it("[REPO-36] [REPO-37] returns the entities whose field has the value, with the exact count", async () => {
    scene = await createRepositoryTestSetup();
    await createEntities(["a", "b", "a", 1, "1", null, undefined, true, ["a"], { a: 1 }]);
    const filter = "v = :x";
    const with_ = async (x: unknown) => getNumbers(await query({ filter, filterValues: { ":x": x } }));
    expect(await with_("a")).toEqual([0, 2]);
    expect(await with_(1)).toEqual([3]);
    expect(await with_("1")).toEqual([4]);
    expect(await with_(null)).toEqual([5]);
    expect(await with_(true)).toEqual([7]);
    expect(await with_(["a"])).toEqual([8]);
    expect(await with_({ a: 1 })).toEqual([9]);
    const { body } = await query({ filter, filterValues: { ":x": "a" }, limit: 1 });
    expect(body.totalCount).toBe(2);
    expect(body.nextCursor).not.toBe(null);
  });

  it("compares every digit", async () => {
    scene = await createRepositoryTestSetup();
    for (const v of ["9007199254740993", "9007199254740992", "1.0", "1"])
      await scene.owner.request("POST", scene.entities, { rawBody: `{"data":{"n":${v},"v":${v}}}` });
    const ask = async (x: string) => {
      const rawBody = `{"filter":"v = :x","filterValues":{":x":${x}}}`;
      return (await scene.owner.request("POST", `${scene.entities}/query`, { rawBody })).body.totalCount;
    };
    expect([await ask("9007199254740993"), await ask("1.00"), await ask("9007199254740994")]).toEqual([
      1, 2, 0,
    ]);
  });

  it("uses id, createdAt and updatedAt even if data fields have these names", async () => {
    scene = await createRepositoryTestSetup();
    const [id] = await createEntities([0, 1]);
    const { body } = await scene.owner.post(scene.entities, { data: { n: 2, id, createdAt: "x" } });
    const find = async (filter: string, value: unknown) =>
      getNumbers(await query({ filter, filterValues: { ":x": value } }));
    expect(await find("id = :x", id)).toEqual([0]);
    expect(await find("createdAt >= :x", body.createdAt)).toEqual([2]);
    expect(await find("updatedAt < :x", body.updatedAt)).toEqual([0, 1]);
    expect(getNumbers(await query({ sortBy: "createdAt", sortOrder: "desc" }))).toEqual([2, 1, 0]);
  });

  it.each([
    [{ filter: "v = :x" }, "/filterValues"],
    [{ filter: "v = :x", filterValues: { x: 1 } }, "/filterValues"],
    [{ filter: "v = = :x", filterValues: { ":x": 1 } }, "/filter"],
    [{ filter: "" }, "/filter"],
    [{ filter: 5 }, "/filter"],
    [{ sortBy: "v", sortOrder: "up" }, "/sortOrder"],
    [{ limit: 0 }, "/limit"],
    [{ cursor: "x" }, "/cursor"],
  ])("refuses %j", async (body, pointer) => {
    scene = await createRepositoryTestSetup();
    const answer = await query(body);
    expect(answer.status).toBe(400);
    expect(answer.body.errors[0]?.pointer).toBe(pointer);
  });

  eachAnswer("unknown-query-fields", "are fields like others, or refused", async (answer, profile) => {
    const schema = {
      n: { type: "number" },
      at: { type: "object", properties: { city: { type: "string" } } },
      free: { type: "object" },
    };
    scene = await createRepositoryTestSetup(schema, profile);
    await scene.owner.post(scene.entities, { data: { n: 1, at: { city: "a" }, free: { v: 1 } } });
    await scene.owner.post(scene.entities, { data: { n: 2, more: 1 } });
    const found = async (body: object, pointer: string) => {
      const shown = await query(body);
      return shown.status === 200
        ? getNumbers(shown)
        : [shown.status, shown.body.errors[0]?.pointer === pointer];
    };
    const filtered = (filter: string) => found({ filter, filterValues: { ":v": 1, ":t": "a" } }, "/filter");
    const sorted = (sortBy: string) => found({ sortBy }, "/sortBy");
    const unless = (whenSearched: readonly number[]) => (answer === "searched" ? whenSearched : [400, true]);
    expect(await filtered("n = :v")).toEqual([1]);
    expect(await filtered("at.city = :t")).toEqual([1]);
    expect(await filtered("free.v = :v")).toEqual([1]);
    expect(await filtered("id = :t OR n = :v")).toEqual([1]);
    // entities may have fields that the schema does not define
    expect(await filtered("more = :v")).toEqual(unless([2]));
    expect(await filtered("nowhere = :v")).toEqual(unless([]));
    expect(await filtered("n = :v AND NOT attribute_exists(at.street)")).toEqual(unless([1]));
    expect(await filtered("size(m) > :v")).toEqual(unless([]));
    for (const known of ["n", "at.city", "free.v", "createdAt"])
      expect((await sorted(known)).toSorted()).toEqual([1, 2]);
    expect(await sorted("more")).toEqual(unless([1, 2]));
    expect(await sorted("at.street")).toEqual(unless([1, 2]));
    await scene.emulator.close();
    scene = await createRepositoryTestSetup(undefined, profile);
    await createEntities([1, 2]);
    const withoutSchema = (found: readonly number[]) => (answer === "declared-only" ? [400, true] : found);
    expect(await filtered("v = :v")).toEqual(withoutSchema([0]));
    expect(await sorted("nowhere")).toEqual(withoutSchema([0, 1]));
    expect(await sorted("createdAt")).toEqual([0, 1]);
  });

  it("counts the matching entities on all pages", async () => {
    scene = await createRepositoryTestSetup();
    await createEntities([1, 2, 2, 2]);
    const filtered = { filter: "v = :v", filterValues: { ":v": 2 }, limit: 2 };
    const first = (await query(filtered)).body;
    const second = (await query({ ...filtered, cursor: first.nextCursor })).body;
    expect([first, second].map(({ totalCount }) => totalCount)).toEqual([3, 3]);
    expect((await query({ sortBy: "v", limit: 1 })).body.totalCount).toBe(4);
  });

  eachAnswer("repository-filter-grammar", "decides which filters there are", async (answer, profile) => {
    scene = await createRepositoryTestSetup(undefined, profile);
    await createEntities([1, 2, 3]);
    const filterValues = { ":x": 2, ":y": 3 };
    expect(getNumbers(await query({ filter: "v = :x", filterValues }))).toEqual([1]);
    const full = await query({ filter: "v >= :x AND NOT v = :y OR size(n) = :x", filterValues });
    if (answer === "full") expect(getNumbers(full)).toEqual([1]);
    else expect(full.status).toBe(400);
  });
});

describe("sorting", () => {
  const mixed = ["b", 2, undefined, null, [1], true, { a: 1 }, "a", 10, false, "\u{1f375}", "\uffee"];
  const ascending = [3, 9, 5, 1, 8, 7, 0, 11, 10, 4, 6];

  it("[REPO-38] orders values of every type, and desc is the reverse", async () => {
    scene = await createRepositoryTestSetup();
    await createEntities(mixed);
    expect((await readPages({ sortBy: "v", limit: 5 })).flat()).toEqual([2, ...ascending]);
    const reversed = [2, ...ascending].reverse();
    expect((await readPages({ sortBy: "v", sortOrder: "desc", limit: 5 })).flat()).toEqual(reversed);
  });

  it("reaches nested fields, and breaks ties by age", async () => {
    scene = await createRepositoryTestSetup();
    await createEntities([{ a: { b: 2 } }, { a: { b: 1 } }, { a: { b: 2 } }]);
    expect(getNumbers(await query({ sortBy: "v.a.b" }))).toEqual([1, 0, 2]);
    expect(getNumbers(await query({ sortBy: "v.a.b", sortOrder: "desc" }))).toEqual([2, 0, 1]);
  });

  it("sorts strings by their UTF-8 bytes", async () => {
    scene = await createRepositoryTestSetup();
    await createEntities(["b", "B", "a", "Ä", "ä", "C", "", 1, ["b"], ["B"], "c"]);
    const expected = [7, 6, 1, 5, 2, 0, 10, 3, 4, 9, 8];
    for (const limit of [1, 3, 20]) {
      expect((await readPages({ sortBy: "v", limit })).flat()).toEqual(expected);
      const descending = (await readPages({ sortBy: "v", sortOrder: "desc", limit })).flat();
      expect(descending).toEqual(expected.toReversed());
    }
  });

  eachAnswer(
    "sort-order-default",
    "decides which way sortBy goes without sortOrder",
    async (answer, profile) => {
      scene = await createRepositoryTestSetup(undefined, profile);
      await createEntities([2, 1, 3]);
      expect(getNumbers(await query({ sortBy: "v" }))).toEqual(
        answer === "ascending" ? [1, 0, 2] : [2, 0, 1],
      );
      expect(getNumbers(await query({ sortBy: "v", sortOrder: "asc" }))).toEqual([1, 0, 2]);
      expect(getNumbers(await query({ sortBy: "v", sortOrder: "desc" }))).toEqual([2, 0, 1]);
      expect(getNumbers(await query({}))).toEqual([0, 1, 2]);
    },
  );
});

describe("cursors of sorted pages", () => {
  const long = (last: string) => "x".repeat(5000) + last;

  it("keep their place under writes, for values of any length", async () => {
    for (const make of [(last: string) => last, long]) {
      scene = await createRepositoryTestSetup();
      const ids = await createEntities(["a", "b", "c", "d", "e"].map(make));
      let round = 0;
      const all = await readPages({ sortBy: "v", limit: 2 }, async () => {
        round += 1;
        // delete the last entity on the page, and create one before it and one after it
        if (round === 1) await scene.owner.delete(`${scene.entities}/${ids[1]}`);
      });
      expect(all.flat()).toEqual([0, 1, 2, 3, 4]);
      await scene.emulator.close();
    }
    scene = await createRepositoryTestSetup();
  });

  it("continue after a changed entity, wherever it moves", async () => {
    scene = await createRepositoryTestSetup();
    const ids = await createEntities(["a", "b", "c", "d"]);
    const all = await readPages({ sortBy: "v", limit: 2 }, () =>
      scene.owner.put(`${scene.entities}/${ids[1]}`, { data: { n: 9, v: "z" } }),
    );
    expect(all).toEqual([[0, 1], [2, 3], [9]]);
  });

  it("can be sent again for the longest values", async () => {
    scene = await createRepositoryTestSetup();
    const longest = (last: string) => `${'"'.repeat(195_000)}${last}`;
    await createEntities([longest("a"), longest("b"), longest("c")]);
    expect(await readPages({ sortBy: "v", sortOrder: "desc", limit: 1 })).toEqual([[2], [1], [0]]);
  });

  it("belong only to their query", async () => {
    scene = await createRepositoryTestSetup();
    await createEntities([1, 2, 3]);
    const body = { sortBy: "v", filter: "v > :x", filterValues: { ":x": 0 }, limit: 1 };
    const cursor = (await query(body)).body.nextCursor;
    expect((await query({ ...body, cursor })).status).toBe(200);
    expect((await query({ ...body, cursor, limit: 2 })).status).toBe(200);
    for (const other of [
      { sortBy: "n" },
      { sortOrder: "desc" },
      { filterValues: { ":x": 1 } },
      { filter: "v >= :x" },
    ])
      expect((await query({ ...body, cursor, ...other })).status).toBe(400);
  });
});

describe("pages of large entities", () => {
  it("end after 16 MiB, whatever their limit", async () => {
    scene = await createRepositoryTestSetup();
    await createEntities(Array.from({ length: 47 }, () => "x".repeat(390_000)));
    const list = (cursor: string | null) =>
      scene.owner.get(`${scene.entities}?limit=100${cursor === null ? "" : `&cursor=${cursor}`}`);
    for (const read of [
      list,
      (cursor: string | null) => query({ limit: 100, cursor }),
      (cursor: string | null) => query({ limit: 100, cursor, sortBy: "n", sortOrder: "asc" }),
    ]) {
      const first = await read(null);
      expect(getNumbers(first)).toHaveLength(44);
      const second = await read(first.body.nextCursor);
      expect(getNumbers(second)).toEqual([44, 45, 46]);
      expect(second.body.nextCursor).toBe(null);
    }
  });
});
