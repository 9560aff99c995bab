import { expect, it } from "vitest";
import type { Client } from "../client/client.js";
import type { Actors } from "../target/actors.js";
import { removeResource } from "./remove-resources.js";

it.each([
  ["organization", { organizations: [{ organizationId: "org_1", organizationName: "" }] }],
  ["database", { databases: [{ databaseId: "db_1", name: "" }] }],
  ["member", { members: [{ userId: "user_1", email: "", role: "owner" }] }],
] as const)("removes no %s without a name if it has created one without a name", async (kind, body) => {
  const called: string[] = [];
  const client = {
    call: (operationId: string) => {
      called.push(operationId);
      return Promise.resolve({ status: 200, text: "", body: { ...body, nextCursor: null } });
    },
  } as unknown as Client;
  const actors = {
    getCaller: () => Promise.resolve({ name: "owner" }),
    getDataCaller: () => Promise.resolve({ name: "owner" }),
  } as unknown as Actors;
  await removeResource(client, { kind, name: "" }, actors);
  expect(called.filter((operationId) => !operationId.startsWith("list"))).toEqual([]);
});
