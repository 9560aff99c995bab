import { describe, expect, it } from "vitest";
import { buildDocument } from "../../openapi/document/document.js";
import { defaultProfile } from "../../openapi/gaps/profile.js";
import type { Exchange } from "../client/exchange.js";
import { questionOf } from "./question-of.js";
import type { Difference } from "./run-history.js";
import { AnswerSchemas } from "./schema-of-answer.js";

const schemas = new AnswerSchemas(buildDocument(defaultProfile));
const body = '{"items":[{"pk":"a","sk":null,"data":{}}],"nextCursor":null,"count":1,"scannedCount":0}';

/** A difference between two answers to a query of items. */
function differenceAt(pointer: string, statuses: readonly [number, number] = [200, 200]): Difference {
  const exchange: Exchange = {
    caller: "owner",
    operationId: "queryItems",
    request: { method: "POST", url: "/query", headers: {} },
    answer: { status: statuses[0], headers: {}, body },
  } as unknown as Exchange;
  return {
    operationId: "queryItems",
    statuses,
    pointer,
    exchanges: [exchange, exchange],
  } as unknown as Difference;
}

const many = ["unknown-request-members", "page-limit-over", "sort-key-order", "scanned-count"].map(
  (gap) => `gaps/${gap}`,
);
const alike = () => 1;

describe("the question that a difference is about", () => {
  it("is the one that the contract has at the place, however many histories show it", () => {
    expect(questionOf(differenceAt("/scannedCount"), many, alike, schemas)).toBe("scanned-count");
    const refused = differenceAt("status", [400, 422]);
    expect(questionOf(refused, ["gaps/scanned-count", "gaps/validation-status"], alike, schemas)).toBe(
      "validation-status",
    );
  });

  it("is none where histories of many questions show it, and the contract has none there", () => {
    expect(questionOf(differenceAt("/items/0/data"), many, alike, schemas)).toBeUndefined();
    expect(questionOf(differenceAt("/scannedCount"), ["items/query-partition"], alike, schemas)).toBe(
      undefined,
    );
  });

  it("is that of the history that shows least beside it, where few do", () => {
    const kindsOf = (history: string) => (history === "gaps/created-at-on-replace" ? 1 : 5);
    const few = ["gaps/item-updated-at", "gaps/created-at-on-replace", "items/put-get-delete"];
    expect(questionOf(differenceAt("/items/0/data"), few, kindsOf, schemas)).toBe("created-at-on-replace");
  });
});
