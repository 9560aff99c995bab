import type { worldEntryKinds } from "../../openapi/control-plane/namespaces.js";
import type { components } from "../../openapi/generated/control-plane-types.js";
import { defaultProfile } from "../../openapi/gaps/profile.js";
import { Problem } from "../domain/problem.js";
import { emulatorLimits } from "../memory/limits.js";
import type { DatabaseRow } from "../store/databases.js";
import type { OrganizationRow } from "../store/organizations.js";
import type { Store } from "../store/store.js";
import { findSubscription } from "../billing/subscription.js";
import { getField } from "../json/json-value.js";
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
  readonly kind: (typeof worldEntryKinds)[number];
  /** Identifies the entry among those of its kind. */
  readonly id: Values;
  /** Called only for entries that differ, because parsing all values would take long. */
  readonly getValue: () => Values;
  /** The value as text, with every digit of the data. */
  readonly exact: string;
}

export type WorldEntries = ReadonlyMap<string, Entry>;

/**
 * Lists the differences between two worlds.
 *
 * @throws a problem `limit-reached` if the values that differ are very large
 */
export function compareEntries(before: WorldEntries, after: WorldEntries): SnapshotChanges {
  rejectLargeDifferences(before, after);
  const missingIn = (others: WorldEntries, entries: WorldEntries) =>
    [...entries].flatMap(([key, { kind, id, getValue }]) =>
      others.has(key) ? [] : [{ kind, id, value: getValue() }],
    );
  return {
    added: missingIn(before, after),
    changed: [...after].flatMap(([key, entry]) => {
      const was = before.get(key);
      const { kind, id } = entry;
      if (was === undefined || was.exact === entry.exact) return [];
      return [{ kind, id, before: was.getValue(), after: entry.getValue() }];
    }),
    removed: missingIn(after, before),
  };
}

function rejectLargeDifferences(before: WorldEntries, after: WorldEntries): void {
  const { comparedCharacters } = emulatorLimits;
  let characters = 0;
  for (const [entries, others] of [
    [before, after],
    [after, before],
  ] as const)
    for (const [key, { exact }] of entries) if (others.get(key)?.exact !== exact) characters += exact.length;
  if (characters > comparedCharacters)
    throw new Problem(
      "limit-reached",
      `The differences have ${characters} characters in total, but a comparison shows at most ${comparedCharacters}. ` +
        "Compare with a snapshot that you saved shortly before the changes.",
    );
}

/**
 * Lists all entries of a world, after applying the changes that are due.
 *
 * @throws a problem `limit-reached` if it has very many or very large items, entities and rows
 */
export function collectWorldEntries({ store, clock }: World): WorldEntries {
  applyDueChanges(store, clock.now());
  const entries = new EntryCollector();
  const databases = store.databases.all();
  // Fails before it reads a large database.
  entries.spend(estimateCost(store, databases));
  for (const { passwordHash, ...user } of store.users.all())
    entries.addRow("user", { userId: user.userId }, user, passwordHash);
  for (const organization of store.organizations.all()) collectOrganization(store, organization, entries);
  for (const key of store.credentials.allApiKeys()) entries.addRow("apiKey", { apiKeyId: key.apiKeyId }, key);
  for (const database of databases) {
    collectDatabase(store, database, entries);
    for (const repository of store.repositories.allOf(database.ref))
      collectRepository(store, database, repository, entries);
    for (const table of store.sql.listTables(database.databaseId))
      collectTable(store, database, table, entries);
  }
  return entries.all;
}

/** The entries of a world, up to a total cost. */
class EntryCollector {
  readonly all = new Map<string, Entry>();
  #left: number = emulatorLimits.comparedEntries;

  /** @throws a problem `limit-reached` */
  spend(cost: number): void {
    this.#left -= cost;
    if (this.#left < 0)
      throw new Problem(
        "limit-reached",
        `The emulator compares only states with at most ${emulatorLimits.comparedEntries} items, entities and rows in total. ` +
          "Each KiB of data counts as one more entry; a user, organization, member, table or wide row counts as several entries. " +
          "Use a namespace with less data for the comparison.",
      );
  }

  add(entry: Entry, exactId = JSON.stringify(entry.id)): void {
    this.all.set(`${entry.kind} ${exactId}`, entry);
  }

  /** Adds a row of a table. @param hidden text that is compared, but not shown */
  addRow(kind: Entry["kind"], id: Values, row: object, hidden = ""): void {
    const fields = Object.entries(row).filter(([name]) => !(name in id));
    const value = Object.fromEntries(fields.map(withTimestamp));
    const exact = `${JSON.stringify(value)}${hidden}`;
    this.spend(objectCost + exact.length / charactersPerEntry);
    this.add({ kind, id, exact, getValue: () => value });
  }

  /** Adds an item or an entity, whose data is JSON text. */
  addWithData(kind: Entry["kind"], id: Values, data: string, row: object): void {
    const others = Object.entries(row).map(withTimestamp);
    const exact = `${JSON.stringify(others)}${data}`;
    this.add({ kind, id, exact, getValue: () => ({ data: parse(data), ...Object.fromEntries(others) }) });
  }
}

function collectOrganization(store: Store, row: OrganizationRow, entries: EntryCollector): void {
  const { organizationId } = row;
  const { status, trialEnd, cancelAtPeriodEnd } = findSubscription(store, organizationId);
  const subscription = { status, trialEnd: formatTimestampOrNull(trialEnd), cancelAtPeriodEnd };
  entries.addRow("organization", { organizationId }, { ...row, subscription });
  for (const member of store.organizations.membersOf(organizationId))
    entries.addRow("member", { organizationId, email: member.email }, member);
}

function collectDatabase(store: Store, row: DatabaseRow, entries: EntryCollector): void {
  const { ref, databaseId, organizationId, name, region, status, settings } = row;
  const { readyAt, createdAt, updatedAt } = row;
  const value = { organizationId, name, region, status, readyAt, createdAt, updatedAt };
  const shown = { ...value, settings: parse(settings ?? "null") };
  entries.addRow("database", { databaseId }, shown, settings ?? "");
  store.items.visit(ref, ({ pk, sk, data, createdAt: at, updatedAt: changedAt }) => {
    const times = { createdAt: at, updatedAt: changedAt };
    entries.addWithData("item", { databaseId, pk, sk: sk === "" ? null : sk }, data, times);
  });
}

function collectRepository(
  store: Store,
  { databaseId }: DatabaseRow,
  repository: ReturnType<Store["repositories"]["allOf"]>[number],
  entries: EntryCollector,
): void {
  const { ref, repositoryId, name, entityName, schema, createdAt, updatedAt } = repository;
  const value = { databaseId, name, entityName, schema: parse(schema), createdAt, updatedAt };
  entries.addRow("repository", { repositoryId }, value, schema);
  for (const { entityId, data, version, createdAt: at, updatedAt: changedAt } of store.entities.allOf(ref)) {
    const others = { version, createdAt: at, updatedAt: changedAt };
    entries.addWithData("entity", { repositoryId, entityId }, data, others);
  }
}

function collectTable(
  store: Store,
  { databaseId }: DatabaseRow,
  { name: table, rowCount, createdAt }: ReturnType<Store["sql"]["listTables"]>[number],
  entries: EntryCollector,
): void {
  const schema = store.sql.tableSchema(table, { databaseId, profile: defaultProfile });
  const { columns, primaryKey, indexes } = schema;
  const shown = columns.map((column) => ({ ...column, defaultValue: toPlainValue(column.defaultValue) }));
  entries.spend(columns.length * columnCost);
  entries.addRow("table", { databaseId, table }, { columns: shown, primaryKey, indexes, createdAt });
  // Planning a query of many columns takes long.
  if (rowCount === 0) return;
  entries.spend(rowCount * Math.floor(columns.length / columnsPerEntry));
  const keyColumns = [...primaryKey.partitionKeys, ...primaryKey.clusteringKeys];
  for (const row of readTableRows(store, databaseId, table)) {
    const values = keyColumns.map((column) => getField(row, column) ?? null);
    const key = Object.fromEntries(
      keyColumns.map((column, at) => [column, toPlainValue(values[at] ?? null)]),
    );
    const getValue = () => toPlainValue(row) as Values;
    entries.add(
      { kind: "row", id: { databaseId, table, key }, exact: stringifyJson(row), getValue },
      // Different numbers may be equal as doubles.
      stringifyJson([databaseId, table, ...values]),
    );
  }
}

/** The number of columns, and the number of characters, that cost as much as another entry. */
const columnsPerEntry = 8;
const charactersPerEntry = 1024;
/** The cost of a user, an organization, a member or a table, and of a column in the definition of a table. */
const objectCost = 5;
const columnCost = 4;

/** Estimates the cost of the items, entities and rows from their number and size. */
function estimateCost({ databases, repositories, sql }: Store, all: readonly DatabaseRow[]): number {
  const count = databases.totals().items + repositories.totals().entities + sql.countTotals().sqlRows;
  const bytes = all.map(({ databaseId, storageBytes }) => storageBytes + sql.countStorageBytes(databaseId));
  return count + bytes.reduce((sum, one) => sum + one, 0) / charactersPerEntry;
}

function parse(text: string): unknown {
  return JSON.parse(text);
}

/** Formats the times of a row, which are in milliseconds. */
function withTimestamp([name, value]: [string, unknown]): [string, unknown] {
  return [name, name.endsWith("At") && typeof value === "number" ? formatTimestamp(value) : value];
}
