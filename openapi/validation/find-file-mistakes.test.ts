import { expect, it } from "vitest";
import { findFileMistakes } from "./find-file-mistakes.js";

const names = ["name", "description", "password", "organizations", "databases", "createdAt"];
const schema = {
  type: "object" as const,
  properties: Object.fromEntries(names.map((name) => [name, {}])),
  additionalProperties: false,
};
const unknown = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`pasword${index}`, 1]));

it("suggests a known field for an unknown one", () => {
  expect(findFileMistakes({ pasword: 1 }, schema)).toMatchObject([
    { pointer: "/pasword", detail: "is not a known field; did you mean password?" },
  ]);
});

it("finds all unknown fields, with suggestions only for the first", () => {
  const details = findFileMistakes(unknown(500), schema).map(({ detail }) => detail);
  expect(details).toHaveLength(500);
  expect(details.filter((detail) => /did you mean|the fields are/.test(detail))).toHaveLength(100);
});
