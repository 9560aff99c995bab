import { deepEqual, match } from "node:assert/strict";
import { Api, type HttpResponse, type Item, type NotFoundProblem } from "./client/client";

const baseUrl = process.env.SERVICE_URL ?? "";
const as = (credential: string) =>
  new Api({ baseUrl, baseApiParams: { headers: { Authorization: `Bearer ${credential}` } } });
const key = { pk: "customer#a/b", sk: "order#1" };

const credentials = { email: "owner@demo.test", password: "demo-password" };
const login = await new Api({ baseUrl }).auth.login(credentials);
const session = login.data.authResponse!;
const list = await as(session.accessToken).api.listMembers(session.personalOrgId);
deepEqual(
  list.data.members.map(({ email }) => email),
  ["owner@demo.test"],
);

const service = as("dsk_demo_all");
const put = await service.api.putItem("db_demo", { ...key, data: { total: 42.5 } });
deepEqual(put.data.pk, key.pk);
// the client does not encode path parameters
const got = await service.api.getItemWithSortKey(
  "db_demo",
  encodeURIComponent(key.pk),
  encodeURIComponent(key.sk),
);
deepEqual(got.data.data, { total: 42.5 });
const page = await service.api.queryItems("db_demo", { partitionKey: key.pk });
deepEqual(
  page.data.items.map(({ sk }) => sk),
  [key.sk],
);
const missing = await service.api
  .getItem("db_demo", "nobody")
  .catch((refusal: unknown) => refusal as HttpResponse<Item, NotFoundProblem>);
match(missing.error.type, /\/item-not-found$/);

const sql = "SELECT page FROM page_views WHERE page = ? LIMIT 1";
const selected = await service.databases.runSqlQuery("db_demo", { sql, parameters: { p1: "/home" } });
deepEqual(
  selected.data.rows.map((row) => row["page"]),
  ["/home"],
);
