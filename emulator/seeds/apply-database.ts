import { defaultProfile } from "../../openapi/gaps/profile.js";
import type { UserCaller } from "../access/caller.js";
import { type JsonObject, type JsonValue, getFieldEntries } from "../json/json-value.js";
import { foldIdentifier, parseSql } from "../sql/grammar/parse-sql.js";
import { createSqlValidationError } from "../sql/grammar/sql-error.js";
import type { Statement } from "../sql/grammar/syntax.js";
import { quoteName } from "../sqlite/quote-name.js";
import { formatTimestamp } from "../time/timestamp.js";
import type { CompleteDatabase } from "./complete-seed.js";
import { toRequestBody, type SeedService } from "./seed-service.js";

/** What creating a part of a database needs. */
interface Place {
  readonly service: SeedService;
  readonly databaseId: string;
  readonly ref: number;
  readonly by: UserCaller;
}

/** Creates a database and its contents. @param by the owner of its organization */
export function applySeedDatabase(service: SeedService, database: CompleteDatabase, by: UserCaller): void {
  const { pointer, id: databaseId, name, region, settings, createdAt: at } = database;
  const isMade = service.try(pointer, () =>
    service.call("createDatabase", {}, toRequestBody({ name, region, settings }), {
      by,
      at,
      ids: { db: databaseId },
    }),
  );
  if (!isMade) return;
  const { databases } = service.store;
  const ref = databases.find(databaseId)?.ref;
  if (ref === undefined) throw new Error("a newly created database has no row");
  const place = { service, databaseId, ref, by };
  for (const item of database.items) applyItem(place, item);
  for (const repository of database.repositories) applyRepository(place, repository);
  for (const table of database.tables) applyTable(place, table);
  const { status, readyAt, updatedAt } = database;
  databases.setState(ref, { status, readyAt, updatedAt });
}

function applyItem(
  { service, databaseId, ref, by }: Place,
  { pointer, pk, sk, data, createdAt: at, updatedAt }: CompleteDatabase["items"][number],
): void {
  service.try(pointer, () => {
    service.call("putItem", { databaseId }, toRequestBody({ pk, sk, data }), { by, at });
    const row = service.store.items.get(ref, pk, sk ?? "");
    if (row === undefined) throw new Error("an item is missing after it was put");
    if (row.createdAt !== at || row.updatedAt !== at)
      service.mistakes.add(pointer, "another item has the same keys");
    if (updatedAt !== at) service.store.items.put(ref, { ...row, updatedAt });
  });
}

function applyRepository(
  { service, databaseId, by }: Place,
  repository: CompleteDatabase["repositories"][number],
): void {
  const { pointer, id: repositoryId, name, entityName, schema, entities, updatedAt } = repository;
  const { store } = service;
  const isMade = service.try(pointer, () => {
    const making = { by, at: repository.createdAt, ids: { repo: repositoryId } };
    service.call("createRepository", { databaseId }, toRequestBody({ name, entityName, schema }), making);
  });
  const row = isMade ? store.repositories.byId(repositoryId) : undefined;
  if (row === undefined) return;
  const { ref } = row;
  for (const { pointer: place, id, data, version, createdAt: at, updatedAt } of entities)
    service.try(place, () => {
      service.call("createEntity", { repositoryId }, toRequestBody({ data }), { by, at, ids: { ent: id } });
      const made = store.entities.get(ref, id);
      if (made === undefined) throw new Error("an entity is missing after it was created");
      if (version !== 1 || updatedAt !== at) store.entities.update(ref, { ...made, version, updatedAt });
    });
  if (updatedAt !== undefined) store.repositories.setUpdatedAt(ref, updatedAt);
}

/** Creates a table with its statements, and each row with an INSERT with parameters. */
function applyTable(
  { service, databaseId, by }: Place,
  { pointer, create, indexes, rows, createdAt: at }: CompleteDatabase["tables"][number],
): void {
  // creating tables does not count as usage, but inserting rows does
  const define = (sql: string) => {
    const { body } = service.request("executeSql", { databaseId }, toRequestBody({ sql }));
    const context = {
      databaseId,
      permission: "admin",
      now: formatTimestamp(at),
      profile: defaultProfile,
    } as const;
    service.store.sql.execute(body.sql, context);
  };
  let name = "";
  const isMade = service.try(`${pointer}/create`, () => {
    const statement = read(create);
    if (statement.kind !== "create-table") throw createSqlValidationError("must be a CREATE TABLE statement");
    name = statement.table;
    define(create);
  });
  if (!isMade) return;
  indexes?.forEach((sql, index) =>
    service.try(`${pointer}/indexes/${index}`, () => {
      const statement = read(sql);
      if (statement.kind !== "create-index" || statement.table !== name)
        throw createSqlValidationError(`must be a CREATE INDEX statement for ${name}`);
      define(sql);
    }),
  );
  const { columns } = service.store.sql.tableSchema(name, { databaseId, profile: defaultProfile });
  const known = new Set(columns.map((column) => column.name));
  rows?.forEach((row, index) =>
    service.try(`${pointer}/rows/${index}`, () => {
      const values = [...getFieldEntries(row as JsonObject)];
      const names = values.map(([column]) =>
        known.has(column) ? column : foldIdentifier(column, defaultProfile["sql-identifier-case"]),
      );
      if (names.length === 0) throw createSqlValidationError("must have a value for each primary-key column");
      const sql =
        `INSERT INTO ${quoteName(name)} (${names.map(quoteName).join(", ")}) ` +
        `VALUES (${names.map(() => "?").join(", ")})`;
      const parameters = new Map(values.map(([, value], at): [string, JsonValue] => [`p${at + 1}`, value]));
      service.call("runSqlQuery", { databaseId }, toRequestBody({ sql, parameters }), { by, at });
    }),
  );
}

function read(sql: string): Statement {
  return parseSql(sql, defaultProfile["sql-identifier-case"]).statement;
}
