import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { defaultProfile } from "../../../openapi/gaps/profile.js";
import { createRequestMutations } from "./fuzz-mutations.js";
import { buildFuzzContract } from "./fuzz-contract.js";
import { type FuzzRequest, decodeUtf8BinaryString } from "./fuzz-request.js";
import { createFuzzRequestArbitrary } from "./fuzz-requests.js";
import { LiveState } from "./live-state.js";

describe("requests of the fuzzer", () => {
  /** The values and the names in the bodies, by the field that they stand in. */
  const texts = new Map<string, string[]>();
  let names: readonly string[] = [];
  let requests: readonly FuzzRequest[] = [];

  beforeAll(() => {
    const live = new LiveState();
    const source = { contract: buildFuzzContract(defaultProfile), live, stateFile: "" };
    const made = fc.tuple(createFuzzRequestArbitrary(source), createRequestMutations(live));
    requests = fc.sample(fc.noBias(made.map(([request, change]) => change(request))), {
      seed: 1,
      numRuns: 12_000,
    });
    const seen = new Set<string>();
    const note = (name: string, text: string) => texts.set(name, [...(texts.get(name) ?? []), text]);
    for (const { body, target } of requests) {
      const search = target.split("?").slice(1).join("&");
      for (const [name, text] of new URLSearchParams(search)) note(name, text);
      try {
        JSON.parse(decodeUtf8BinaryString(body ?? ""), (name, value: unknown) => {
          seen.add(name);
          if (typeof value === "string") note(name, value);
          return value;
        });
      } catch {
        // a file, nothing, or no JSON any more
      }
    }
    names = [...seen];
  });

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

  it("store long values and evaluate long conditions on them", () => {
    const bodies = requests.map(({ body }) => decodeUtf8BinaryString(body ?? ""));
    expect(bodies.some((body) => body.includes('"pk":"long"') && body.length > 50_000)).toBe(true);
    expect(bodies.some((body) => body.includes('"pk":"long"') && /(?:a <> b OR ){50}/.test(body))).toBe(true);
  });
});
