import { expect, it } from "vitest";
import { parseCondition } from "../expressions/parse-condition.js";
import { type EntityQuery, findEntities, needsSystemFields, type ScannedEntity } from "./find-entities.js";

const order = { descending: false, missing: "first" } as const;

function query(filter: string | undefined, sortBy: string | undefined): EntityQuery {
  const expression =
    filter === undefined ? undefined : parseCondition(filter, { grammar: "full", maxLength: 100 });
  return { filter: expression && { expression, values: { ":x": 1 } }, sortBy, order };
}

const entities: readonly ScannedEntity[] = [5, 1, 4, 1, 3].map((v, index) => ({
  sequence: index + 1,
  data: JSON.stringify({ v, w: { v } }),
  system: undefined,
}));

it("finds a page, and counts what comes before it and in all", () => {
  const found = findEntities(entities, query("v > :x", "w.v"), { skip: 1 }, 1, 10);
  expect(found).toEqual({ page: [{ value: 4, sequence: 3 }], total: 3, before: 1 });
  const next = findEntities(entities, query("v > :x", "w.v"), { after: { value: 4, sequence: 3 } }, 5, 10);
  expect(next).toEqual({ page: [{ value: 5, sequence: 1 }], total: 3, before: 2 });
});

it("knows when it needs the fields that the service sets", () => {
  expect(needsSystemFields(query("v = :x", "w.createdAt"))).toBe(false);
  expect(needsSystemFields(query("v = :x", "createdAt"))).toBe(true);
  expect(needsSystemFields(query("v = :x OR id = :x", "v"))).toBe(true);
  expect(needsSystemFields(query(undefined, undefined))).toBe(false);
});
