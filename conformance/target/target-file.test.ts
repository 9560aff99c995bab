import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { capabilities, parseTargetFile, buildTargetSchema } from "./target-file.js";

const owner = { email: "owner@example.com", password: "long enough" };

function read(value: unknown, environment: Record<string, string> = {}) {
  return parseTargetFile(stringify(value), environment);
}

function listMistakes(text: string, environment: Record<string, string> = {}) {
  const answer = parseTargetFile(text, environment);
  return "mistakes" in answer ? answer.mistakes.map(({ place, detail }) => `${place}: ${detail}`) : [];
}

describe("a target file", () => {
  it("may be YAML or JSON", () => {
    const file = { baseUrl: "https://data.example.com", users: { owner } };
    expect(parseTargetFile(JSON.stringify(file), {})).toEqual({ file });
    expect(parseTargetFile(stringify(file), {})).toEqual({ file });
  });

  it("takes any text of the environment unchanged", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.nat(0x2fff).map((code) => String.fromCodePoint(code)), minLength: 6 }),
        (secret) => {
          const text = 'users: {owner: {email: "${WHO}@example.com", password: "${SECRET}"}}';
          expect(parseTargetFile(text, { SECRET: secret, WHO: "me" })).toEqual({
            file: {
              users: { owner: { email: "me@example.com", password: secret } },
              // the scripts in reports read secrets from variables with these names
              variables: { "users.owner.password": "SECRET" },
            },
          });
        },
      ),
    );
  });

  it("names variables that are unset or empty, with their place", () => {
    const text = 'users: {owner: {email: "${WHO}", password: "${SECRET}"}}\nregion: "${no good}$${kept}"';
    expect(listMistakes(text, { SECRET: "" })).toEqual([
      "users.owner.email: the environment variable WHO is not set; export it first",
      "users.owner.password: the environment variable SECRET is empty; export it first",
      'region: "${no good}" is not a reference to a variable; write ${NAME}',
    ]);
    const kept = parseTargetFile('{"users":{"owner":{"email":"a@b","password":"$${kept}"}}}', {});
    expect(kept).toEqual({ file: { users: { owner: { email: "a@b", password: "${kept}" } } } });
  });

  it.each([
    ["users: &u\n  owner: *u", "an alias refers to a value that contains it"],
    ["a: *b", "Unresolved alias (the anchor must be set before the alias): b"],
    [
      Array.from(
        { length: 9 },
        (_, n) =>
          `a${n}: &a${n} [${Array(9)
            .fill(n === 0 ? "1" : `*a${n - 1}`)
            .join()}]`,
      ).join("\n"),
      "the aliases expand to too many values",
    ],
  ])("refuses aliases that cannot be expanded", (text, reason) => {
    expect(listMistakes(text)).toEqual([`: not valid YAML or JSON: ${reason}`]);
  });

  it("refuses unknown fields and suggests known ones", () => {
    expect(
      listMistakes(
        JSON.stringify({
          baseURL: "https://data.example.com",
          users: { owner: { ...owner, pasword: "x" }, boss: owner },
          apiKeys: { "database:reed": "dsk_123456" },
          profile: { "put-item-rout": "POST /items" },
          timeouts: { zzz: 1 },
        }),
      ),
    ).toEqual([
      "baseURL: is not a known field; did you mean baseUrl?",
      "users.boss: is not a known field; the fields are owner, admin, member, readonly, outsider, unverified, mfa",
      "users.owner.pasword: is not a known field; did you mean password?",
      "apiKeys.database:reed: is not a known field; did you mean database:read?",
      "timeouts.zzz: is not a known field; the fields are requestMs, databaseReadyMs, outageMs, readLagMs, countLagMs",
      expect.stringMatching(
        /^profile\.put-item-rout: there is no gap with this name; did you mean .*put-item-route/,
      ),
    ]);
  });

  it.each([
    ["", ": must be an object, not null"],
    ["users: {}", "users.owner: is required"],
    ["users: {owner: {email: a}}", "users.owner.password: is required"],
    ["users: [", ": not valid YAML or JSON: line 1, column 9: "],
    [JSON.stringify({ users: { owner }, baseUrl: "localhost:4100" }), "baseUrl: must match ^https?://"],
    [
      JSON.stringify({ users: { owner }, capabilities: ["sqk"] }),
      `capabilities.0: must be one of ${Object.keys(capabilities)
        .map((name) => JSON.stringify(name))
        .join(", ")}`,
    ],
    [
      JSON.stringify({ users: { owner }, profile: { "validation-status": 500 } }),
      "profile.validation-status: 500 is not a valid answer; the valid answers are 400, 422, any other status from 400 to 499",
    ],
    [
      JSON.stringify({ users: { owner }, politeness: { requestsPerSecond: 0 } }),
      "politeness.requestsPerSecond: must be > 0",
    ],
  ])("refuses %j", (text, mistake) => {
    const [first] = listMistakes(text);
    expect(first).toContain(mistake);
  });

  it("never quotes a line of an unreadable file, which may contain a secret", () => {
    const mistakes = listMistakes('users: {owner: {password: "hunter22", email: [}');
    expect(mistakes.join()).not.toContain("hunter22");
    expect(mistakes).toHaveLength(1);
  });

  it("is accepted exactly if the published schema allows it", () => {
    const published = JSON.parse(
      readFileSync(new URL("../target.schema.json", import.meta.url), "utf8"),
    ) as object;
    expect(published).toEqual(buildTargetSchema());
    const isValid = new Ajv2020().compile(published);
    const something = fc.oneof(
      fc.constantFrom(1, 0, -1, 30_000, "text", "", "https://a.example", true, null, "create-databases"),
      fc.constantFrom({}, [], ["sql"], ["sql", "sql"], { owner }, { owner, mfa: owner }, { requestMs: 500 }),
      fc.constantFrom({ "*": "dsk_1234" }, { "validation-status": 422 }, { "validation-status": "422" }),
    );
    const members = Object.keys(buildTargetSchema().properties ?? {});
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...members, "other"), something), (given) => {
        const file = { users: { owner }, ...given };
        expect("file" in read(file), JSON.stringify(file)).toBe(isValid(file));
      }),
      { numRuns: 200 },
    );
  });
});
