import { describe, expect, it } from "vitest";
import { isWrite } from "./is-write.js";

describe("isWrite", () => {
  it.each([
    ["PUT", undefined, "putItem", true],
    ["GET", undefined, "getItem", false],
    ["POST", { partitionKey: "a" }, "queryItems", false],
    ["POST", { sql: "  select * from t" }, "runSqlQuery", false],
    ["POST", '{"limit":1,"sql":"SELECT 1"}', "runSqlQuery", false],
    ["POST", '{"sql":"INSERT INTO t VALUES (1)"}', "runSqlQuery", true],
    ["POST", { sql: "UPDATE t SET a = 'select'" }, "runSqlQuery", true],
    ["POST", { sql: 7 }, "runSqlQuery", true],
    ["POST", { sql: "CREATE TABLE t (a INT, PRIMARY KEY (a))" }, "executeSql", true],
    ["GET", undefined, undefined, false],
    ["DELETE", undefined, undefined, true],
  ] as const)("of %s with %j to %s is %s", (method, body, operationId, expected) => {
    expect(isWrite(method, body, operationId)).toBe(expected);
  });
});
