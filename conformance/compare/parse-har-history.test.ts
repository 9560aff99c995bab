import fc from "fast-check";
import { expect, it } from "vitest";
import { getOpenContract } from "../client/contracts.js";
import { RunError } from "../client/violation.js";
import { parseHarHistory } from "./parse-har-history.js";
import { ResponseSchemas } from "./answer-schemas.js";

const schemas = new ResponseSchemas(getOpenContract().document);
const parse = (value: unknown) => parseHarHistory(JSON.stringify(value), "odd.har", schemas);
const read = (value: unknown) => ({ steps: parse(value).histories.flatMap(({ steps }) => steps) });
const entry = {
  request: {
    method: "POST",
    url: "http://localhost/auth/password",
    headers: [{ name: "Content-Type", value: "application/json" }],
    postData: { text: '{"email":"a@b.test","password":"p"}' },
  },
  response: { status: 200, headers: [{ name: "x", value: "1" }], content: { text: "{}" } },
};
const odd = fc.constantFrom<unknown>(
  null,
  5,
  true,
  "text",
  [],
  {},
  [null],
  [{}],
  [{ name: "a b", value: "1" }],
);
const places = [
  "request",
  "response",
  "request/method",
  "request/url",
  "request/headers",
  "request/postData",
];
const more = ["request/postData/text", "response/status", "response/headers", "response/content"];

/** The entry with another value at a place. */
function changed(place: string, value: unknown): unknown {
  const copy = structuredClone(entry) as Record<string, unknown>;
  const names = place.split("/");
  const last = names.pop() ?? "";
  const parent = names.reduce((at, name) => at[name] as Record<string, unknown>, copy);
  parent[last] = value;
  return copy;
}

it("reads a recording, or says what is wrong with it", () => {
  expect(read({ log: { entries: [null, {}, entry] } }).steps).toHaveLength(1);
  fc.assert(
    fc.property(fc.constantFrom(...places, ...more, "response/content/text"), odd, (place, value) => {
      try {
        read({ log: { entries: [changed(place, value)] } });
      } catch (error) {
        expect(error).toBeInstanceOf(RunError);
      }
    }),
    { numRuns: 300 },
  );
});

/** An entry that queries a database. */
const query = (databaseId: string, answer: unknown) => ({
  request: {
    method: "POST",
    url: `http://localhost/databases/${databaseId}/sql/query`,
    headers: [],
    postData: { text: "{}" },
  },
  response: { status: 200, headers: [], content: { text: JSON.stringify(answer) } },
});

it("replaces only databases that no answer has shown before", () => {
  const shown = { items: [{ databaseId: "db_new12" }] };
  const { steps } = read({
    log: { entries: [query("db_old", shown), query("db_new12", {}), query("db_new", {})] },
  });
  expect(steps.map(({ placeholders }) => placeholders.map(({ recorded }) => recorded))).toEqual([
    ["db_old", "db_old"],
    [],
    ["db_new", "db_new"],
  ]);
});
