import { describe, expect, it } from "vitest";
import { buildDocument, buildOpenDocument } from "../document/document.js";
import { defaultProfile } from "../gaps/profile.js";
import { ContractValidator } from "./contract-validator.js";
import type { Violation } from "./violation.js";

const strict = new ContractValidator(buildDocument(defaultProfile));
const open = new ContractValidator(buildOpenDocument());
const rejecting = new ContractValidator(
  buildDocument({ ...defaultProfile, "unknown-request-fields": "reject" }),
);

const json = "application/json; charset=utf-8";
const problemJson = "application/problem+json";
const item = {
  pk: "customer#17",
  sk: null,
  data: { total: 42.5 },
  createdAt: "2030-01-01T00:00:00.000Z",
  updatedAt: "2030-01-01T00:00:00.000Z",
};
const notFound = {
  type: "https://data-service.example/problems/item-not-found",
  title: "Item not found",
  status: 404,
  detail: "There is no item with the partition key customer#17.",
};

/** Returns violations without their schema keyword, which is redundant here. */
function omitKeywords(violations: readonly Violation[]) {
  return violations.map(({ in: place, pointer, detail }) => ({ in: place, pointer, detail }));
}

function request(operationId: string, body: unknown, query: Record<string, string> = {}) {
  return omitKeywords(strict.validateRequest(operationId, { path: {}, query, body }));
}

function response(
  operationId: string,
  status: number,
  body: unknown,
  headers: Record<string, string> = { "content-type": json },
  validator = strict,
) {
  return omitKeywords(
    validator.validateResponse(operationId, { status, header: (name) => headers[name], body }),
  );
}

describe("requests", () => {
  it("accepts a body with all fields, and with only the required ones", () => {
    const put = { pk: "a", sk: "b", data: {}, conditionExpression: "total > :min", filterValues: {} };
    expect(request("putItem", put)).toEqual([]);
    expect(request("putItem", { pk: "a", data: { nested: [1, "x", null, { deep: true }] } })).toEqual([]);
  });

  it("names every wrong place", () => {
    expect(request("putItem", { pk: "", sk: 7 })).toEqual([
      { in: "body", pointer: "/data", detail: "is required" },
      { in: "body", pointer: "/pk", detail: "must not be empty" },
      { in: "body", pointer: "/sk", detail: "must be a string or null, not the number 7" },
    ]);
  });

  it.each([
    [[], "an array"],
    [null, "null"],
    [true, "true"],
    ["text", "a string"],
    [5, "the number 5"],
  ])("rejects the body %j, which is not an object", (body, name) => {
    expect(request("putItem", body)).toEqual([
      { in: "body", pointer: "", detail: `must be an object, not ${name}` },
    ]);
  });

  it("requires a body if the operation has one, and ignores it otherwise", () => {
    expect(request("putItem", undefined)).toEqual([
      { in: "body", pointer: "", detail: "a JSON body is required" },
    ]);
    expect(request("getItem", undefined)).toEqual([]);
  });

  it.each([
    ["ab", "must have at least 3 characters"],
    ["a".repeat(64), "must have at most 63 characters"],
    ["Orders", "must match ^[a-z][a-z0-9-]*$"],
    ["1orders", "must match ^[a-z][a-z0-9-]*$"],
  ])("refuses the database name %s", (name, detail) => {
    expect(request("createDatabase", { name, region: "eu-west-1" })).toEqual([
      { in: "body", pointer: "/name", detail },
    ]);
  });

  it("leaves unknown fields to the profile", () => {
    const body = { pk: "a", data: {}, "a/b~c": 1 };
    expect(request("putItem", body)).toEqual([]);
    expect(open.validateRequest("putItem", { path: {}, query: {}, body })).toEqual([]);
    expect(omitKeywords(rejecting.validateRequest("putItem", { path: {}, query: {}, body }))).toEqual([
      { in: "body", pointer: "/a~1b~0c", detail: "is not a known field" },
    ]);
  });

  it.each(["1", "1000", "020"])("accepts limit=%s", (limit) => {
    expect(request("listDatabases", undefined, { limit })).toEqual([]);
  });

  it.each([
    ["0", "must be >= 1"],
    ["-1", "must be >= 1"],
    ["1001", "must be <= 1000"],
    ["", "must be a whole number, not a string"],
    ["ten", "must be a whole number, not a string"],
    ["1.5", "must be a whole number, not a string"],
    ["1e3", "must be a whole number, not a string"],
  ])("refuses limit=%s", (limit, detail) => {
    expect(request("listDatabases", undefined, { limit })).toEqual([
      { in: "query", pointer: "/limit", detail },
    ]);
  });

  it("accepts requests without page parameters, and refuses an empty cursor", () => {
    expect(request("listDatabases", undefined)).toEqual([]);
    expect(request("listDatabases", undefined, { cursor: "" })).toEqual([
      { in: "query", pointer: "/cursor", detail: "must not be empty" },
    ]);
  });

  it("requires required query parameters", () => {
    const validator = new ContractValidator({
      openapi: "3.1.0",
      info: { title: "One operation", version: "1" },
      paths: {
        "/things": {
          get: {
            operationId: "listThings",
            parameters: [{ name: "colour", in: "query", required: true, schema: { type: "string" } }],
            responses: {},
          },
        },
      },
    });
    expect(
      omitKeywords(validator.validateRequest("listThings", { path: {}, query: {}, body: undefined })),
    ).toEqual([{ in: "query", pointer: "/colour", detail: "the parameter is required" }]);
  });
});

describe("responses", () => {
  it("accepts a documented response", () => {
    expect(response("getItem", 200, item)).toEqual([]);
    expect(response("getItem", 404, notFound, { "content-type": problemJson })).toEqual([]);
    expect(response("deleteItem", 204, undefined, {})).toEqual([]);
  });

  it("refuses an undeclared status", () => {
    expect(response("getItem", 201, item)).toEqual([
      { in: "status", pointer: "", detail: "status 201 is not declared" },
    ]);
    expect(response("getItem", 500, item, {}, open)).toEqual([
      { in: "status", pointer: "", detail: "status 500 is not declared" },
    ]);
  });

  it("refuses another content type, and none", () => {
    expect(response("getItem", 200, item, { "content-type": "text/html" })).toEqual([
      { in: "header", pointer: "/Content-Type", detail: 'must be application/json, not "text/html"' },
    ]);
    expect(response("getItem", 404, notFound, {})).toEqual([
      { in: "header", pointer: "/Content-Type", detail: 'must be application/problem+json, not ""' },
    ]);
  });

  it("accepts content types in any case", () => {
    expect(response("getItem", 200, item, { "content-type": "Application/JSON ;charset=UTF-8" })).toEqual([]);
  });

  it("refuses a 401 without WWW-Authenticate", () => {
    const body = {
      ...notFound,
      type: "https://data-service.example/problems/unauthenticated",
      title: "A valid credential is required",
      status: 401,
    };
    const headers = { "content-type": problemJson };
    expect(response("getItem", 401, body, { ...headers, "www-authenticate": "Bearer" })).toEqual([]);
    expect(response("getItem", 401, body, headers)).toEqual([
      { in: "header", pointer: "/WWW-Authenticate", detail: "the header is missing" },
    ]);
  });

  it("refuses an undeclared field, unless the document is the open one", () => {
    const body = { ...item, version: 3 };
    expect(response("getItem", 200, body)).toEqual([
      { in: "body", pointer: "/version", detail: "is not a known field" },
    ]);
    expect(response("getItem", 200, body, { "content-type": json }, open)).toEqual([]);
  });

  it("refuses a missing field, in both documents", () => {
    const body = Object.fromEntries(Object.entries(item).filter(([name]) => name !== "updatedAt"));
    for (const validator of [strict, open])
      expect(response("getItem", 200, body, { "content-type": json }, validator)).toEqual([
        { in: "body", pointer: "/updatedAt", detail: "is required" },
      ]);
  });

  it("refuses a wrong type deep inside, in both documents", () => {
    const page = {
      items: [
        { pk: "a", sk: "b", data: {} },
        { pk: "a", sk: "c", data: [] },
      ],
    };
    for (const validator of [strict, open])
      expect(
        response(
          "queryItems",
          200,
          { ...page, nextCursor: null, count: 2, scannedCount: 2.5 },
          { "content-type": json },
          validator,
        ),
      ).toEqual([
        { in: "body", pointer: "/items/1/data", detail: "must be an object, not an array" },
        { in: "body", pointer: "/scannedCount", detail: "must be a whole number, not the number 2.5" },
      ]);
  });

  it("refuses unlisted words and values other than the only one", () => {
    expect(response("login", 200, { status: "Maybe", authResponse: null })).toEqual([
      {
        in: "body",
        pointer: "/status",
        detail:
          'must be one of "Success", "InvalidCredentials", "EmailVerificationRequired", "MfaRequired", "Error"',
      },
    ]);
    expect(response("getHealth", 200, { status: "Unhealthy" })).toEqual([
      { in: "body", pointer: "/status", detail: 'must be "Healthy"' },
    ]);
  });

  it("refuses a problem body whose status or type differs from the response", () => {
    const wrong = { ...notFound, status: 400, type: "https://data-service.example/problems/conflict" };
    expect(response("getItem", 404, wrong, { "content-type": problemJson })).toEqual([
      { in: "body", pointer: "/type", detail: expect.stringContaining("must be one of") as string },
      { in: "body", pointer: "/status", detail: "must be 404" },
    ]);
  });

  it("refuses a problem body of a kind that other operations have with the status", () => {
    const header = { "content-type": problemJson };
    const other = { ...notFound, type: "https://data-service.example/problems/entity-not-found" };
    expect(response("getEntity", 404, other, header)).toEqual([]);
    expect(response("getItem", 404, other, header)).toEqual([
      {
        in: "body",
        pointer: "/type",
        detail: expect.stringMatching(/must be .*item-not-found, not .*entity-not-found/) as string,
      },
    ]);
  });

  it.each([
    ["2030-01-01T00:00:00Z", 1, 0],
    ["2030-01-01T00:00:00.000+00:00", 1, 0],
    ["2030-01-01T00:00:00.000+02:00", 1, 1],
    ["yesterday", 1, 1],
  ])("holds the timestamp %s to the form of the document", (createdAt, inStrict, inOpen) => {
    const body = { ...item, createdAt };
    expect(response("getItem", 200, body)).toHaveLength(inStrict);
    expect(response("getItem", 200, body, { "content-type": json }, open)).toHaveLength(inOpen);
  });

  it("requires an empty body for 204 and a body for 200", () => {
    expect(response("deleteItem", 204, {})).toEqual([
      { in: "body", pointer: "", detail: "the body must be empty" },
    ]);
    expect(response("getItem", 200, undefined)).toEqual([
      { in: "body", pointer: "", detail: "must be an object, not nothing" },
    ]);
  });

  it("accepts any refusal with any body in the open document", () => {
    expect(response("getItem", 418, "<p>no</p>", { "content-type": "text/html" }, open)).toEqual([]);
    expect(response("getItem", 404, undefined, {}, open)).toEqual([]);
  });
});

it("throws for an operation that the document does not have", () => {
  expect(() => request("teleport", {})).toThrow("the document has no operation teleport");
  expect(() => response("teleport", 200, {})).toThrow("the document has no operation teleport");
});
