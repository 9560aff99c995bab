import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { History, SharedValue, Step } from "./history.js";
import { Translation, ValueNotShown } from "./translation.js";

const token = fc.stringMatching(/^[A-Za-z0-9_-]{24,60}$/);

/** Translates for a target that has another text for each of the shared values. */
function translation(shared: Readonly<Record<string, string>>, values: readonly string[] = []): Translation {
  const key = (of: string) => ({ from: "key", of }) as unknown as SharedValue;
  const history: History = {
    id: "",
    title: "",
    needs: [],
    steps: [],
    values: new Set(values),
    recording: {
      run: "run000",
      baseUrl: "http://localhost",
      shared: new Map(Object.keys(shared).map((text) => [text, key(text)])),
    },
  };
  return new Translation(history, "run001", (value) =>
    Promise.resolve(shared["of" in value ? value.of : ""]),
  );
}

describe("a recorded request is translated for a target", () => {
  it("has the values of the target, and the mark of the execution in names", async () => {
    const { body, text } = {
      body: '{"a":"recorded","b":"run000-1","c":["recorded"],"d":"\\u0041"}',
      text: "recorded",
    };
    const known = translation({ recorded: 'he"re' });
    expect(await known.text(text)).toBe('he"re');
    expect(await known.body(body, false)).toBe(
      '{"a":"he\\"re","b":"run001-1","c":["he\\"re"],"d":"\\u0041"}',
    );
    expect(await known.target("/items/recorded?x=run000-2")).toBe("/items/he%22re?x=run001-2");
  });

  it("alters a token of the target where the recorded one was altered", async () => {
    await fc.assert(
      fc.asyncProperty(token, token, fc.nat(59), async (recorded, here, at) => {
        const place = at % recorded.length;
        const altered = `${recorded.slice(0, place)}!${recorded.slice(place + 1)}`;
        const headers = { Authorization: `Bearer ${altered}` };
        const { Authorization: translated } = await translation({ [recorded]: here }).headers(headers);
        // a text that has too little in common with the token is none
        if (translated === `Bearer ${altered}`) return;
        expect(translated).toContain("!");
        expect(translated).toHaveLength("Bearer ".length + here.length);
      }),
    );
  });

  it("translates addresses in capitals", async () => {
    const known = translation({ "owner@certify.test": "olivia@acme.example" });
    expect(await known.text("OWNER@CERTIFY.TEST")).toBe("OLIVIA@ACME.EXAMPLE");
  });

  it("takes what an answer of the target shows, and fails for what it has not shown", async () => {
    const known = translation({}, ["db_1"]);
    await expect(known.text("db_1")).rejects.toThrow(ValueNotShown);
    const step = { shows: [{ pointer: "/databaseId", value: "db_1" }], kind: "call" } as unknown as Step;
    known.learn(step, { databaseId: "other" });
    expect(await known.text("db_1")).toBe("other");
    expect(known.hasLearned("other")).toBe(true);
  });
});
