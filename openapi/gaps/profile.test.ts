import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { getSampleAnswers, gapIds } from "./register.js";
import { buildProfileSchema } from "./profile-schema.js";
import { completeProfile, defaultProfile, isGapId } from "./profile.js";

describe("completeProfile", () => {
  it("fills in the default answers", () => {
    expect(completeProfile({})).toEqual({ profile: defaultProfile });
    expect(completeProfile({ "validation-status": 422 })).toEqual({
      profile: { ...defaultProfile, "validation-status": 422 },
    });
  });

  it("allows $schema in a profile file", () => {
    expect(completeProfile({ $schema: "./profile.schema.json" })).toEqual({ profile: defaultProfile });
  });

  it.each([
    ["attributeValues", true],
    ["conditionExpression", false],
    ["a-b", false],
  ])("takes %s as the member with the values of a condition: %s", (name, isTaken) => {
    const completed = completeProfile({ "condition-values": name });
    expect("profile" in completed && completed.profile["condition-values"] === name).toBe(isTaken);
    const isValid = new Ajv2020({ strict: false }).compile(buildProfileSchema())({
      "condition-values": name,
    });
    expect(isValid).toBe(isTaken);
  });

  it("does not modify its input", () => {
    const given = Object.freeze({ $schema: "./profile.schema.json", "database-ready": 250 });
    expect(completeProfile(given)).toHaveProperty("profile.database-ready", 250);
    expect(given).toHaveProperty("$schema");
  });

  it.each([null, [], "strict", 7, undefined])("rejects %j, which is not an object", (given) => {
    expect(completeProfile(given)).toEqual({
      mistakes: [{ gap: "", detail: "a profile must be a JSON object that maps gap ids to answers" }],
    });
  });

  it("names an unknown gap and similar known ones", () => {
    expect(completeProfile({ "validation-code": 422 })).toEqual({
      mistakes: [
        {
          gap: "validation-code",
          detail: "there is no gap with this name; did you mean validation-status?",
        },
      ],
    });
    expect(completeProfile({ zebra: 1 })).toEqual({
      mistakes: [{ gap: "zebra", detail: "there is no gap with this name" }],
    });
  });

  it.each(["toString", "__proto__", "constructor"])("does not treat %s as a gap", (name) => {
    expect(isGapId(name)).toBe(false);
    expect(completeProfile(JSON.parse(`{"${name}": 1}`))).toHaveProperty("mistakes.0.gap", name);
  });

  it.each([
    [
      "validation-status",
      500,
      "500 is not a valid answer; the valid answers are 400, 422, any other status from 400 to 499",
    ],
    [
      "validation-status",
      "400",
      '"400" is not a valid answer; the valid answers are 400, 422, any other status from 400 to 499',
    ],
    [
      "list-tables-route",
      "GET /tables",
      '"GET /tables" is not a valid answer; the valid answers are "GET /databases/{databaseId}/sql/tables", ' +
        '"GET /databases/{databaseId}/tables", "<METHOD> <path>" with GET or POST and {databaseId} in the path',
    ],
    [
      "page-limit-max",
      0,
      "0 is not a valid answer; the valid answers are a whole number of entries from 20 to 100000",
    ],
    [
      "page-limit-max",
      2.5,
      "2.5 is not a valid answer; the valid answers are a whole number of entries from 20 to 100000",
    ],
    [
      "database-ready",
      "soon",
      '"soon" is not a valid answer; the valid answers are "next-request", a whole number of milliseconds from 1 to 600000',
    ],
  ])("lists the answers of %s when it is given %j", (gap, answer, detail) => {
    expect(completeProfile({ [gap]: answer })).toEqual({ mistakes: [{ gap, detail }] });
  });

  it("reports every mistake at once", () => {
    const completed = completeProfile({ zebra: 1, "error-body": "html", "validation-status": 422 });
    expect(completed).toHaveProperty("mistakes.length", 2);
  });
});

describe("buildProfileSchema", () => {
  const validate = new Ajv2020({ allowUnionTypes: true }).compile(buildProfileSchema());

  it("equals the published schema", () => {
    const published = readFileSync(new URL("../profile.schema.json", import.meta.url), "utf8");
    expect(JSON.parse(published)).toEqual(buildProfileSchema());
  });

  it.each(gapIds)("accepts every answer of %s", (id) => {
    for (const answer of getSampleAnswers(id)) expect(validate({ [id]: answer })).toBe(true);
  });

  it("accepts exactly what completeProfile accepts", () => {
    const answer = fc.oneof(
      fc.constantFrom(...gapIds.flatMap((id): unknown[] => [...getSampleAnswers(id)])),
      fc.integer({ min: -1, max: 200_000 }),
      fc.array(fc.oneof(fc.string(), fc.integer()), { maxLength: 2 }),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(fc.constantFrom<string>(...gapIds, "$schemas", "zebra"), answer, (id, given) => {
        expect(validate({ [id]: given })).toBe("profile" in completeProfile({ [id]: given }));
      }),
    );
  });
});
