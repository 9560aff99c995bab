import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { listExampleRequests } from "../growth/example-requests.js";
import { type FuzzRequest, decodeText } from "./fuzz-request.js";
import { drawRequest } from "./fuzz-requests.js";
import { KnownValues } from "./known-values.js";
import { mutateRequest } from "./mutate-request.js";

describe("requests of the fuzzer", () => {
  /** The values in the bodies by field, and the names of the fields. */
  const texts = new Map<string, string[]>();
  let names: readonly string[] = [];
  let requests: readonly FuzzRequest[] = [];

  beforeAll(() => {
    const demoRequests = listExampleRequests();
    const known = new KnownValues(demoRequests);
    const source = { demoRequests, known, token: "token", stateFile: "" };
    const draws = fc.sample(fc.noBias(fc.gen()), { seed: 1, numRuns: 8000 });
    requests = draws.map((draw) => mutateRequest(draw, drawRequest(draw, source), known));
    const seen = new Set<string>();
    const note = (name: string, text: string) => {
      const noted = texts.get(name) ?? [];
      noted.push(text);
      texts.set(name, noted);
    };
    for (const { body, target } of requests) {
      const search = target.split("?").slice(1).join("&");
      for (const [name, text] of new URLSearchParams(search)) note(name, text);
      try {
        JSON.parse(decodeText(body ?? ""), (name, value: unknown) => {
          seen.add(name);
          if (typeof value === "string") note(name, value);
          return value;
        });
      } catch {
        // a file, nothing, or no JSON any more
      }
    }
    names = [...seen];
  }, 120_000);

  it.each([
    "pk",
    "sk",
    "name",
    "conditionExpression",
    "sql",
    "filter",
    "sortKeyCondition",
    "email",
    "cursor",
  ])("have invisible characters in %s", (name) => {
    expect(texts.get(name)?.some((text) => /[\ufeff\u200b-\u200f\u202e\u2060\u2066]/u.test(text))).toBe(true);
  });

  it("include texts that begin with a byte order mark", () => {
    expect([...texts.values()].flat().some((text) => text.startsWith("\ufeff"))).toBe(true);
  });

  it("include control characters in field names", () => {
    expect(names.some((name) => /[\u0000-\u001f\u007f-\u009f]/.test(name))).toBe(true);
  });

  it("store long and deep values, and evaluate long conditions", () => {
    const bodies = requests.map(({ body }) => decodeText(body ?? ""));
    const has = (pattern: RegExp) => bodies.some((body) => pattern.test(body));
    expect(bodies.some((body) => body.includes('"data":') && body.length > 50_000)).toBe(true);
    expect(has(/"data":.*\[{50}/)).toBe(true);
    expect(has(/"conditionExpression":"(?:a=:b OR ){50}/)).toBe(true);
  });
});
