import { expect, it } from "vitest";
import type { OpenAPIObject } from "openapi3-ts/oas31";
import type { Exchange } from "../../../conformance/client/exchange.js";
import { combinedChecks } from "../../../conformance/compare/combined-checks.js";
import { selectChecks } from "../../../conformance/run/select-checks.js";
import { countInputs, type PairCount } from "./count-inputs.js";
import { runForInputs } from "./run-for-inputs.js";

/** Tries of a property that a run has when nobody says otherwise. */
const runs = 10;

/** Pairs that no check tries together, each with the reason. */
const untried: Readonly<Record<string, string>> = {
  "batchWriteItems items: sk + filterValues": "the specification shows no condition in a batch",
  "batchWriteItems items: data + filterValues": "the specification shows no condition in a batch",
  "batchWriteItems items: conditionExpression + filterValues":
    "the specification shows no condition in a batch",
};

function nameOf({ request, pair }: PairCount): string {
  return `${request}: ${pair.join(" + ")}`;
}

it("a run sends every pair of optional members together, wide objects, long arrays and texts, and long fractions", async () => {
  const chosen = selectChecks([
    "items",
    "batches",
    "transactions",
    "SQL-17",
    "SQL-25",
    "REPO-33",
    "REPO-37",
    "REPO-38",
  ]);
  const { pairs, kinds, deepest } = await runForInputs(chosen, { seed: 1, runs });
  const requests = /Items|runSqlQuery|Entities$/;
  const never = pairs.filter(({ request, count }) => requests.test(request) && count === 0);
  expect(never.map(nameOf).sort()).toEqual(Object.keys(untried).sort());
  const largest = Object.fromEntries(kinds.map((kind) => [kind.kind, kind.largest]));
  expect(largest["wide object"]).toBeGreaterThan(200);
  expect(largest["long array"]).toBeGreaterThan(200);
  expect(largest["long text"]).toBeGreaterThan(1000);
  expect(largest["fraction of more than twelve digits"]).toBeGreaterThanOrEqual(16);
  expect(deepest).toBeGreaterThan(20);
}, 600_000);

it("the histories of a comparison have every pair of optional members of every operation", async () => {
  const some = selectChecks(["items", "databases", "repositories", "organizations"]);
  const { pairs } = await runForInputs([...combinedChecks, ...some], { seed: 1, runs: 1 });
  expect(pairs.length).toBeGreaterThan(50);
  expect(pairs.filter(({ count }) => count === 0).map(nameOf)).toEqual([]);
}, 600_000);

it("counts members that stand together in accepted requests alone, null ones left aside", () => {
  const document = {
    openapi: "3.1.0",
    info: { title: "t", version: "1" },
    paths: {
      "/things": {
        post: {
          operationId: "putThing",
          parameters: [
            { name: "a", in: "query" },
            { name: "b", in: "query" },
          ],
          requestBody: {
            content: { "application/json": { schema: { $ref: "#/components/schemas/Thing" } } },
          },
        },
      },
    },
    components: {
      schemas: {
        Thing: {
          type: "object",
          required: ["id"],
          properties: {
            id: { type: "string" },
            x: { type: "integer" },
            y: { type: "integer" },
            parts: { type: "array", items: { $ref: "#/components/schemas/Part" } },
          },
        },
        Part: { type: "object", properties: { p: { type: "integer" }, q: { type: "integer" } } },
      },
    },
  } as unknown as OpenAPIObject;
  const sent = (body: object, status = 200, query = "") =>
    ({
      operationId: "putThing",
      request: { method: "POST", url: `http://h/things${query}`, headers: {}, body: JSON.stringify(body) },
      answer: { status, headers: {}, body: "" },
    }) as unknown as Exchange;
  const { pairs, kinds, deepest } = countInputs(document, [
    sent({ id: "1", x: 1, y: 0.1234567890123 }, 200, "?a=1&b=2"),
    sent({ id: "1", x: 1, y: null }),
    sent({ id: "1", x: 1, y: 2 }, 400),
    sent({ id: "1", parts: [{ p: 1, q: 1 }, { p: 1 }, { p: 2, q: 2 }] }),
  ]);
  expect(Object.fromEntries(pairs.map((pair) => [nameOf(pair), pair.count]))).toEqual({
    "putThing: a + b": 1,
    "putThing: x + y": 1,
    "putThing: x + parts": 0,
    "putThing: y + parts": 0,
    "putThing parts: p + q": 2,
  });
  expect(kinds).toContainEqual({ kind: "fraction of more than twelve digits", count: 1, largest: 13 });
  expect(deepest).toBe(3);
});
