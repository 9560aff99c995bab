import { expect, it } from "vitest";
import { emulatorDefinedLimits } from "../../openapi/clauses/limits.js";
import { EvaluationLimitError, EvaluationBudget } from "../expressions/evaluation-budget.js";
import { parseCondition } from "../expressions/parse-condition.js";
import { parseJson } from "../json/parse-json.js";
import { measureCostRatio } from "../testing/measure-cost-ratio.js";
import { type EntityQuery, findEntities, listScannedFields, type ScannedEntity } from "./find-entities.js";

function query(filter: string | undefined, sortBy: string | undefined): EntityQuery {
  const expression = filter === undefined ? undefined : parseCondition(filter, "full");
  const evaluated = expression && { expression, values: { ":x": 1 } };
  return { filter: evaluated, sortBy, isDescending: false, work: new EvaluationBudget() };
}

const entities: readonly ScannedEntity[] = [5, 1, 4, 1, 3].map((v, index) => ({
  sequence: index + 1,
  data: JSON.stringify({ v, w: { v } }),
  entityId: `ent_${index}`,
  createdAt: 5 - index,
  updatedAt: 0,
}));

const scan = (visit: (entity: ScannedEntity) => void) => entities.forEach(visit);

it("finds a page, and counts the entries before it and in total", () => {
  const found = findEntities(scan, query("v > :x", "w.v"), undefined, 2, 10);
  expect(found).toEqual({
    page: [
      { value: 3, sequence: 5 },
      { value: 4, sequence: 3 },
    ],
    total: 3,
    before: 0,
  });
  const next = findEntities(scan, query("v > :x", "w.v"), { value: 4, sequence: 3 }, 5, 10);
  expect(next).toEqual({ page: [{ value: 5, sequence: 1 }], total: 3, before: 2 });
});

it("finds nothing below a system field", () => {
  const byTime = findEntities(scan, query("NOT attribute_exists(id.v)", "createdAt"), undefined, 1, 10);
  expect(byTime).toEqual({
    page: [{ value: "1970-01-01T00:00:00.001Z", sequence: 5 }],
    total: 5,
    before: 0,
  });
});

it.each<[sortBy: string, value: unknown]>([
  ["id", "ent_1"],
  ["createdAt", "1970-01-01T00:00:00.001Z"],
  ["updatedAt", "1970-01-01T00:00:00.002Z"],
  ["a.toString", 2],
  ["toString", undefined],
  ["a.b.c", parseJson("1.50", { maxDepth: 1 })],
  ["a.b.d", undefined],
  ["l.0", undefined],
  ["l.length", undefined],
  ["a..b", undefined],
])("sorts by %s", (sortBy, value) => {
  const data = '{"id":5,"a":{"b":{"c":1.50},"toString":2},"l":[1]}';
  const one = { sequence: 1, data, entityId: "ent_1", createdAt: 1, updatedAt: 2 };
  const { page } = findEntities((visit) => visit(one), query(undefined, sortBy), undefined, 1, 10);
  expect(page).toEqual([{ value, sequence: 1 }]);
});

it("reads only the fields that it needs", () => {
  expect(listScannedFields(query("v = :x", "w.createdAt"))).toEqual(["data"]);
  expect(listScannedFields(query("v = :x", "createdAt"))).toEqual(["data", "createdAt"]);
  expect(listScannedFields(query("updatedAt = :x OR id = :x", undefined))).toEqual(["updatedAt", "id"]);
  expect(listScannedFields(query(undefined, undefined))).toEqual([]);
});

it("reads the data once, for any number of filtered fields", () => {
  const members = (prefix: string) =>
    Object.fromEntries(Array.from({ length: 4000 }, (_, index) => [`${prefix}${index}`, index]));
  const wide = { ...members("m"), inner: members("i"), text: "x".repeat(50_000) };
  const one = { sequence: 1, data: JSON.stringify(wide), entityId: "ent_0", createdAt: 0, updatedAt: 0 };
  const find = (names: number, of: (name: number) => string) => {
    const filter = Array.from({ length: names }, (_, name) => `${of(name)} < :x`).join(" OR ");
    const asked = query(filter, undefined);
    return () =>
      findEntities((visit) => visit(one), { ...asked, work: new EvaluationBudget() }, undefined, 1, 10);
  };
  for (const of of [
    (name: number) => `absent${name}`,
    (name: number) => `inner.absent${name}`,
    (name: number) => (name < 0 ? "" : "text"),
  ])
    expect(measureCostRatio(find(5, of), find(150, of))).toBeLessThan(10);
});

it("limits the data that a query reads", () => {
  const names = Array.from({ length: 1000 }, (_, at) => `"k${at}":1`).join(",");
  const data = `{"v":[${"1,".repeat(2000)}1],"o":{${names}},"t":"${'\\"'.repeat(1000)}","w":1}`;
  const one = { sequence: 1, data, entityId: "", createdAt: 0, updatedAt: 0 };
  const find = (filter: string | undefined, sortBy: string | undefined, count: number, entity = one) => {
    const asked = query(filter, sortBy);
    asked.work.spend(emulatorDefinedLimits.evaluation.work - 2_000_000);
    return () =>
      findEntities(
        (visit) => {
          for (let sequence = 1; sequence <= count; sequence += 1) visit({ ...entity, sequence });
        },
        asked,
        undefined,
        1,
        10,
      );
  };
  const absent = (count: number, of: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => `${of(at)} = :x`).join(" OR ");
  for (const [filter, sortBy, most] of [
    ["w = :x", undefined, 80],
    [undefined, "absent", 80],
    ["v[1999] = :x", undefined, 40],
    [absent(4, (at) => `o.absent${at}`), undefined, 20],
    ["size(v) > :x", undefined, 20],
    ["size(o) > :x", undefined, 6],
    ["size(t) > :x", undefined, 30],
    [absent(17, (at) => `absent${at}`), undefined, 3],
  ] as const) {
    expect(find(filter, sortBy, most), filter).not.toThrow();
    expect(find(filter, sortBy, most * 5), filter).toThrow(EvaluationLimitError);
  }
  const empty = { ...one, data: "{}" };
  expect(find(undefined, "id", 10_000, empty)).not.toThrow();
  expect(find(undefined, "id", 50_000, empty)).toThrow(EvaluationLimitError);
});

it("limits the work of ordering by collections", () => {
  const list = (element: string) => (last: number) => `[${`${element},`.repeat(20_000)}${last}]`;
  const names = Array.from({ length: 10_000 }, (_, at) => `"k${(at * 7919) % 10_000}":1`).join(",");
  const members = (last: number) => `{${names},"z":${last}}`;
  const sort = (value: (last: number) => string, count: number) => {
    const many = Array.from({ length: count }, (_, at): ScannedEntity => {
      const data = `{"a":${value(count - ((at * 7) % count))}}`;
      return { sequence: at + 1, data, entityId: "", createdAt: 0, updatedAt: 0 };
    });
    return () => findEntities((visit) => many.forEach(visit), query(undefined, "a"), undefined, 20, 100);
  };
  const tooMany = [
    [list("1"), 40],
    [list("1.00"), 25],
    [members, 30],
  ] as const;
  for (const [value, count] of tooMany) {
    expect(sort(value, 3)().page.map(({ sequence }) => sequence)).toEqual([3, 2, 1]);
    expect(sort(value, count)).toThrow(EvaluationLimitError);
  }
  for (const value of [String, (at: number) => `[${at}]`, (at: number) => `{"b":${at}}`])
    expect(sort(value, 5000)().total).toBe(5000);
});
