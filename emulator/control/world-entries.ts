import type { entryKinds } from "../../openapi/control-plane/namespaces.js";
import type { components } from "../../openapi/generated/control-plane-types.js";
import { defaultProfile } from "../../openapi/gaps/profile.js";
import { findSubscription } from "../billing/subscription.js";
import { toPlainValue } from "../json/to-plain.js";
import { stringifyJson } from "../json/stringify-json.js";
import { formatTimestamp, formatTimestampOrNull } from "../time/timestamp.js";
import { applyDueChanges } from "../world/apply-due-changes.js";
import { readTableRows } from "../world/read-table-rows.js";
import type { World } from "../world/world.js";

type SnapshotChanges = components["schemas"]["SnapshotChanges"];
type Values = Readonly<Record<string, unknown>>;

/** An entry of a world. */
interface Entry {
  readonly kind: (typeof entryKinds)[number];
  /** Identifies the entry among those of its kind. */
  readonly id: Values;
  readonly value: Values;
  /** Data as it was written, with every digit. */
  readonly exact: string;
}

export type WorldEntries = ReadonlyMap<string, Entry>;

/** The additions, changes and removals that turn one world into the other. */
export function compareEntries(before: WorldEntries, after: WorldEntries): SnapshotChanges {
  const missingIn = (others: WorldEntries, entries: WorldEntries) =>
    [...entries].flatMap(([key, { kind, id, value }]) => (others.has(key) ? [] : [{ kind, id, value }]));
  return {
    added: missingIn(before, after),
    changed: [...after].flatMap(([key, entry]) => {
      const was = before.get(key);
      const { kind, id, value } = entry;
      if (was === undefined || (was.exact === entry.exact && textOf(was.value) === textOf(value))) return [];
      return [{ kind, id, before: was.value, after: value }];
    }),
    removed: missingIn(after, before),
  };
}

function textOf(value: unknown): string {
  return JSON.stringify(value);
}

/** Lists everything in a world that is compared, after applying what is due on its clock. */
export function collectWorldEntries({ store, clock }: World): WorldEntries {
  applyDueChanges(store, clock.now());
  const entries = new Map<string, Entry>();
  const add = (kind: Entry["kind"], id: Values, row: object, exact = "") => {
    const beside = Object.entries(row).filter(([name]) => !(name in id));
    const value = Object.fromEntries(kind === "row" ? Object.entries(row) : beside.map(withTimestamp));
    entries.set(textOf([kind, id]), { kind, id, value, exact });
  };
  for (const { passwordHash, ...user } of store.users.all())
    add("user", { userId: user.userId }, user, passwordHash);
  for (const row of store.organizations.all()) {
    const { organizationId } = row;
    const { status, trialEnd, cancelAtPeriodEnd } = findSubscription(store, organizationId);
    const subscription = { status, trialEnd: formatTimestampOrNull(trialEnd), cancelAtPeriodEnd };
    add("organization", { organizationId }, { ...row, subscription });
    for (const member of store.organizations.membersOf(organizationId))
      add("member", { organizationId, email: member.email }, member);
  }
  for (const key of store.credentials.allApiKeys()) add("apiKey", { apiKeyId: key.apiKeyId }, key);
  for (const row of store.databases.all()) {
    const { ref, databaseId, organizationId, name, region, status, settings } = row;
    const { readyAt, createdAt, updatedAt } = row;
    const value = { organizationId, name, region, status, readyAt, createdAt, updatedAt };
    add("database", { databaseId }, { ...value, settings: parsed(settings ?? "null") }, settings ?? "");
    for (const { pk, sk, data, createdAt, updatedAt } of store.items.scan(ref, "", "", -1))
      add(
        "item",
        { databaseId, pk, sk: sk === "" ? null : sk },
        { data: parsed(data), createdAt, updatedAt },
        data,
      );
    for (const repository of store.repositories.allOf(ref)) {
      const { repositoryId, name, entityName, schema, createdAt, updatedAt } = repository;
      const value = { databaseId, name, entityName, schema: parsed(schema), createdAt, updatedAt };
      add("repository", { repositoryId }, value, schema);
      for (const entity of store.entities.allOf(repository.ref)) {
        const { id: entityId, data, version, createdAt, updatedAt } = entity;
        add(
          "entity",
          { repositoryId, entityId },
          { data: parsed(data), version, createdAt, updatedAt },
          data,
        );
      }
    }
    for (const { name: table, createdAt } of store.sql.listTables(databaseId)) {
      const schema = store.sql.tableSchema(table, { databaseId, profile: defaultProfile });
      const { columns, primaryKey, indexes } = schema;
      const shown = columns.map((column) => ({ ...column, defaultValue: toPlainValue(column.defaultValue) }));
      add("table", { databaseId, table }, { columns: shown, primaryKey, indexes, createdAt });
      const keyColumns = [...primaryKey.partitionKeys, ...primaryKey.clusteringKeys];
      for (const row of readTableRows(store, databaseId, table)) {
        const value = toPlainValue(row) as Values;
        const key = Object.fromEntries(keyColumns.map((column) => [column, value[column]]));
        add("row", { databaseId, table, key }, value, stringifyJson(row));
      }
    }
  }
  return entries;
}

function parsed(text: string): unknown {
  return JSON.parse(text);
}

/** Formats the times of a row, which are in milliseconds; times in data belong to the caller. */
function withTimestamp([name, value]: [string, unknown]): [string, unknown] {
  return [name, name.endsWith("At") && typeof value === "number" ? formatTimestamp(value) : value];
}
