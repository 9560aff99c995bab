import { deepEqual, match } from "node:assert/strict";
import {
  getItem,
  getItemWithSortKey,
  listMembers,
  login,
  putItem,
  queryItems,
  runSqlQuery,
} from "./client/client";

const as = (credential: string) => ({ headers: { Authorization: `Bearer ${credential}` } });
const key = { pk: "customer#a/b", sk: "order#1" };

const result = await login({ email: "owner@demo.test", password: "demo-password" });
if (result.status !== 200) throw new Error(result.data.detail);
const session = result.data.authResponse!;
const list = await listMembers(session.personalOrgId, as(session.accessToken));
if (list.status !== 200) throw new Error(list.data.detail);
deepEqual(
  list.data.members.map(({ email }) => email),
  ["owner@demo.test"],
);

const withKey = as("dsk_demo_all");
const put = await putItem("db_demo", { ...key, data: { total: 42.5 } }, withKey);
if (put.status !== 200) throw new Error(put.data.detail);
deepEqual(put.data.pk, key.pk);
const got = await getItemWithSortKey("db_demo", key.pk, key.sk, withKey);
if (got.status !== 200) throw new Error(got.data.detail);
deepEqual(got.data.data, { total: 42.5 });
const page = await queryItems("db_demo", { partitionKey: key.pk }, withKey);
if (page.status !== 200) throw new Error(page.data.detail);
deepEqual(
  page.data.items.map(({ sk }) => sk),
  [key.sk],
);
const missing = await getItem("db_demo", "nobody", withKey);
if (missing.status !== 404) throw new Error("found nobody");
match(missing.data.type, /\/item-not-found$/);

const sql = "SELECT page FROM page_views WHERE page = ? LIMIT 1";
const selected = await runSqlQuery("db_demo", { sql, parameters: { p1: "/home" } }, withKey);
if (selected.status !== 200) throw new Error(JSON.stringify(selected.data));
deepEqual(
  selected.data.rows.map((row) => row["page"]),
  ["/home"],
);
