import { deepEqual, match } from "node:assert/strict";
import {
  Configuration,
  ItemsApi,
  MembersApi,
  NotFoundProblemFromJSON,
  ResponseError,
  SQLApi,
  SessionApi,
} from "./client";

const basePath = process.env.SERVICE_URL ?? "";
const as = (accessToken: string) => new Configuration({ basePath, accessToken });
const database = { databaseId: "db_demo" };
const key = { pk: "customer#a/b", sk: "order#1" };

const login = await new SessionApi(new Configuration({ basePath })).login({
  loginRequest: { email: "owner@demo.test", password: "demo-password" },
});
const session = login.authResponse!;
const list = await new MembersApi(as(session.accessToken)).listMembers({
  organizationId: session.personalOrgId,
});
deepEqual(
  list.members.map(({ email }) => email),
  ["owner@demo.test"],
);

const items = new ItemsApi(as("dsk_demo_all"));
const put = await items.putItem({ ...database, putItemRequest: { ...key, data: { total: 42.5 } } });
deepEqual(put.pk, key.pk);
const got = await items.getItemWithSortKey({ ...database, ...key });
deepEqual(got.data, { total: 42.5 });
const page = await items.queryItems({ ...database, queryItemsRequest: { partitionKey: key.pk } });
deepEqual(
  page.items.map(({ sk }) => sk),
  [key.sk],
);
const refusal: unknown = await items.getItem({ ...database, pk: "nobody" }).catch((error: unknown) => error);
if (!(refusal instanceof ResponseError)) throw new Error("found nobody");
match(NotFoundProblemFromJSON(await refusal.response.json()).type, /\/item-not-found$/);

const { rows } = await new SQLApi(as("dsk_demo_all")).runSqlQuery({
  ...database,
  sqlQueryRequest: {
    sql: "SELECT page FROM page_views WHERE page = ? LIMIT 1",
    parameters: { p1: "/home" },
  },
});
deepEqual(
  rows.map((row) => row["page"]),
  ["/home"],
);
