import { deepEqual, match } from "node:assert/strict";
import {
  getItem,
  getItemWithSortKey,
  listMembers,
  login,
  putItem,
  queryItems,
  runSqlQuery,
} from "./client/sdk.gen";
import { createClient } from "./client/client";

const baseUrl = process.env.SERVICE_URL ?? "";
const as = (credential: string) => createClient({ baseUrl, auth: credential });
const database = { databaseId: "db_demo" };
const key = { pk: "customer#a/b", sk: "order#1" };

const credentials = { email: "owner@demo.test", password: "demo-password" };
const { data: result } = await login({ client: createClient({ baseUrl }), body: credentials });
const session = result!.authResponse!;
const list = await listMembers({
  client: as(session.accessToken),
  path: { organizationId: session.personalOrgId },
});
deepEqual(
  list.data?.members.map(({ email }) => email),
  ["owner@demo.test"],
);

const client = as("dsk_demo_all");
const put = await putItem({ client, path: database, body: { ...key, data: { total: 42.5 } } });
deepEqual(put.data?.pk, key.pk);
const got = await getItemWithSortKey({ client, path: { ...database, ...key } });
deepEqual(got.data?.data, { total: 42.5 });
const page = await queryItems({ client, path: database, body: { partitionKey: key.pk } });
deepEqual(
  page.data?.items.map(({ sk }) => sk),
  [key.sk],
);
const missing = await getItem({ client, path: { ...database, pk: "nobody" } });
match(missing.error?.type ?? "", /\/item-not-found$/);

const sql = "SELECT page FROM page_views WHERE page = ? LIMIT 1";
const selected = await runSqlQuery({ client, path: database, body: { sql, parameters: { p1: "/home" } } });
deepEqual(
  selected.data?.rows.map((row) => row["page"]),
  ["/home"],
);
