import { defaultProfile } from "../../openapi/gaps/profile.js";
import type { UserCaller } from "../access/caller.js";
import { type JsonObject, type JsonValue, getFieldEntries } from "../json/json-value.js";
import { foldIdentifier, parseSql } from "../sql/grammar/parse-sql.js";
import { createSqlValidationError } from "../sql/grammar/sql-error.js";
import type { Statement } from "../sql/grammar/syntax.js";
import { quoteName } from "../sqlite/quote-name.js";
import { formatTimestamp } from "../time/timestamp.js";
import type { CompleteDatabase } from "./complete-seed.js";
import type { SeedService } from "./seed-service.js";

/** The database in which something is created. */
interface DatabaseContext {
  readonly service: SeedService;
  readonly databaseId: string;
  readonly ref: number;
  /** The owner of the organization. */
  readonly by: UserCaller;
}

/** Creates a database and its contents. @param by the owner of its organization */
export function applySeedDatabase(service: SeedService, database: CompleteDatabase, by: UserCaller): void {
  const { pointer, id: databaseId, name, region, settings, createdAt: at } = database;
  const isCreated = service.try(pointer, () => {
    const creation = { by, at, ids: { db: databaseId } };
    service.call("createDatabase", {}, { name, region, settings }, creation);
  });
  if (!isCreated) return;
  const { databases } = service.store;
  const ref = databases.find(databaseId)?.ref;
  if (ref === undefined) throw new Error("a newly created database has no row");
  const context = { service, databaseId, ref, by };
  for (const item of database.items) applyItem(context, item);
  for (const repository of database.repositories) applyRepository(context, repository);
  for (const table of database.tables) applyTable(context, table);
  const { status, readyAt, updatedAt } = database;
  databases.setState(ref, { status, readyAt, updatedAt });
}

function applyItem(
  { service, databaseId, ref, by }: DatabaseContext,
  { pointer, pk, sk, data, createdAt: at, updatedAt }: CompleteDatabase["items"][number],
): void {
  service.try(pointer, () => {
    service.call("putItem", { databaseId }, { pk, sk, data }, { by, at });
    const row = service.store.items.get(ref, pk, sk ?? "");
    if (row === undefined) throw new Error("an item is missing after it was put");
    if (row.createdAt !== at || row.updatedAt !== at)
      service.mistakes.add(pointer, "another item has the same keys");
    if (updatedAt !== at) service.store.items.put(ref, { ...row, updatedAt });
  });
}

function applyRepository(
  { service, databaseId, by }: DatabaseContext,
  repository: CompleteDatabase["repositories"][number],
): void {
  const { pointer, id: repositoryId, name, entityName, schema, entities, updatedAt } = repository;
  const { store } = service;
  const isCreated = service.try(pointer, () => {
    const creation = { by, at: repository.createdAt, ids: { repo: repositoryId } };
    service.call("createRepository", { databaseId }, { name, entityName, schema }, creation);
  });
  const row = isCreated ? store.repositories.byId(repositoryId) : undefined;
  if (row === undefined) return;
  const { ref } = row;
  for (const { pointer, id, data, version, createdAt: at, updatedAt } of entities)
    service.try(pointer, () => {
      service.call("createEntity", { repositoryId }, { data }, { by, at, ids: { ent: id } });
      const entity = store.entities.get(ref, id);
      if (entity === undefined) throw new Error("an entity is missing after it was created");
      if (version !== 1 || updatedAt !== at) store.entities.update(ref, { ...entity, version, updatedAt });
    });
  if (updatedAt !== undefined) store.repositories.setUpdatedAt(ref, updatedAt);
}

/** Executes the statements that define a table, and inserts each row with an INSERT statement. */
function applyTable(
  { service, databaseId, by }: DatabaseContext,
  { pointer, create, indexes, rows, createdAt: at }: CompleteDatabase["tables"][number],
): void {
  // Unlike the handler, this does not count as usage.
  const execute = (sql: string) => {
    const { body } = service.request("executeSql", { databaseId }, { sql });
    const now = formatTimestamp(at);
    service.store.sql.execute(body.sql, { databaseId, permission: "admin", now, profile: defaultProfile });
  };
  let name = "";
  const isCreated = service.try(`${pointer}/create`, () => {
    const statement = parse(create);
    if (statement.kind !== "create-table") throw createSqlValidationError("must be a CREATE TABLE statement");
    name = statement.table;
    execute(create);
  });
  if (!isCreated) return;
  indexes?.forEach((sql, index) =>
    service.try(`${pointer}/indexes/${index}`, () => {
      const statement = parse(sql);
      if (statement.kind !== "create-index" || statement.table !== name)
        throw createSqlValidationError(`must be a CREATE INDEX statement for ${name}`);
      execute(sql);
    }),
  );
  const { columns } = service.store.sql.tableSchema(name, { databaseId, profile: defaultProfile });
  const columnNames = new Set(columns.map((column) => column.name));
  rows?.forEach((row, index) =>
    service.try(`${pointer}/rows/${index}`, () => {
      const values = [...getFieldEntries(row as JsonObject)];
      const names = values.map(([column]) =>
        columnNames.has(column) ? column : foldIdentifier(column, defaultProfile["sql-identifier-case"]),
      );
      if (names.length === 0) throw createSqlValidationError("must have a value for each primary-key column");
      const sql =
        `INSERT INTO ${quoteName(name)} (${names.map(quoteName).join(", ")}) ` +
        `VALUES (${names.map(() => "?").join(", ")})`;
      const parameters = new Map(values.map(([, value], at): [string, JsonValue] => [`p${at + 1}`, value]));
      service.call("runSqlQuery", { databaseId }, { sql, parameters }, { by, at });
    }),
  );
}

function parse(sql: string): Statement {
  return parseSql(sql, defaultProfile["sql-identifier-case"]).statement;
}
