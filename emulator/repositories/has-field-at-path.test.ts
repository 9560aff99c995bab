import { expect, it } from "vitest";
import { hasFieldAtPath } from "./has-field-at-path.js";
import { SchemaReader } from "./schema-reader.js";

const schema = new SchemaReader("anywhere").readFields(
  new Map([
    ["title", new Map([["type", "string"]])],
    ["free", new Map([["type", "object"]])],
    ["list", new Map([["type", "array"]])],
    [
      "tags",
      new Map<string, unknown>([
        ["type", "array"],
        ["items", new Map([["type", "string"]])],
      ]),
    ],
    [
      "address",
      new Map<string, unknown>([
        ["type", "object"],
        ["properties", new Map([["city", new Map([["type", "string"]])]])],
      ]),
    ],
  ]) as never,
  "",
  1,
);

it.each([
  [["title"], true],
  [["titel"], false],
  [["Title"], false],
  [["title", "length"], false],
  [["title", 0], false],
  [["id"], true],
  [["createdAt"], true],
  [["updatedAt"], true],
  [["createdAt", "year"], false],
  [["version"], false],
  [["free", "whatever", 3], true],
  [["list", 0, "whatever"], true],
  [["tags", 7], true],
  [["tags", "first"], false],
  [["tags", 0, "length"], false],
  [["address"], true],
  [["address", "city"], true],
  [["address", "street"], false],
  [["address", 0], false],
  [["address", "city", "name"], false],
] as const)("hasFieldAtPath(%j) returns %s", (path, named) => {
  expect(hasFieldAtPath(schema, path as never)).toBe(named);
});

it("hasFieldAtPath finds every field in a schema without fields", () => {
  expect(hasFieldAtPath(new Map(), ["whatever", 0, "there"])).toBe(true);
});
