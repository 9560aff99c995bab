import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonText } from "./json-text.arbitrary.js";
import { isJsonObject, memberEntries, memberOf } from "./json-value.js";
import { memberReader } from "./member-reader.js";
import { readJson } from "./read-json.js";
import { writeJson } from "./write-json.js";

const maxDepth = 100;
const runs = Number(process.env.PROPERTY_RUNS ?? 500);

describe("memberReader", () => {
  it("reads the members asked for and no others", () => {
    const read = memberReader(["b", "missing", "d"], maxDepth);
    const members = read('{"a":"x\\"}","b":{"b":[1]},"c":[{"d":1},"]"],"d":"\\\\","e":2}');
    expect([...members]).toEqual([
      ["b", { b: [1] }],
      ["d", "\\"],
    ]);
  });

  it("reads nothing of an empty object, and nothing when asked for nothing", () => {
    expect(memberReader(["a"], maxDepth)("{}").size).toBe(0);
    expect(memberReader([], maxDepth)('{"a":1}').size).toBe(0);
  });

  it("reads what the whole reading gives", () => {
    fc.assert(
      fc.property(jsonText, fc.infiniteStream(fc.boolean()), ({ compact }, chosen) => {
        const whole = readJson(compact, { maxDepth });
        fc.pre(isJsonObject(whole));
        const all = [...memberEntries(whole)].map(([name]) => name);
        const names = all.filter(() => chosen.next().value);
        const members = memberReader([...names, "not there"], maxDepth)(writeJson(whole));
        expect([...members.keys()]).toEqual(names);
        for (const [name, value] of members)
          expect(writeJson(value)).toBe(writeJson(memberOf(whole, name) ?? null));
      }),
      { numRuns: runs },
    );
  });
});
