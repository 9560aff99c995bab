import type { entryKinds } from "../../openapi/control-plane/namespace-operations.js";
import type { components } from "../../openapi/generated/control-plane-types.js";
import { defaultProfile } from "../../openapi/gaps/profile.js";
import { findSubscription } from "../billing/subscription.js";
import { toPlain } from "../json/to-plain.js";
import { stringifyJson } from "../json/stringify-json.js";
import { formatTimestamp } from "../time/timestamp.js";
import { applyDueChanges } from "../world/apply-due-changes.js";
import { rowsIn } from "../world/rows-in.js";
import type { World } from "../world/world.js";

type SnapshotChanges = components["schemas"]["SnapshotChanges"];
type Values = Readonly<Record<string, unknown>>;

/** One thing in a world. */
interface Entry {
  readonly kind: (typeof entryKinds)[number];
  /** Names it among those of its kind. */
  readonly id: Values;
  readonly value: Values;
  /** Data as they were written, every digit of them. */
  readonly exact: string;
}

export type WorldEntries = ReadonlyMap<string, Entry>;

/** What has to be added, changed and removed to turn the one world into the other. */
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

/** Everything in a world that a comparison looks at; what is due by its clock happens first. */
export function worldEntries({ store, clock }: World): WorldEntries {
  applyDueChanges(store, clock.now());
  const entries = new Map<string, Entry>();
  const add = (kind: Entry["kind"], id: Values, value: Values, exact = "") =>
    entries.set(textOf([kind, id]), {
      kind,
      id,
      value: kind === "row" ? value : withTimestamps(value),
      exact,
    });
  for (const { userId, passwordHash, ...user } of store.users.all())
    add("user", { userId }, user, passwordHash);
  for (const { organizationId, ...organization } of store.organizations.all()) {
    const { organizationId: _, ...subscription } = findSubscription(store, organizationId);
    add("organization", { organizationId }, { ...organization, subscription: withTimestamps(subscription) });
    for (const { organizationId: _, email, ...member } of store.organizations.membersOf(organizationId))
      add("member", { organizationId, email }, member);
  }
  for (const { apiKeyId, ...key } of store.credentials.allApiKeys()) add("apiKey", { apiKeyId }, key);
  for (const { ref, databaseId, usage: _, settings, ...database } of store.databases.all()) {
    add("database", { databaseId }, { ...database, settings: parsed(settings ?? "null") }, settings ?? "");
    for (const { pk, sk, data, createdAt, updatedAt } of store.items.scan(ref, "", "", -1))
      add(
        "item",
        { databaseId, pk, sk: sk === "" ? null : sk },
        { data: parsed(data), createdAt, updatedAt },
        data,
      );
    for (const repository of store.repositories.page(ref, 0, Number.MAX_SAFE_INTEGER)) {
      const { repositoryId, name, entityName, schema, createdAt, updatedAt } = repository;
      const value = { databaseId, name, entityName, schema: parsed(schema), createdAt, updatedAt };
      add("repository", { repositoryId }, value, schema);
      for (const entity of store.entities.page(repository.ref, false, undefined, Number.MAX_SAFE_INTEGER)) {
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
      const { tableName: _, columns, ...keys } = schema;
      const shown = columns.map((column) => ({ ...column, defaultValue: toPlain(column.defaultValue) }));
      add("table", { databaseId, table }, { columns: shown, ...keys, createdAt });
      const keyColumns = [...schema.primaryKey.partitionKeys, ...schema.primaryKey.clusteringKeys];
      for (const row of rowsIn(store, databaseId, table)) {
        const value = toPlain(row) as Values;
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

/** Times of rows are in milliseconds; times in data are the caller's. */
function withTimestamps(row: Values): Values {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === "number" && /(?:At|anchor|trialStart|trialEnd)$/.test(name)
        ? formatTimestamp(value)
        : value,
    ]),
  );
}
