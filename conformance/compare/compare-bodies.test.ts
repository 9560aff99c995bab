import fc from "fast-check";
import { parse } from "lossless-json";
import { describe, expect, it } from "vitest";
import { buildDocument } from "../../openapi/document/document.js";
import { defaultProfile } from "../../openapi/gaps/profile.js";
import { type BodyComparisonContext, compareBodies } from "./compare-bodies.js";
import { ResponseSchemas } from "./response-schemas.js";
import { IdMapping } from "./id-mapping.js";

const schemas = new ResponseSchemas(buildDocument(defaultProfile));

let answers = 0;

function createContext(ids: IdMapping): BodyComparisonContext {
  return {
    ids,
    answer: answers++,
    caller: "owner",
    getCountSubject: () => undefined,
    belongsToRun: () => true,
    ignoresCounts: false,
    schemas,
    arePreexisting: () => false,
    namePrefix: "mark",
    isPage: false,
    isFiltered: false,
  };
}

function compare(
  operationId: Parameters<ResponseSchemas["getBodySchema"]>[0],
  first: unknown,
  second: unknown,
  ids = new IdMapping(),
  status = 200,
) {
  const [mine, theirs] = [first, second].map((body) => parse(JSON.stringify(body)));
  const place = schemas.getBodySchema(operationId, status);
  return compareBodies(mine, theirs, place, operationId, createContext(ids)).map(({ pointer }) => pointer);
}

const item = (data: unknown, createdAt: string, updatedAt: string) => ({
  pk: "p",
  sk: null,
  data,
  createdAt,
  updatedAt,
});

const time = (minutes: number) => new Date(Date.UTC(2030, 0, 1, 0, minutes)).toISOString();

describe("two responses are compared as the contract says", () => {
  it("data exactly, in any order of fields", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (data) => {
        const turned = Object.fromEntries(Object.entries(data).reverse());
        expect(compare("getItem", item(data, time(1), time(2)), item(turned, time(1), time(2)))).toEqual([]);
        const other = { ...data, "another member": 1 };
        expect(compare("getItem", item(data, time(1), time(2)), item(other, time(1), time(2)))).toEqual([
          "/data/another member",
        ]);
      }),
    );
  });

  it("timestamps only by their order", () => {
    const minutes = fc.uniqueArray(fc.nat(500), { minLength: 2, maxLength: 8 });
    fc.assert(
      fc.property(minutes, fc.integer({ min: 1, max: 9 }), (all, factor) => {
        const [alike, turned] = [new IdMapping(), new IdMapping()];
        const mismatches = (ids: IdMapping, of: (minute: number) => number) =>
          all.flatMap((minute) =>
            compare(
              "putItem",
              { pk: "p", sk: null, updatedAt: time(minute) },
              { pk: "p", sk: null, updatedAt: time(of(minute)) },
              ids,
            ),
          );
        expect(mismatches(alike, (minute) => 7 + factor * minute)).toEqual([]);
        expect(mismatches(turned, (minute) => 600 - minute)).toContain("/updatedAt");
      }),
    );
  });

  it("timestamps of one response not at all", () => {
    const batch = (...times: readonly string[]) => ({
      items: times.map((createdAt, sk) => ({
        pk: "p",
        sk: String(sk),
        data: {},
        createdAt,
        updatedAt: createdAt,
      })),
      nextCursor: null,
      count: times.length,
      scannedCount: times.length,
    });
    expect(compare("queryItems", batch(time(1), time(1)), batch(time(1), time(2)))).toEqual([]);
  });

  it("pages of lists without an order by the number of their entries", () => {
    const page = (...keys: readonly string[]) =>
      parse(JSON.stringify({ items: keys.map((sk) => ({ pk: "p", sk, data: {} })) }));
    const found = (first: unknown, second: unknown, isPage: boolean) =>
      compareBodies(first, second, schemas.getBodySchema("scanItems", 200), "scanItems", {
        ...createContext(new IdMapping()),
        isPage,
      });
    expect(found(page("a", "b"), page("c", "d"), true)).toEqual([]);
    expect(found(page("a", "b"), page("c"), true)).not.toEqual([]);
    expect(found(page("a", "b"), page("c", "d"), false)).not.toEqual([]);
  });

  it("ids by a one-to-one mapping for the rest of the run", () => {
    const ids = new IdMapping();
    const page = (...ids: readonly string[]) => ({
      entities: ids.map((id) => ({ id, data: {}, createdAt: time(1), updatedAt: time(1), version: 1 })),
      nextCursor: null,
      totalCount: ids.length,
    });
    expect(compare("listEntities", page("a", "b"), page("x", "y"), ids)).toEqual([]);
    expect(compare("listEntities", page("b", "a"), page("y", "x"), ids)).toEqual([]);
    // entries for different ids are a single difference of the list
    expect(compare("listEntities", page("a"), page("y"), ids)).toEqual(["/entities"]);
    expect(compare("listEntities", page("c"), page("x"), ids)).toEqual(["/entities"]);
  });

  it("an entry whose key has another type as the same entry", () => {
    const page = (sk: string | null) => ({ items: [{ pk: "p", sk, data: {} }], nextCursor: null });
    expect(compare("queryItems", page(null), page(""))).toEqual(["/items/0/sk"]);
    expect(compare("queryItems", page("a"), page("b"))).toEqual(["/items"]);
  });

  it("the number of entries once, at the list", () => {
    const page = (count: number, ...keys: readonly string[]) => ({
      items: keys.map((sk) => ({ pk: "p", sk, data: {} })),
      nextCursor: null,
      count,
      scannedCount: 9,
    });
    expect(compare("queryItems", page(2, "a", "b"), page(1, "a"))).toEqual(["/items"]);
    expect(compare("queryItems", page(2, "a", "b"), page(1, "a", "b"))).toEqual(["/count"]);
  });

  it("the number of failures once, at the list of errors", () => {
    const failure = { pk: "p", sk: null, error: "no data" };
    const result = (...errors: readonly object[]) => ({
      successCount: 2,
      failedCount: errors.length,
      errors: errors.length === 0 ? null : errors,
    });
    expect(compare("batchWriteItems", result(), result(failure))).toEqual(["/errors"]);
  });

  it("a timestamp only with its first counterpart", () => {
    const ids = new IdMapping(1000);
    expect([ids.bindInstants(0, 0, 1), ids.bindInstants(1, 5000, 1)]).toEqual([true, true]);
    expect(ids.bindInstants(0, 0, 2)).toBe(true);
    expect(ids.bindInstants(1, 9000, 3)).toBe(false);
  });

  it("data with what each target was sent", () => {
    const ids = new IdMapping();
    ids.addSent("2027-05-06T07:08:09.100Z", "2030-01-01T00:00:00.070Z");
    const item = (at: string) => ({ pk: "p", sk: null, data: { at } });
    const page = (at: string) => ({ items: [item(at)], nextCursor: null });
    const [mine, theirs] = [page("2027-05-06T07:08:09.100Z"), page("2030-01-01T00:00:00.070Z")];
    expect(compare("queryItems", mine, theirs, ids)).toEqual([]);
    expect(compare("queryItems", theirs, mine, ids)).toEqual(["/items/0/data/at"]);
  });

  it("all fields with other names as one difference", () => {
    const [mine, theirs] = [
      { mine: 1, both: 1 },
      { theirs: 1, both: 2 },
    ].map((data) => item(data, time(1), time(2)));
    expect(compare("getItem", mine, theirs)).toEqual(["/data", "/data/both"]);
  });

  it("sent values as themselves", () => {
    const ids = new IdMapping();
    ids.addSent("ours");
    const organization = (slug: string, id: string) => ({
      organizations: [{ organizationId: id, organizationName: slug, role: "owner", joinedAt: time(1) }],
    });
    expect(compare("listOrganizations", organization("n", "ours"), organization("n", "ours"), ids)).toEqual(
      [],
    );
    expect(
      compare("listOrganizations", organization("n", "ours"), organization("n", "theirs"), ids),
    ).not.toEqual([]);
  });

  it("lists without an order as collections, and those with one entry by entry", () => {
    const tables = (...names: readonly string[]) => ({
      tables: names.map((name) => ({ name, rowCount: name.length, createdAt: time(1) })),
    });
    const items = (...keys: readonly string[]) => ({
      items: keys.map((sk) => ({ pk: "p", sk, data: {} })),
      nextCursor: null,
      count: keys.length,
      scannedCount: keys.length,
    });
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 2, maxLength: 6 }), (names) => {
        const turned = names.toReversed();
        expect(compare("listSqlTables", tables(...names), tables(...turned))).toEqual([]);
        expect(compare("listSqlTables", tables(...names), tables(...names.slice(1)))).not.toEqual([]);
        expect(compare("scanItems", items(...names), items(...turned))).toEqual([]);
        expect(compare("queryItems", items(...names), items(...turned))).not.toEqual([]);
      }),
      { numRuns: 30 },
    );
  });

  it("prose by its presence, and fields that only one response has", () => {
    const problem = { type: "https://a.example/b", title: "No", status: 400, detail: "No." };
    const other = { type: "about:blank", title: "Nope", status: 400, detail: "Not at all." };
    const found = (first: unknown, second: unknown) =>
      compare("getItem", first, second, new IdMapping(), 404);
    expect(found(problem, other)).toEqual([]);
    expect(found(problem, { ...other, status: 404 })).toEqual(["/status"]);
    const less = { type: other.type, title: other.title, status: other.status };
    expect(found(problem, less)).toEqual(["/detail"]);
  });

  it("generated suffixes after the last hyphen as a value of each side", () => {
    const slugs = (first: string, second: string) =>
      compare("getOrganization", { slug: first }, { slug: second });
    expect(slugs("acme-tea", "acme-tea")).toEqual([]);
    expect(slugs("acme-tea-b5myfn", "acme-tea-4mvwa3")).toEqual([]);
    expect(slugs("acme-tea", "acme")).toEqual(["/slug"]);
    expect(slugs("acme-tea-2", "acmetea-2")).toEqual(["/slug"]);
    expect(slugs("acme", "emca")).toEqual(["/slug"]);
  });

  it("values without meaning by whether they conform to the contract", () => {
    const [whole, other, path] = ["https://pay.example/c/1", "http://127.0.0.1:4100/c/2", "/c/1"];
    expect(compare("createCheckout", { checkoutUrl: whole }, { checkoutUrl: other })).toEqual([]);
    expect(compare("createCheckout", { checkoutUrl: whole }, { checkoutUrl: path })).toEqual([
      "/checkoutUrl",
    ]);
    const rows = (executionTimeMs: number) => ({ rows: [], rowCount: 0, executionTimeMs });
    expect(compare("runSqlQuery", rows(3), rows(17))).toEqual([]);
    expect(compare("runSqlQuery", rows(3), rows(0.5))).toEqual(["/executionTimeMs"]);
  });
});
