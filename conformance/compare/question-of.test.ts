import { describe, expect, it } from "vitest";
import { buildDocument } from "../../openapi/document/document.js";
import { defaultProfile } from "../../openapi/gaps/profile.js";
import type { Exchange } from "../client/exchange.js";
import { questionOf } from "./question-of.js";
import type { Difference } from "./run-history.js";
import { AnswerSchemas } from "./schema-of-answer.js";

const schemas = new AnswerSchemas(buildDocument(defaultProfile));
const body = '{"entities":[{"id":"a","data":{}}],"nextCursor":null,"totalCount":1}';

/** A difference between two answers to a query of entities. */
function differenceAt(pointer: string, statuses: readonly [number, number] = [200, 200]): Difference {
  const exchange: Exchange = {
    caller: "owner",
    operationId: "queryEntities",
    request: { method: "POST", url: "/query", headers: {} },
    answer: { status: statuses[0], headers: {}, body },
  } as unknown as Exchange;
  return {
    operationId: "queryEntities",
    statuses,
    pointer,
    exchanges: [exchange, exchange],
  } as unknown as Difference;
}

const many = ["unknown-request-members", "page-limit-over", "scan-order", "query-total-count"].map(
  (gap) => `gaps/${gap}`,
);
const alike = () => 1;

describe("the question that a difference is about", () => {
  it("is the one that the contract has at the place, however many histories show it", () => {
    expect(questionOf(differenceAt("/totalCount"), many, alike, schemas)).toBe("query-total-count");
    const refused = differenceAt("status", [400, 422]);
    expect(questionOf(refused, ["gaps/query-total-count", "gaps/validation-status"], alike, schemas)).toBe(
      "validation-status",
    );
  });

  it("is none where histories of many questions show it, and the contract has none there", () => {
    expect(questionOf(differenceAt("/entities/0/data"), many, alike, schemas)).toBeUndefined();
    expect(questionOf(differenceAt("/totalCount"), ["entities/query"], alike, schemas)).toBe(undefined);
  });

  it("is that of the history that shows least beside it, where few do", () => {
    const kindsOf = (history: string) => (history === "gaps/entity-put" ? 1 : 5);
    const few = ["gaps/item-updated-at", "gaps/entity-put", "items/put-get-delete"];
    expect(questionOf(differenceAt("/entities/0/data"), few, kindsOf, schemas)).toBe("entity-put");
  });
});
