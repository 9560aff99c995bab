import type { Database } from "sql.js";
import { quoted, wrongRow } from "./check-columns.js";
import { StateFileError } from "./state-file-error.js";

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
  const [missing] = database.exec(
    'SELECT child."table", child.parent, key."from" FROM pragma_foreign_key_check AS child ' +
      'JOIN pragma_foreign_key_list(child."table") AS key ON key.id = child.fkid LIMIT 1',
  );
  const [table, parent, column] = missing?.values[0] ?? [];
  if (missing !== undefined)
    throw new StateFileError(
      `it is damaged: a row of ${String(table)} has no ${String(parent)} row of its ${String(column)}; ` +
        "PRAGMA foreign_key_check lists such rows",
    );
  for (const { table, key, holds, fault } of rules) checkRule(database, table, key, holds, fault);
}

function checkRule(database: Database, table: string, key: string, holds: string, fault: string): void {
  const [found] = database.exec(`SELECT ${quoted(key)} FROM ${table} WHERE (${holds}) IS NOT TRUE LIMIT 1`);
  if (found !== undefined) throw wrongRow(table, fault, [key], found.values[0] ?? []);
}
