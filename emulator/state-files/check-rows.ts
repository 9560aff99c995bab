import type { Database } from "sql.js";
import { isObject } from "../../openapi/text/is-object.js";
import { tryTo } from "../../openapi/text/try-to.js";
import { maxTime } from "../time/timestamp.js";
import { selectFirstRow, quoteColumn, createRowError } from "./check-columns.js";
import { StateFileError } from "./state-file-error.js";

/** Conditions for the rows of tables. Counters must not be too low, because they could become negative. */
const rules: readonly (readonly [table: string, key: string, condition: string, mistake: string])[] = [
  [
    "members",
    "email",
    "(status = 'active') = (user_id IS NOT NULL AND joined_at IS NOT NULL)",
    "must have the status active if and only if it has a user_id and a joined_at",
  ],
  [
    "subscriptions",
    "organization_id",
    "status <> 'trialing' OR (trial_start IS NOT NULL AND trial_end IS NOT NULL)",
    "has the status trialing but lacks a trial_start or a trial_end",
  ],
  [
    // The next order gets such an id, which must not exist yet.
    "orders",
    "order_id",
    "order_id = 'order_' || substr(organization_id, 5) || '_' || number",
    "has an order_id that does not match its organization_id and number",
  ],
  [
    "checkouts",
    "checkout_id",
    "(completes_at IS NULL) = (subscription_id IS NULL) AND (completes_at IS NULL OR completed_at IS NULL)",
    "must have both completes_at and subscription_id or neither, and must not have both completes_at and completed_at",
  ],
  [
    "organizations",
    "organization_id",
    `status = 'deleted' OR (organization_id IN (SELECT organization_id FROM subscriptions)
      AND organization_id IN (SELECT organization_id FROM orders))`,
    "has no subscription or no order",
  ],
  [
    "sql_indexes",
    "index_id",
    "database_id = (SELECT t.database_id FROM sql_tables t WHERE t.table_id = sql_indexes.table_id)",
    "has a database_id that differs from the database_id of its table",
  ],
  [
    "repositories",
    "repository_id",
    `(SELECT item_count >= count(*) AND storage_bytes >= total(bytes) AND last_sequence >= coalesce(max(sequence), 0)
      FROM entities WHERE repository_ref = ref)`,
    "has an item_count, storage_bytes or last_sequence that is too low for its entities",
  ],
  [
    "databases",
    "database_id",
    `(SELECT item_count >= count(*) AND storage_bytes >= total(bytes)
        + (SELECT total(r.storage_bytes) FROM repositories r WHERE r.database_ref = databases.ref)
        + (SELECT total(t.bytes) FROM sql_tables t WHERE t.database_id = databases.database_id)
      FROM items WHERE database_ref = ref)`,
    "has an item_count or storage_bytes that is too low for its items, entities and SQL rows",
  ],
];

/** Checks that rows are consistent with each other and with other tables. @throws StateFileError */
export function checkRows(database: Database): void {
  const [table, parent, column] = selectFirstRow(
    database,
    'SELECT child."table", child.parent, key."from" FROM pragma_foreign_key_check AS child ' +
      'JOIN pragma_foreign_key_list(child."table") AS key ON key.id = child.fkid',
  );
  if (table !== undefined)
    throw new StateFileError(
      `it is damaged: a row in the table ${String(table)} has no matching row in ${String(parent)} for its ${String(column)}; ` +
        "PRAGMA foreign_key_check lists such rows",
    );
  for (const [ruleTable, key, condition, mistake] of rules) {
    const sql = `SELECT ${quoteColumn(key)} FROM ${ruleTable} WHERE (${condition}) IS NOT TRUE`;
    const found = selectFirstRow(database, sql);
    if (found.length > 0) throw createRowError(ruleTable, mistake, [key], found);
  }
  for (const [name, isValid] of Object.entries(metaRules)) {
    const [value] = selectFirstRow(database, `SELECT value FROM meta WHERE name = '${name}'`);
    const mistake = "has a value that cannot be read; delete this row to reset the value";
    if (value !== undefined && !isValid(tryTo(() => JSON.parse(String(value)) as unknown)))
      throw createRowError("meta", mistake, ["name"], [name]);
  }
}

const areTexts = (value: unknown) =>
  Array.isArray(value) && value.every((text: unknown) => typeof text === "string");
const isCount = (value: unknown, max = 2 ** 52) =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= max;
const isOneOf = (value: unknown, ...allowed: readonly string[]) => allowed.includes(value as string);

/** Rules for the JSON values of `meta`. */
const metaRules: Readonly<Record<string, (value: unknown) => boolean>> = {
  health: (value) =>
    isObject(value) &&
    typeof value.details === "string" &&
    isOneOf(value.health, "Healthy", "Unhealthy") &&
    isOneOf(value.ready, "Ready", "NotReady") &&
    isOneOf(value.live, "Alive", "Dead"),
  seeded: (value) => isObject(value) && areTexts(value.users) && areTexts(value.apiKeys),
  requestWindows: (value) =>
    Array.isArray(value) &&
    value.every(
      (entry: unknown) =>
        Array.isArray(entry) &&
        typeof entry[0] === "string" &&
        isObject(entry[1]) &&
        isCount(entry[1].start, maxTime) &&
        isCount(entry[1].requests),
    ),
};
