import { expect, it } from "vitest";
import { IdMapping } from "./id-mapping.js";

it("texts are bound only as a whole, until the binding is undone", () => {
  const ids = new IdMapping();
  const savepoint = ids.createSavepoint();
  expect(ids.bind("the one", "x", "name")).toBeUndefined();
  expect(ids.areBound("the one", "x")).toBe(true);
  expect(ids.areBound("one", "x")).toBe(false);
  ids.rollback(savepoint);
  expect(ids.areBound("the one", "x")).toBe(false);
});
