import { expect, it } from "vitest";
import { serviceOperations } from "../../openapi/operations/register.js";
import { findCreatedKind } from "./created-kinds.js";

it("contains every operation that creates a resource that the run must remove", () => {
  const operationIds = Object.keys(serviceOperations) as (keyof typeof serviceOperations)[];
  const missing = operationIds.filter(
    (id) => /^(create|invite)/.test(id) && findCreatedKind(id) === undefined,
  );
  // An entity is removed together with its repository, and a checkout cannot be removed.
  expect(missing.sort()).toEqual(["createCheckout", "createEntity"]);
});
