import { expect, it } from "vitest";
import type { Exchange } from "../client/exchange.js";
import { maxKeptCharacters } from "../client/recorder.js";
import { Cause } from "./causes.js";
import type { ResponseDifference } from "./run-history.js";

it("keeps only the start of long bodies, and the clauses that whole bodies break", () => {
  const exchange = (body: string) =>
    ({
      request: { method: "GET", url: "/items/a", headers: {}, body: undefined },
      answer: { status: 200, headers: { "content-type": "application/json" }, body },
    }) as unknown as Exchange;
  const item = { pk: "a", sk: null, createdAt: "2030-01-01T00:00:00Z", updatedAt: "2030-01-01T00:00:00Z" };
  const whole = exchange(JSON.stringify({ data: { long: "x".repeat(1_000_000) }, ...item }));
  const broken = exchange(JSON.stringify({ data: { long: "x".repeat(1_000_000) }, ...item, pk: 5 }));
  const cause = new Cause("Item.pk");
  cause.add({
    history: { id: "items/put-get-delete" },
    step: { operationId: "getItem" },
    statuses: [200, 200],
    field: "Item.pk",
    pointer: "/pk",
    exchanges: [[whole, broken]],
  } as unknown as ResponseDifference);
  expect(cause.listBrokenClauses(0)).toEqual([]);
  expect(cause.listBrokenClauses(1)).toEqual(["ITEM-12"]);
  for (const { answer } of cause.examples.flatMap(({ exchanges }) => exchanges.flat()))
    expect(answer?.body.length).toBeLessThan(maxKeptCharacters + 100);
});
