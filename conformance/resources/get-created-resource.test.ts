import { expect, it } from "vitest";
import { getCreatedResource } from "./get-created-resource.js";

it("gives databases and organizations a name for their removal only if it contains the run id", () => {
  const nameOf = (operationId: "createDatabase" | "createOrganization" | "createRepository", name: string) =>
    getCreatedResource(operationId, { body: { name } }, "run7")?.name;
  expect(nameOf("createDatabase", "orders")).toBe("");
  expect(nameOf("createDatabase", "run7-orders")).toBe("run7-orders");
  expect(nameOf("createOrganization", "Acme")).toBe("");
  // A repository is removed together with the run's database.
  expect(nameOf("createRepository", "orders")).toBe("orders");
});
