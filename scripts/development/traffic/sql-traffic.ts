import type { sqlOperations } from "../../../openapi/operations/sql.js";
import { type Traffic, unavailable } from "./traffic.js";
import type { World } from "./traffic-world.js";

/** SQL, on the table of the examples with two rows; what the interface itself refuses has the status 400. */
export function sqlTraffic(world: World): Traffic<keyof typeof sqlOperations> {
  const readKey = "dsk_demo_database_read";
  const inDemo = { databaseId: "db_demo" };
  return {
    runSqlQuery: [
      { status: 200 },
      { status: 200, body: { sql: "SELECT * FROM orders", limit: 1 } },
      { status: 200, body: { sql: "SELECT COUNT(*) FROM orders" } },
      { status: 200, parameters: inDemo, body: { sql: "SELECT * FROM products" }, credential: readKey },
      { status: 200, body: { sql: "DELETE FROM orders" } },
      { status: 400, body: { sql: "SELEC" } },
      { status: 400, body: { sql: "SELECT * FROM nowhere" } },
      { status: 400, body: { sql: "SELECT * FROM orders", pageToken: "nonsense" } },
      { status: 400, body: { sql: "DELETE FROM orders" }, credential: readKey },
      unavailable(world),
    ],
    executeSql: [
      { status: 200, body: { sql: "CREATE TABLE more (a INT PRIMARY KEY)" } },
      { status: 200, body: { sql: "DROP TABLE orders" } },
      // the example is what the world began with
      { status: 400 },
      { status: 400, credential: "dsk_demo_database_write" },
      unavailable(world),
    ],
    listSqlTables: [
      { status: 200 },
      { status: 200, parameters: inDemo, credential: readKey },
      { status: 400, credential: "dsk_demo_repository_all" },
      unavailable(world),
    ],
    getSqlTableSchema: [
      { status: 200 },
      { status: 200, parameters: { ...inDemo, tableName: "products" } },
      { status: 400, parameters: { tableName: "nowhere" } },
      unavailable(world),
    ],
  };
}
