import { describe, expect, it } from "vitest";
import { findGaps } from "./find-gaps.js";
import type { ResponseDifference } from "./run-history.js";

it("finds the gap of an observer only where no other history shows the difference", () => {
  const find = (...histories: readonly string[]) =>
    findGaps({ field: "items", step: {} } as unknown as ResponseDifference, new Set(histories));
  expect(find("gaps/page-limit-max")).toEqual(["page-limit-max"]);
  expect(find("gaps/page-limit-max", "gaps/page-limit-over")).toEqual([]);
  expect(find("items/pages")).toEqual([]);
});

it("finds the gap of an observer in a partial comparison only if the gap was named", () => {
  const difference = { field: "items", step: {} } as unknown as ResponseDifference;
  const find = (...selected: readonly string[]) =>
    findGaps(difference, new Set(["gaps/page-limit-max"]), selected);
  expect(find("put-item-route", "page-limit-max")).toEqual(["page-limit-max"]);
  expect(find("page-limit-over")).toEqual([]);
  expect(find()).toEqual([]);
});

it("finds the gap of a route", () => {
  const find = (operationId: string) =>
    findGaps({ field: "route", step: { operationId } } as unknown as ResponseDifference, new Set());
  expect(find("putItem")).toEqual(["put-item-route"]);
  expect(find("getPlan")).toEqual(["plan-route"]);
  expect(find("getItem")).toEqual([]);
});

describe("of a rejected value", () => {
  const rejected = {
    '{"limit":100}': ["page-limit-max", "page-limit-over"],
    // above every limit
    '{"limit":100001}': ["page-limit-over"],
    // every page may be this large
    '{"limit":20}': [],
    '{"limit":"100"}': [],
    "{}": [],
  };
  const find = (sent: string, [first, second]: readonly [number, number], text: string, query = "") => {
    const request = { url: `http://localhost/items${query}`, body: sent };
    const exchange = (status: number) => ({ request, answer: { status, body: status < 300 ? "{}" : text } });
    const exchanges = [[exchange(first), exchange(second)]];
    const difference = { field: "status", step: {}, statuses: [first, second], exchanges };
    return findGaps(difference as unknown as ResponseDifference, new Set());
  };

  it.each(Object.entries(rejected))("finds the gaps that limit %s", (sent, expected) => {
    expect(find(sent, [200, 422], '{"errors":[{"pointer":"/limit"}]}')).toEqual(expected);
    expect(find(sent, [400, 201], "limit is wrong")).toEqual(expected);
    expect(find(sent, [200, 422], '{"errors":[{"pointer":"/filter"}]}')).toEqual([]);
    expect(find(sent, [200, 429], "the limit is 3")).toEqual([]);
    expect(find(sent, [400, 422], "limit is wrong")).toEqual([]);
  });

  it("finds the gaps that limit a query parameter or the size of the body", () => {
    expect(find("", [400, 200], "limit is wrong", "?limit=100")).toEqual([
      "page-limit-max",
      "page-limit-over",
    ]);
    const bytes = 5 * 1024 * 1024;
    expect(find("x".repeat(bytes + 1), [200, 413], "")).toEqual(["request-bytes-max"]);
    expect(find("x".repeat(bytes + 1), [200, 400], "")).toEqual([]);
    expect(find("x".repeat(bytes), [200, 413], "")).toEqual([]);
  });
});
