import { expect, it } from "vitest";
import type { Client } from "../client/client.js";
import type { Actors } from "../target/actors.js";
import { removeResource } from "./remove-resources.js";

const actors = {
  getCaller: () => Promise.resolve({ name: "owner" }),
  getDataCaller: () => Promise.resolve({ name: "owner" }),
} as unknown as Actors;

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
  await removeResource(client, { kind, name: "" }, actors);
  expect(called.filter((operationId) => !operationId.startsWith("list"))).toEqual([]);
});

it.each([
  ["is missing", 404, {}],
  ["is refused", 403, {}],
  ["is broken", 500, {}],
  ["has another error", 400, { code: "SQL_EXECUTION_ERROR" }],
])("drops a listed table although its schema %s", async (_title, status, body) => {
  const tables = [{ name: "OF_RUN" }, { name: "other" }];
  const dropped: string[] = [];
  const client = {
    time: { now: () => 0, sleep: () => Promise.resolve() },
    call: (operationId: string, { body: sent }: { body?: { sql: string } }) => {
      if (operationId === "getSqlTableSchema") return Promise.resolve({ status, text: "", body });
      if (sent !== undefined) {
        dropped.push(sent.sql);
        tables.shift();
      }
      return Promise.resolve({ status: 200, text: "", body: { tables: [...tables] } });
    },
  } as unknown as Client;
  await removeResource(client, { kind: "table", name: "of_run", parent: "db_1" }, actors);
  expect(dropped).toEqual(["DROP TABLE of_run"]);
});
