import { assertType, describe, expectTypeOf, it } from "vitest";
import type * as service from "../generated/service-types.js";
import type { JsonObject, JsonValue, paths } from "../generated/service-types.js";

/*
 * `tsc` must reject what the types do not allow: an expected error that does not occur is itself an error (`npm run
 * check:types`). Vitest runs this file only so that it is listed as a test; nothing here can fail at run time.
 */

interface Line {
  sku: string;
  quantity: number;
}

interface Order {
  total: number;
  status: "open" | "paid";
  lines: readonly Line[];
  note?: string;
}

interface Product {
  title: string;
}

const order: Order = { total: 42.5, status: "open", lines: [{ sku: "sku-03", quantity: 1 }] };

describe("entries of a batch", () => {
  it("are a put with data, or a delete", () => {
    assertType<service.BatchWriteEntry>({ operation: "Put", pk: "a", data: {} });
    assertType<service.BatchWriteEntry>({ operation: "Delete", pk: "a", sk: null });
    // @ts-expect-error a put must have data
    assertType<service.BatchWriteEntry>({ operation: "Put", pk: "a" });
    // @ts-expect-error the data of a put must not be null
    assertType<service.BatchWriteEntry>({ operation: "Put", pk: "a", data: null });
    // @ts-expect-error a batch has no updates
    assertType<service.BatchWriteEntry>({ operation: "Update", pk: "a", data: {} });
    // @ts-expect-error every entry must have a partition key
    assertType<service.BatchWriteEntry>({ operation: "Delete" });
  });

  it("are distinguished by their operation", () => {
    const dataOf = (entry: service.BatchWriteEntry) => (entry.operation === "Put" ? entry.data : undefined);
    expectTypeOf(dataOf).returns.toEqualTypeOf<service.JsonInputObject | undefined>();
  });
});

describe("entries of a transaction", () => {
  it("have what their action needs", () => {
    assertType<service.TransactWriteEntry>({ action: "Put", pk: "a", data: {} });
    assertType<service.TransactWriteEntry>({ action: "Update", pk: "a", data: { total: 1 } });
    assertType<service.TransactWriteEntry>({ action: "Delete", pk: "a" });
    assertType<service.TransactWriteEntry>({
      action: "ConditionCheck",
      pk: "a",
      conditionExpression: "attribute_exists(pk)",
    });
    // @ts-expect-error a put must have data
    assertType<service.TransactWriteEntry>({ action: "Put", pk: "a" });
    // @ts-expect-error an update must have data
    assertType<service.TransactWriteEntry>({ action: "Update", pk: "a" });
    // @ts-expect-error a condition check must have a condition
    assertType<service.TransactWriteEntry>({ action: "ConditionCheck", pk: "a" });
    // @ts-expect-error this action does not exist
    assertType<service.TransactWriteEntry>({ action: "Upsert", pk: "a", data: {} });
  });
});

describe("answers", () => {
  it("have a session after a successful login", () => {
    const tokenOf = (login: service.LoginResult) =>
      login.status === "Success" ? login.authResponse.accessToken : undefined;
    expectTypeOf(tokenOf).returns.toEqualTypeOf<string | undefined>();
    // @ts-expect-error the code has not checked whether the login succeeded
    assertType((login: service.LoginResult) => login.authResponse.accessToken);
  });

  it("have an item where it exists", () => {
    const itemOf = (found: service.TransactGetResult) => (found.itemExists ? found.item : found.item);
    const given = (found: service.TransactGetResult) => {
      if (!found.itemExists) throw new Error("missing");
      return found.item;
    };
    expectTypeOf(itemOf).returns.toEqualTypeOf<JsonObject | null>();
    expectTypeOf(given).returns.toEqualTypeOf<JsonObject>();
  });

  it("show what is known of a member by its status", () => {
    const userOf = (member: service.Member) => (member.status === "active" ? member.userId : member.userId);
    const joinedOf = (member: service.Member) => (member.status === "active" ? member.joinedAt : "");
    const invitedOf = (member: service.Member) => (member.status === "pending" ? member.invitedBy : "");
    expectTypeOf(userOf).returns.toEqualTypeOf<string | null>();
    expectTypeOf(joinedOf).returns.toEqualTypeOf<string>();
    expectTypeOf(invitedOf).returns.toEqualTypeOf<string>();
  });

  it("have problems that are distinguished by their status", () => {
    type Refusal = paths["/api/v1/databases/{databaseId}/items/{pk}"]["get"]["responses"][404 | 403];
    const statusOf = ({ content }: Refusal) => content["application/problem+json"].status;
    expectTypeOf(statusOf).returns.toEqualTypeOf<403 | 404>();
    expectTypeOf<service.NotFoundProblem>().toExtend<service.Problem>();
  });
});

describe("data of an item", () => {
  it("may be an interface, or any other JSON type", () => {
    assertType<service.PutItemRequest>({ pk: "a", data: order });
    assertType<service.PutItemRequest>({
      pk: "a",
      data: { order, orders: [order, null, 1], left: undefined },
    });
    assertType<service.WriteEntityRequest>({ data: order });
    assertType<service.CreateDatabaseRequest>({ name: "shop", region: "eu-west-1", settings: order });
    assertType<service.SqlQueryRequest>({ sql: "SELECT * FROM t WHERE a = ?", parameters: { p1: "a" } });
    assertType((found: service.Item): service.PutItemRequest => ({ pk: found.pk, data: found.data }));
    // attributes may have the names of methods
    assertType<service.PutItemRequest>({ pk: "a", data: { call: "me", toJSON: "no", then: "now", size: 1 } });
  });

  it("contain nothing that JSON cannot represent", () => {
    // @ts-expect-error a date is not JSON
    assertType<service.PutItemRequest>({ pk: "a", data: { at: new Date() } });
    // @ts-expect-error a date is not JSON at any depth
    assertType<service.PutItemRequest>({ pk: "a", data: { times: [{ at: new Date() }] } });
    // @ts-expect-error a date is not an object of attributes
    assertType<service.PutItemRequest>({ pk: "a", data: new Date() });
    // @ts-expect-error a bigint is not JSON
    assertType<service.PutItemRequest>({ pk: "a", data: { total: 1n } });
    // @ts-expect-error a function is not JSON
    assertType<service.PutItemRequest>({ pk: "a", data: { total: () => 1 } });
    // @ts-expect-error a function is not an object of attributes
    assertType<service.PutItemRequest>({ pk: "a", data: () => ({}) });
    // @ts-expect-error a map is not JSON
    assertType<service.PutItemRequest>({ pk: "a", data: { tags: new Map() } });
    // @ts-expect-error a symbol is not JSON
    assertType<service.PutItemRequest>({ pk: "a", data: { tag: Symbol("new") } });
    // @ts-expect-error an array is not an object of attributes
    assertType<service.PutItemRequest>({ pk: "a", data: [1] });
    // @ts-expect-error a string is not an object of attributes
    assertType<service.PutItemRequest>({ pk: "a", data: "text" });
    // @ts-expect-error a date is not JSON in an entity either
    assertType<service.WriteEntityRequest>({ data: { at: new Date() } });
  });

  it("are read as JSON", () => {
    expectTypeOf<service.Item["data"]>().toEqualTypeOf<JsonObject>();
    expectTypeOf<service.FoundItem["data"][string]>().toEqualTypeOf<JsonValue>();
    expectTypeOf<service.SqlRow>().toEqualTypeOf<JsonObject>();
  });

  it("can have a user's own type, sent and received", () => {
    expectTypeOf<service.Item<Order>["data"]>().toEqualTypeOf<Order>();
    expectTypeOf<service.ItemPage<Order>["items"][number]["data"]["lines"]>().toEqualTypeOf<
      readonly Line[]
    >();
    expectTypeOf<service.Entity<Product>["data"]>().toEqualTypeOf<Product>();
    assertType<service.PutItemRequest<Order>>({ pk: "a", data: order });
    assertType<service.TransactWriteEntry<Order>>({ action: "Update", pk: "a", data: { status: "paid" } });
    // @ts-expect-error a put must have all fields
    assertType<service.TransactWriteEntry<Order>>({ action: "Put", pk: "a", data: { status: "paid" } });
    // @ts-expect-error the field has a different type
    assertType<service.PutItemRequest<Order>>({ pk: "a", data: { ...order, total: "42.5" } });
    // @ts-expect-error a user's type must not contain a date either
    assertType<service.PutItemRequest<{ at: Date }>>({ pk: "a", data: { at: new Date() } });
    // @ts-expect-error a user's type must not contain a bigint at any depth
    assertType<service.PutItemRequest<{ deep: { n: bigint } }>>({ pk: "a", data: { deep: { n: 1n } } });
  });

  it("are of that type on every path", () => {
    type Own = paths<Order, Product>;
    type Put =
      Own["/api/v1/databases/{databaseId}/items"]["put"]["requestBody"]["content"]["application/json"];
    type Read =
      Own["/api/v1/repositories/{repositoryId}/{entityId}"]["get"]["responses"][200]["content"]["application/json"];
    expectTypeOf<Put["data"]["total"]>().toEqualTypeOf<number>();
    expectTypeOf<Read["data"]>().toEqualTypeOf<Product>();
  });
});

describe("schemas", () => {
  it("are identified by their names, including former ones", () => {
    expectTypeOf<service.components["schemas"]["LoginResponse"]>().toEqualTypeOf<service.LoginResult>();
    expectTypeOf<service.components["schemas"]["PutItemResponse"]>().toEqualTypeOf<service.PutItemResult>();
    expectTypeOf<service.Database>().toEqualTypeOf<service.components["schemas"]["Database"]>();
    expectTypeOf<service.Problem["detail"]>().toEqualTypeOf<string>();
  });
});
