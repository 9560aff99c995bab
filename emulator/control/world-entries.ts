import { isDeepStrictEqual } from "node:util";
import type { components } from "../../openapi/generated/control-plane-types.js";
import { defaultProfile } from "../../openapi/gaps/profile.js";
import { Problem } from "../domain/problem.js";
import { emulatorLimits } from "../memory/limits.js";
import type { DatabaseRow } from "../store/databases.js";
import type { Store } from "../store/store.js";
import { findSubscription } from "../billing/subscription.js";
import { getField } from "../json/json-value.js";
import { toPlainValue } from "../json/to-plain.js";
import { rawJson, stringifyBody } from "../json/stringify-body.js";
import { stringifyJson } from "../json/stringify-json.js";
import { formatTimestamp, formatTimestampOrNull } from "../time/timestamp.js";
import { applyDueChanges } from "../world/apply-due-changes.js";
import { readTableRows } from "../world/read-table-rows.js";
import type { World } from "../world/world.js";

type Schemas = components["schemas"];
type Values = Readonly<Record<string, unknown>>;

/** An entry of a world. */
interface Entry extends Pick<Schemas["SnapshotEntry"], "kind" | "id"> {
  /** Identifies the entry among all entries of the world. */
  readonly key: string;
  /** The value. It is shown only if it differs, because writing and parsing all values would take long. */
  readonly row: object;
  /** A part of the value that is compared, but not shown. */
  readonly hidden?: string | undefined;
}

type WorldEntries = ReadonlyMap<string, Entry>;

/** Lists the differences between two worlds. */
export function compareEntries(before: WorldEntries, after: WorldEntries): Schemas["SnapshotChanges"] {
  const missingIn = (others: WorldEntries, entries: WorldEntries) =>
    [...entries.values()]
      .filter(({ key }) => !others.has(key))
      .map((entry) => ({ kind: entry.kind, id: entry.id, value: showValue(entry) }));
  return {
    added: missingIn(before, after),
    changed: [...after.values()].flatMap((entry) => {
      const { key, kind, id, row, hidden } = entry;
      const was = before.get(key);
      if (was === undefined || (was.hidden === hidden && isDeepStrictEqual(was.row, row))) return [];
      return [{ kind, id, before: showValue(was), after: showValue(entry) }];
    }),
    removed: missingIn(after, before),
  };
}

/**
 * Collects all entries of a world, after applying the changes that are due.
 *
 * @throws a problem `limit-reached` if the world is very large
 */
export function collectWorldEntries({ store, clock }: World): WorldEntries {
  const { comparedBytes, comparedRowValues } = emulatorLimits;
  rejectLargeState(store.size(), comparedBytes, "bytes");
  rejectLargeState(countRowValues(store), comparedRowValues, "values in SQL rows");
  applyDueChanges(store, clock.now());
  const entries = new Map<string, Entry>();
  for (const entry of listEntries(store)) entries.set(entry.key, entry);
  return entries;
}

function rejectLargeState(count: number, max: number, unit: string): void {
  if (count > max)
    throw new Problem(
      "limit-reached",
      `The emulator compares only states of at most ${max} ${unit}; this state has ${count}. ` +
        "Compare a namespace with less data.",
    );
}

/** Counts the values in all SQL rows. NULL takes only a byte of the state, but as much time as other values. */
function countRowValues(store: Store): number {
  const sizes = store.databases
    .all()
    .flatMap(({ databaseId }) =>
      store.sql
        .listTables(databaseId)
        .map(({ name, rowCount }) => rowCount * readTable(store, databaseId, name).columns.length),
    );
  return sizes.reduce((sum, size) => sum + size, 0);
}

function readTable(store: Store, databaseId: string, name: string) {
  return store.sql.tableSchema(name, { databaseId, profile: defaultProfile });
}

function* listEntries(store: Store): Generator<Entry> {
  for (const { userId, passwordHash, ...user } of store.users.all())
    yield createEntry("user", { userId }, user, passwordHash);
  for (const { organizationId, ...organization } of store.organizations.all()) {
    const { status, trialEnd, cancelAtPeriodEnd } = findSubscription(store, organizationId);
    const subscription = { status, trialEnd: formatTimestampOrNull(trialEnd), cancelAtPeriodEnd };
    yield createEntry("organization", { organizationId }, { ...organization, subscription });
    for (const { email, ...member } of store.organizations.membersOf(organizationId))
      yield createEntry("member", { organizationId, email }, member);
  }
  for (const { apiKeyId, ...apiKey } of store.credentials.allApiKeys())
    yield createEntry("apiKey", { apiKeyId }, apiKey);
  for (const database of store.databases.all()) yield* listDatabaseEntries(store, database);
}

function* listDatabaseEntries(store: Store, database: DatabaseRow): Generator<Entry> {
  const { ref, databaseId, settings } = database;
  const shown = pick(database, "organizationId", "name", "region", "status", "readyAt", ...times);
  yield createEntry("database", { databaseId }, { ...shown, settings: rawJson(settings ?? "null") });
  for (const item of store.items.allOf(ref)) {
    const id = { databaseId, pk: item.pk, sk: item.sk === "" ? null : item.sk };
    const { data, createdAt, updatedAt } = item;
    yield createEntry("item", id, { data: rawJson(data), createdAt, updatedAt });
  }
  for (const repository of store.repositories.allOf(ref)) {
    const { repositoryId, schema } = repository;
    const shown = pick(repository, "name", "entityName", ...times);
    yield createEntry("repository", { repositoryId }, { databaseId, ...shown, schema: rawJson(schema) });
    for (const entity of store.entities.allOf(repository.ref)) {
      const { entityId, data, version, createdAt, updatedAt } = entity;
      const id = { repositoryId, entityId };
      yield createEntry("entity", id, { data: rawJson(data), version, createdAt, updatedAt });
    }
  }
  for (const { name, rowCount, createdAt } of store.sql.listTables(databaseId)) {
    const table = readTable(store, databaseId, name);
    const { primaryKey, indexes } = table;
    const columns = table.columns.map((column) => ({
      ...column,
      defaultValue: toPlainValue(column.defaultValue),
    }));
    yield createEntry("table", { databaseId, table: name }, { columns, primaryKey, indexes, createdAt });
    // Planning a query of many columns takes long.
    if (rowCount === 0) continue;
    const keyColumns = [...primaryKey.partitionKeys, ...primaryKey.clusteringKeys];
    for (const row of readTableRows(store, databaseId, name)) {
      const values = keyColumns.map((column) => getField(row, column) ?? null);
      const key = Object.fromEntries(
        keyColumns.map((column, at) => [column, toPlainValue(values[at] ?? null)]),
      );
      yield {
        kind: "row",
        id: { databaseId, table: name, key },
        // Different numbers may be equal as doubles.
        key: `row ${stringifyJson([databaseId, name, ...values])}`,
        // Equal numbers may be in different forms.
        row: rawJson(stringifyJson(row)),
      };
    }
  }
}

const times = ["createdAt", "updatedAt"] as const;

/** Returns some fields of a row. */
function pick<Row, Name extends keyof Row>(row: Row, ...names: readonly Name[]): Pick<Row, Name> {
  return Object.fromEntries(names.map((name) => [name, row[name]])) as Pick<Row, Name>;
}

/** Creates the entry for a row of a table. */
function createEntry(kind: Entry["kind"], id: Values, row: object, hidden?: string): Entry {
  return { kind, id, key: `${kind} ${JSON.stringify(id)}`, row, hidden };
}

/** Returns the fields of an entry's value that are not part of its id, as plain JSON. */
function showValue({ kind, id, row }: Entry): Values {
  if (kind === "row") return JSON.parse(stringifyBody(row)) as Values;
  const shown = Object.entries(row).filter(([name]) => !(name in id));
  const value = shown.map(([name, field]): [string, unknown] => [
    name,
    name.endsWith("At") && typeof field === "number" ? formatTimestamp(field) : (field as unknown),
  ]);
  return JSON.parse(stringifyBody(Object.fromEntries(value))) as Values;
}
