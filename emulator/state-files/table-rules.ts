import type { Database } from "sql.js";
import { planTypes } from "../../openapi/clauses/limits.js";
import { checkoutPlanTypes, subscriptionStatuses } from "../../openapi/schemas/billing.js";
import { databaseStatuses } from "../../openapi/schemas/databases.js";
import { memberStatuses } from "../../openapi/schemas/members.js";
import { organizationStatuses } from "../../openapi/schemas/organizations.js";
import { roles } from "../../openapi/schemas/roles.js";
import { passwordRow } from "../store/passwords.js";
import { schema } from "../store/schema.js";
import {
  type ColumnRule,
  flag,
  identifier,
  json,
  laterTime,
  oneOf,
  orNull,
  text,
  time,
  whole,
} from "./column-rule.js";

/** What a table of a state may hold. */
export interface TableRules {
  /** The columns that a message names a row by. */
  readonly key: readonly string[];
  readonly columns: Readonly<Record<string, ColumnRule>>;
  /** What else is true of every row. */
  readonly rows: readonly RowRule[];
}

interface RowRule {
  /** In SQL. */
  readonly holds: string;
  /** How a row is described of which it is not true. */
  readonly fault: string;
}

/** What a column holds by its name, which means the same in every table. The first that fits applies. */
const rulesByName: readonly (readonly [name: RegExp, rule: ColumnRule])[] = [
  // rows that nothing but the order of their making numbers
  [/^(?:sequence|version|ref|table_id|index_id)$|_ref$/, whole(1)],
  [/_id$|^(?:slug|key|token|invited_by|password_hash|schema_hash)$/, identifier],
  [/^(?:anchor|trial_end|due_at|completes_at|ready_at|period_start|expires_at)$/, laterTime],
  [/_at$|^trial_start$/, time],
  [
    /^is_|^(?:email_verified|mfa_required|require_mfa|sso_enabled|used|trial_used|cancel_at_period_end)$/,
    flag,
  ],
  [/_(?:count|bytes|units)$|^max_|^(?:bytes|amount|requests|last_sequence|seq)$/, whole()],
  // the values are looked at apart
  [/^(?:data|schema|settings|definition|column_ids|allowed_regions|body)$/, json],
  [/^(?:pk|sk|name|email|avatar_url|billing_email|region|entity_name|scopes|value|body_hash)$/, text],
];

/** What the emulator says of a world beside its tables. */
const singles = oneOf(["clockAndIds", "fixture", "health", "requestWindows", "seeded"]);
const metaName: ColumnRule = {
  holds: (column) =>
    `(${singles.holds(column)}) OR (typeof(${column}) = 'text' AND ${column} GLOB '${passwordRow}?*' ` +
    `AND ${column} NOT GLOB '${passwordRow}*[^A-Za-z0-9_-]*')`,
  what: `${singles.what}, or ${passwordRow} and the id of a user`,
  isText: false,
};

/** Columns that hold something else than their name says, or one of some words. */
const rulesOfColumns: Readonly<Record<string, ColumnRule>> = {
  "meta.name": metaName,
  "organizations.plan": oneOf(planTypes),
  "organizations.status": oneOf(organizationStatuses),
  "members.role": oneOf(roles),
  "members.status": oneOf(memberStatuses),
  "api_keys.expires_at": time,
  "subscriptions.plan": oneOf(planTypes),
  "subscriptions.status": oneOf(subscriptionStatuses),
  // more than the emulator makes a row for in all of its time, and far from what can be counted no further
  "orders.number": whole(1, 1e9),
  "orders.status": oneOf(["paid", "pending", "failed"]),
  "orders.created_at": laterTime,
  "checkouts.plan": oneOf(checkoutPlanTypes),
  "databases.status": oneOf(databaseStatuses),
  "transaction_tokens.kind": oneOf(["get", "write"]),
  "transaction_tokens.token": text,
  "transaction_tokens.status": whole(200, 599),
  "sql_tables.created_at": {
    holds: (column) => `${column} = strftime('%Y-%m-%dT%H:%M:%fZ', ${column})`,
    what: "a time such as 2030-01-01T00:00:00.000Z",
    isText: false,
  },
  "sqlite_sequence.name": oneOf(["databases", "repositories", "sql_tables", "sql_indexes"]),
};

/** What messages name a row by, where that is not its primary key. */
const keys: Readonly<Record<string, readonly string[]>> = {
  organizations: ["organization_id"],
  members: ["organization_id", "email"],
  api_keys: ["api_key_id"],
  orders: ["order_id"],
  databases: ["database_id"],
  repositories: ["repository_id"],
  entities: ["repository_ref", "entity_id"],
  sqlite_sequence: ["name"],
};

const rulesOfRows: Readonly<Record<string, readonly RowRule[]>> = {
  members: [
    {
      holds: "(status = 'active') = (user_id IS NOT NULL AND joined_at IS NOT NULL)",
      fault: "is active without a user_id and a joined_at, or has both and is not",
    },
  ],
  subscriptions: [
    {
      holds: "status <> 'trialing' OR (trial_start IS NOT NULL AND trial_end IS NOT NULL)",
      fault: "is trialing without a trial_start or a trial_end",
    },
  ],
  orders: [
    {
      // the next one is named in this way, and has to find its name free
      holds: "order_id = 'order_' || substr(organization_id, 5) || '_' || number",
      fault: "has an order_id that does not follow from its organization_id and number",
    },
  ],
  checkouts: [
    {
      holds:
        "(completes_at IS NULL) = (subscription_id IS NULL) AND (completes_at IS NULL OR completed_at IS NULL)",
      fault: "waits for its completion without a subscription_id, or is completed already",
    },
  ],
};

/** The emulator's own tables. */
export const ownTables: readonly string[] = [
  ...[...schema.matchAll(/^CREATE TABLE (?:IF NOT EXISTS )?(\w+)/gm)].map(([, name = ""]) => name),
  "sqlite_sequence",
];

/**
 * The rules of one of the emulator's own tables.
 *
 * @param database has the tables of `schema`
 */
export function rulesOfTable(database: Database, table: string): TableRules {
  const [found] = database.exec(
    `SELECT name, "notnull" OR pk OR '${table}' = 'sqlite_sequence', pk FROM pragma_table_info('${table}') ORDER BY cid`,
  );
  const columns = (found?.values ?? []).map(([name, isNeeded, place]) => ({
    name: String(name),
    isNeeded: isNeeded === 1,
    place: Number(place),
  }));
  const primary = columns.filter(({ place }) => place > 0).sort((one, other) => one.place - other.place);
  return {
    key: keys[table] ?? primary.map(({ name }) => name),
    columns: Object.fromEntries(
      columns.map(({ name, isNeeded }) => {
        const rule = ruleOfColumn(table, name);
        return [name, isNeeded ? rule : orNull(rule)];
      }),
    ),
    rows: rulesOfRows[table] ?? [],
  };
}

function ruleOfColumn(table: string, column: string): ColumnRule {
  const rule = rulesOfColumns[`${table}.${column}`] ?? rulesByName.find(([name]) => name.test(column))?.[1];
  if (rule === undefined) throw new Error(`there is no rule for the column ${column} of ${table}`);
  return rule;
}
