import type { Database } from "sql.js";
import { quoted, wrongRow } from "./check-columns.js";

interface Reference {
  readonly table: string;
  readonly column: string;
  readonly to: readonly [table: string, column: string];
}

/** Who cannot be without whom. */
const references: readonly Reference[] = [
  { table: "organizations", column: "owner_user_id", to: ["users", "user_id"] },
  { table: "members", column: "organization_id", to: ["organizations", "organization_id"] },
  { table: "members", column: "user_id", to: ["users", "user_id"] },
  { table: "refresh_tokens", column: "user_id", to: ["users", "user_id"] },
  { table: "api_keys", column: "organization_id", to: ["organizations", "organization_id"] },
  { table: "subscriptions", column: "organization_id", to: ["organizations", "organization_id"] },
  { table: "orders", column: "organization_id", to: ["organizations", "organization_id"] },
  { table: "checkouts", column: "organization_id", to: ["organizations", "organization_id"] },
  { table: "databases", column: "organization_id", to: ["organizations", "organization_id"] },
  { table: "items", column: "database_ref", to: ["databases", "ref"] },
  { table: "repositories", column: "database_ref", to: ["databases", "ref"] },
  { table: "transaction_tokens", column: "database_ref", to: ["databases", "ref"] },
  { table: "entities", column: "repository_ref", to: ["repositories", "ref"] },
  { table: "sql_tables", column: "database_id", to: ["databases", "database_id"] },
  { table: "sql_indexes", column: "table_id", to: ["sql_tables", "table_id"] },
];

/** What rows of one table have to find in another; counters that fell short would fall below nothing one day. */
const rules: readonly {
  readonly table: string;
  readonly key: string;
  readonly holds: string;
  readonly fault: string;
}[] = [
  {
    table: "organizations",
    key: "organization_id",
    holds:
      "status = 'deleted' OR (organization_id IN (SELECT organization_id FROM subscriptions) AND organization_id IN (SELECT organization_id FROM orders))",
    fault: "has no subscription or no order",
  },
  {
    table: "sql_indexes",
    key: "index_id",
    holds: "database_id = (SELECT t.database_id FROM sql_tables t WHERE t.table_id = sql_indexes.table_id)",
    fault: "has another database_id than its table",
  },
  {
    table: "repositories",
    key: "repository_id",
    holds: "item_count >= (SELECT count(*) FROM entities WHERE repository_ref = ref)",
    fault: "has an item_count that is less than its entities are",
  },
  {
    table: "repositories",
    key: "repository_id",
    holds: "storage_bytes >= (SELECT total(bytes) FROM entities WHERE repository_ref = ref)",
    fault: "has a storage_bytes that is less than the bytes of its entities are",
  },
  {
    table: "repositories",
    key: "repository_id",
    holds: "last_sequence >= (SELECT coalesce(max(sequence), 0) FROM entities WHERE repository_ref = ref)",
    fault: "has a last_sequence that is less than the sequence of one of its entities",
  },
  {
    table: "databases",
    key: "database_id",
    holds: "item_count >= (SELECT count(*) FROM items WHERE database_ref = ref)",
    fault: "has an item_count that is less than its items are",
  },
  {
    table: "databases",
    key: "database_id",
    holds:
      "storage_bytes >= (SELECT total(bytes) FROM items WHERE database_ref = databases.ref) + " +
      "(SELECT total(r.storage_bytes) FROM repositories r WHERE r.database_ref = databases.ref) + " +
      "(SELECT total(t.bytes) FROM sql_tables t WHERE t.database_id = databases.database_id)",
    fault: "has a storage_bytes that is less than the bytes of its items, entities and SQL rows are",
  },
];

/** Looks whether rows find what they need in other tables. @throws StateFileError */
export function checkReferences(database: Database): void {
  for (const { table, column, to } of references)
    checkRule(
      database,
      table,
      column,
      `${column} IS NULL OR ${column} IN (SELECT ${to[1]} FROM ${to[0]})`,
      `has no ${to[0]} row of its ${column}`,
    );
  for (const { table, key, holds, fault } of rules) checkRule(database, table, key, holds, fault);
}

function checkRule(database: Database, table: string, key: string, holds: string, fault: string): void {
  const [found] = database.exec(`SELECT ${quoted(key)} FROM ${table} WHERE (${holds}) IS NOT TRUE LIMIT 1`);
  if (found !== undefined) throw wrongRow(table, fault, [key], found.values[0] ?? []);
}
