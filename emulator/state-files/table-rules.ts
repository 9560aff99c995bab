import type { Database } from "sql.js";
import { planTypes } from "../../openapi/clauses/limits.js";
import { checkoutPlanTypes, subscriptionStatuses } from "../../openapi/schemas/billing.js";
import { databaseStatuses } from "../../openapi/schemas/databases.js";
import { memberStatuses } from "../../openapi/schemas/members.js";
import { organizationStatuses } from "../../openapi/schemas/organizations.js";
import { roles } from "../../openapi/schemas/roles.js";
import { passwordRowPrefix } from "../store/meta.js";
import { tablesSql } from "../store/schema.js";
import { maxTime } from "../time/timestamp.js";

/** The rules for a table of a state. */
interface TableRules {
  /** The columns that identify a row in messages. */
  readonly key: readonly string[];
  /** An SQL condition for the values of each column. */
  readonly columns: Readonly<Record<string, string>>;
  /** The columns that may contain text from users. */
  readonly texts: readonly string[];
}

/** Builds an SQL condition for the values of a column. */
type ColumnRule = (column: string) => string;

const text: ColumnRule = (column) => `typeof(${column}) = 'text'`;

/** Generated values: ids, tokens, hashes. */
const identifier: ColumnRule = (column) =>
  `typeof(${column}) = 'text' AND length(${column}) BETWEEN 1 AND 128 AND ${column} NOT GLOB '*[^A-Za-z0-9_-]*'`;

/** Unreserved characters of URLs (gap `slug-form`). */
const slug: ColumnRule = (column) =>
  `typeof(${column}) = 'text' AND length(${column}) BETWEEN 1 AND 128 AND ${column} NOT GLOB '*[^A-Za-z0-9._~-]*'`;

/** A whole number that can still be increased very often. */
const wholeNumber =
  (min = 0, max = 2 ** 52): ColumnRule =>
  (column) =>
    `typeof(${column}) = 'integer' AND ${column} BETWEEN ${min} AND ${max}`;

const oneOf =
  (...words: readonly string[]): ColumnRule =>
  (column) =>
    `${column} IN (${words.map((word) => `'${word}'`).join(", ")})`;

/** A time in milliseconds since 1970. */
const time = wholeNumber(0, maxTime);

/** A time that was computed from another time, and may be after the last time of a clock. */
const laterTime = wholeNumber(0, maxTime + 400 * 24 * 60 * 60 * 1000);

/** Columns that `check-json-columns.ts` checks. */
const json = /^(?:data|schema|settings|definition|column_ids|allowed_regions|body)$/;

/** The rules of columns by name. The first matching rule applies. */
const rulesByName: readonly (readonly [name: RegExp, rule: ColumnRule])[] = [
  [/^(?:sequence|version|ref|table_id|index_id)$|_ref$/, wholeNumber(1)],
  [/_id$|^(?:key|token|invited_by|password_hash|schema_hash)$/, identifier],
  [/^(?:anchor|trial_end|due_at|completes_at|ready_at|period_start|expires_at)$/, laterTime],
  [/_at$|^trial_start$/, time],
  [
    /^is_|^(?:email_verified|mfa_required|require_mfa|sso_enabled|used|trial_used|cancel_at_period_end)$/,
    wholeNumber(0, 1),
  ],
  [/_(?:count|bytes|units)$|^max_|^(?:bytes|amount|requests|last_sequence|seq)$/, wholeNumber()],
  [json, text],
  [/^(?:pk|sk|name|email|avatar_url|billing_email|region|entity_name|scopes|value|body_hash)$/, text],
];

/** The rules of columns that differ from those of the same name in other tables, or have a fixed set of values. */
const rulesByColumn: Readonly<Record<string, ColumnRule>> = {
  "meta.name": (column) =>
    `${oneOf("clockAndIds", "fixture", "health", "requestWindows", "seeded")(column)} ` +
    `OR (${column} GLOB '${passwordRowPrefix}?*' AND ${column} NOT GLOB '${passwordRowPrefix}*[^A-Za-z0-9_-]*')`,
  "organizations.slug": slug,
  "organizations.plan": oneOf(...planTypes),
  "organizations.status": oneOf(...organizationStatuses),
  "members.role": oneOf(...roles),
  "members.status": oneOf(...memberStatuses),
  "api_keys.expires_at": time,
  "subscriptions.plan": oneOf(...planTypes),
  "subscriptions.status": oneOf(...subscriptionStatuses),
  "orders.number": wholeNumber(1),
  "orders.status": oneOf("paid", "pending", "failed"),
  "orders.created_at": laterTime,
  "checkouts.plan": oneOf(...checkoutPlanTypes),
  "databases.status": oneOf(...databaseStatuses),
  "transaction_tokens.kind": oneOf("get", "write"),
  "transaction_tokens.token": text,
  "transaction_tokens.status": wholeNumber(200, 599),
  "sql_tables.created_at": (column) => `${column} = strftime('%Y-%m-%dT%H:%M:%fZ', ${column})`,
  "sqlite_sequence.name": oneOf("databases", "repositories", "sql_tables", "sql_indexes"),
};

/** The columns that identify a row in messages, if not the primary key. */
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

/** The emulator's own tables. */
export const serviceTables: readonly string[] = [
  ...[...tablesSql.matchAll(/^CREATE TABLE (?:IF NOT EXISTS )?(\w+)/gm)].map(([, name = ""]) => name),
  "sqlite_sequence",
];

/** Returns the rules for one of the emulator's own tables. @param database contains the tables */
export function getTableRules(database: Database, table: string): TableRules {
  const [found] = database.exec(
    `SELECT name, "notnull" OR pk OR '${table}' = 'sqlite_sequence', pk FROM pragma_table_info('${table}')`,
  );
  const columns = (found?.values ?? []) as [name: string, isNeeded: number, place: number][];
  const primary = columns.filter(([, , place]) => place > 0).sort(([, , one], [, , other]) => one - other);
  const rules = columns.map(([name, isNeeded]) => {
    const rule = rulesByColumn[`${table}.${name}`] ?? rulesByName.find(([names]) => names.test(name))?.[1];
    if (rule === undefined) throw new Error(`there is no rule for the column ${name} of ${table}`);
    return { name, rule, isNeeded };
  });
  return {
    key: keys[table] ?? primary.map(([name]) => name),
    columns: Object.fromEntries(
      rules.map(({ name, rule, isNeeded }) => [
        name,
        isNeeded === 1 ? rule(name) : `${name} IS NULL OR (${rule(name)})`,
      ]),
    ),
    texts: rules
      .filter(({ name, rule }) => (rule === text || rule === identifier) && !json.test(name))
      .map(({ name }) => name),
  };
}
