import type { worldEntryKinds } from "../../openapi/control-plane/namespaces.js";
import type { components } from "../../openapi/generated/control-plane-types.js";
import { defaultProfile } from "../../openapi/gaps/profile.js";
import { Problem } from "../domain/problem.js";
import { emulatorLimits } from "../memory/limits.js";
import type { DatabaseRow } from "../store/databases.js";
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
  /** Called for entries that differ: parsing all would take long. */
  readonly getValue: () => Values;
  /** Text of the value, in which data is as it was written, with every digit. */
  readonly exact: string;
}

export type WorldEntries = ReadonlyMap<string, Entry>;

/**
 * The additions, changes and removals that turn one world into the other.
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
 * Lists everything in a world that is compared, after applying what is due on its clock.
 *
 * @throws a problem `limit-reached` if it has very many or very large items, entities and rows
 */
export function collectWorldEntries({ store, clock }: World): WorldEntries {
  applyDueChanges(store, clock.now());
  const entries = new Map<string, Entry>();
  let left = emulatorLimits.comparedEntries;
  const spend = (cost: number) => {
    left -= cost;
    if (left < 0) throw createTooManyEntriesProblem();
  };
  const databases = store.databases.all();
  // before anything in them is read
  spend(estimateCost(store, databases));
  const addLazily = (
    kind: Entry["kind"],
    id: Values,
    exact: string,
    getValue: () => Values,
    exactId = JSON.stringify(id),
  ) => entries.set(`${kind} ${exactId}`, { kind, id, getValue, exact });
  const add = (kind: Entry["kind"], id: Values, row: object, more = "") => {
    const beside = Object.entries(row).filter(([name]) => !(name in id));
    const value = Object.fromEntries(beside.map(withTimestamp));
    const exact = `${JSON.stringify(value)}${more}`;
    spend(costOfObject + exact.length / charactersOfEntry);
    addLazily(kind, id, exact, () => value);
  };
  const addWithData = (kind: Entry["kind"], id: Values, data: string, row: object) => {
    const others = Object.entries(row).map(withTimestamp);
    addLazily(kind, id, `${JSON.stringify(others)}${data}`, () => ({
      data: parsed(data),
      ...Object.fromEntries(others),
    }));
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
  for (const row of databases) {
    const { ref, databaseId, organizationId, name, region, status, settings } = row;
    const { readyAt, createdAt, updatedAt } = row;
    const value = { organizationId, name, region, status, readyAt, createdAt, updatedAt };
    add("database", { databaseId }, { ...value, settings: parsed(settings ?? "null") }, settings ?? "");
    for (const { pk, sk, data, createdAt, updatedAt } of store.items.scan(ref, "", "", -1))
      addWithData("item", { databaseId, pk, sk: sk === "" ? null : sk }, data, { createdAt, updatedAt });
    for (const repository of store.repositories.allOf(ref)) {
      const { repositoryId, name, entityName, schema, createdAt, updatedAt } = repository;
      const value = { databaseId, name, entityName, schema: parsed(schema), createdAt, updatedAt };
      add("repository", { repositoryId }, value, schema);
      for (const entity of store.entities.allOf(repository.ref)) {
        const { entityId, data, version, createdAt, updatedAt } = entity;
        addWithData("entity", { repositoryId, entityId }, data, { version, createdAt, updatedAt });
      }
    }
    for (const { name: table, rowCount, createdAt } of store.sql.listTables(databaseId)) {
      const schema = store.sql.tableSchema(table, { databaseId, profile: defaultProfile });
      const { columns, primaryKey, indexes } = schema;
      const shown = columns.map((column) => ({ ...column, defaultValue: toPlainValue(column.defaultValue) }));
      spend(columns.length * costOfColumn);
      add("table", { databaseId, table }, { columns: shown, primaryKey, indexes, createdAt });
      const keyColumns = [...primaryKey.partitionKeys, ...primaryKey.clusteringKeys];
      // planning a query of many columns takes long
      if (rowCount === 0) continue;
      spend(rowCount * Math.floor(columns.length / columnsOfRow));
      for (const row of readTableRows(store, databaseId, table)) {
        const values = keyColumns.map((column) => getField(row, column) ?? null);
        const key = Object.fromEntries(
          keyColumns.map((column, at) => [column, toPlainValue(values[at] ?? null)]),
        );
        addLazily(
          "row",
          { databaseId, table, key },
          stringifyJson(row),
          () => toPlainValue(row) as Values,
          // numbers that are different may be equal as doubles
          stringifyJson([databaseId, table, ...values]),
        );
      }
    }
  }
  return entries;
}

/** What counts as one entry more: so many columns of a row, and so many characters of any value. */
const columnsOfRow = 8;
const charactersOfEntry = 1024;
/** How many entries a user, an organization, a member or a table counts as, and a column in the definition of a table. */
const costOfObject = 5;
const costOfColumn = 4;

/** What the items, entities and rows cost, from their number and their bytes. */
function estimateCost({ databases, repositories, sql }: World["store"], all: readonly DatabaseRow[]): number {
  const count = databases.totals().items + repositories.totals().entities + sql.countTotals().sqlRows;
  const bytes = all.map(({ databaseId, storageBytes }) => storageBytes + sql.countStorageBytes(databaseId));
  return count + bytes.reduce((sum, one) => sum + one, 0) / charactersOfEntry;
}

function createTooManyEntriesProblem(): Problem {
  return new Problem(
    "limit-reached",
    `The emulator compares only states with at most ${emulatorLimits.comparedEntries} items, entities and rows in total. ` +
      "Each KiB of data counts as one more entry; a user, organization, member, table or wide row counts as several entries. " +
      "Use a namespace with less data for the comparison.",
  );
}

function parsed(text: string): unknown {
  return JSON.parse(text);
}

/** Formats the times of a row, which are in milliseconds; times in data belong to the caller. */
function withTimestamp([name, value]: [string, unknown]): [string, unknown] {
  return [name, name.endsWith("At") && typeof value === "number" ? formatTimestamp(value) : value];
}
