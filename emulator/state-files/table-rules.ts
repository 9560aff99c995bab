import { planTypes } from "../../openapi/clauses/limits.js";
import { roles } from "../../openapi/schemas/roles.js";
import { checkoutPlanTypes, subscriptionStatuses } from "../../openapi/schemas/billing.js";
import { databaseStatuses } from "../../openapi/schemas/databases.js";
import { memberStatuses } from "../../openapi/schemas/members.js";
import { organizationStatuses } from "../../openapi/schemas/organizations.js";
import { passwordRow } from "../store/passwords.js";
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
  readonly key: readonly [string, ...string[]];
  readonly columns: Readonly<Record<string, ColumnRule>>;
  /** What else is true of every row, in SQL, and how a row is described of which it is not. */
  readonly rows?: readonly { readonly holds: string; readonly fault: string }[];
}

/** Rows that nothing but the order of their making numbers. */
const sequence = whole(1);
const count = whole();
/** More than the emulator makes a row for in all of its time, and far from what can be counted no further. */
const fewerCount = whole(1, 1e9);

/** What the emulator says of a world beside its tables. */
const singles = oneOf(["bearings", "fixture", "health", "requestWindows", "seeded"]);
const metaName: ColumnRule = {
  holds: (column) =>
    `(${singles.holds(column)}) OR (typeof(${column}) = 'text' AND ${column} GLOB '${passwordRow}?*' ` +
    `AND ${column} NOT GLOB '${passwordRow}*[^A-Za-z0-9_-]*')`,
  what: `${singles.what}, or ${passwordRow} and the id of a user`,
  isText: false,
};

/** Every table and every column of `schema`; the values of JSON columns are looked at apart. */
export const tableRules: Readonly<Record<string, TableRules>> = {
  meta: {
    key: ["name"],
    columns: { name: metaName, value: text },
  },
  users: {
    key: ["user_id"],
    columns: {
      user_id: identifier,
      email: text,
      name: text,
      avatar_url: orNull(text),
      password_hash: identifier,
      email_verified: flag,
      mfa_required: flag,
      personal_organization_id: identifier,
      created_at: time,
    },
  },
  organizations: {
    key: ["organization_id"],
    columns: {
      sequence,
      organization_id: identifier,
      name: text,
      slug: identifier,
      owner_user_id: identifier,
      is_personal: flag,
      plan: oneOf(planTypes),
      status: oneOf(organizationStatuses),
      billing_email: text,
      max_databases: count,
      max_api_keys: count,
      max_members: count,
      allowed_regions: orNull(json),
      require_mfa: flag,
      sso_enabled: flag,
      created_at: time,
      updated_at: time,
    },
  },
  members: {
    key: ["organization_id", "email"],
    columns: {
      sequence,
      organization_id: identifier,
      user_id: orNull(identifier),
      email: text,
      role: oneOf(roles),
      status: oneOf(memberStatuses),
      joined_at: orNull(time),
      invited_at: orNull(time),
      invited_by: orNull(identifier),
    },
    rows: [
      {
        holds: "(status = 'active') = (user_id IS NOT NULL AND joined_at IS NOT NULL)",
        fault: "is active without a user_id and a joined_at, or has both and is not",
      },
    ],
  },
  refresh_tokens: {
    key: ["token"],
    columns: {
      token: identifier,
      user_id: identifier,
      organization_id: identifier,
      expires_at: laterTime,
      used: flag,
    },
  },
  api_keys: {
    key: ["api_key_id"],
    columns: {
      sequence,
      api_key_id: identifier,
      key: identifier,
      organization_id: identifier,
      name: text,
      scopes: text,
      expires_at: orNull(time),
      created_at: time,
    },
  },
  subscriptions: {
    key: ["organization_id"],
    columns: {
      organization_id: identifier,
      subscription_id: identifier,
      plan: oneOf(planTypes),
      status: oneOf(subscriptionStatuses),
      anchor: laterTime,
      trial_start: orNull(time),
      trial_end: orNull(laterTime),
      trial_used: flag,
      cancel_at_period_end: flag,
      due_at: orNull(laterTime),
    },
    rows: [
      {
        holds: "status <> 'trialing' OR (trial_start IS NOT NULL AND trial_end IS NOT NULL)",
        fault: "is trialing without a trial_start or a trial_end",
      },
    ],
  },
  orders: {
    key: ["order_id"],
    columns: {
      order_id: identifier,
      organization_id: identifier,
      number: fewerCount,
      amount: count,
      status: oneOf(["paid", "pending", "failed"]),
      created_at: laterTime,
    },
    rows: [
      {
        // the next one is named in this way, and has to find its name free
        holds: "order_id = 'order_' || substr(organization_id, 5) || '_' || number",
        fault: "has an order_id that does not follow from its organization_id and number",
      },
    ],
  },
  checkouts: {
    key: ["checkout_id"],
    columns: {
      checkout_id: identifier,
      organization_id: identifier,
      plan: oneOf(checkoutPlanTypes),
      created_at: time,
      completes_at: orNull(laterTime),
      subscription_id: orNull(identifier),
      completed_at: orNull(time),
    },
    rows: [
      {
        holds:
          "(completes_at IS NULL) = (subscription_id IS NULL) AND (completes_at IS NULL OR completed_at IS NULL)",
        fault: "waits for its completion without a subscription_id, or is completed already",
      },
    ],
  },
  request_counts: {
    key: ["organization_id", "period_start"],
    columns: { organization_id: identifier, period_start: laterTime, requests: count },
  },
  databases: {
    key: ["database_id"],
    columns: {
      ref: sequence,
      database_id: identifier,
      organization_id: identifier,
      name: text,
      region: text,
      status: oneOf(databaseStatuses),
      ready_at: orNull(laterTime),
      settings: orNull(json),
      created_at: time,
      updated_at: time,
      item_count: count,
      storage_bytes: count,
      read_units: count,
      write_units: count,
      usage_updated_at: time,
    },
  },
  items: {
    key: ["database_ref", "pk", "sk"],
    columns: {
      database_ref: sequence,
      pk: text,
      sk: text,
      data: json,
      bytes: count,
      created_at: time,
      updated_at: time,
    },
  },
  repositories: {
    key: ["repository_id"],
    columns: {
      ref: sequence,
      repository_id: identifier,
      database_ref: sequence,
      name: text,
      entity_name: text,
      schema: json,
      schema_hash: identifier,
      item_count: count,
      storage_bytes: count,
      last_sequence: count,
      created_at: time,
      updated_at: time,
    },
  },
  entities: {
    key: ["repository_ref", "entity_id"],
    columns: {
      repository_ref: sequence,
      sequence,
      entity_id: identifier,
      data: json,
      bytes: count,
      version: sequence,
      created_at: time,
      updated_at: time,
    },
  },
  transaction_tokens: {
    key: ["database_ref", "kind", "token"],
    columns: {
      database_ref: sequence,
      kind: oneOf(["get", "write"]),
      token: text,
      body_hash: text,
      status: whole(200, 599),
      body: json,
      expires_at: laterTime,
    },
  },
  sql_tables: {
    key: ["table_id"],
    columns: {
      table_id: sequence,
      database_id: identifier,
      name: text,
      created_at: {
        holds: (column) => `${column} = strftime('%Y-%m-%dT%H:%M:%fZ', ${column})`,
        what: "a time such as 2030-01-01T00:00:00.000Z",
        isText: false,
      },
      row_count: count,
      bytes: count,
      definition: json,
    },
  },
  sql_indexes: {
    key: ["index_id"],
    columns: {
      index_id: sequence,
      database_id: identifier,
      name: text,
      table_id: sequence,
      column_ids: json,
      is_unique: flag,
    },
  },
  sqlite_sequence: {
    key: ["name"],
    columns: {
      name: oneOf(["databases", "repositories", "sql_tables", "sql_indexes"]),
      seq: count,
    },
  },
};
