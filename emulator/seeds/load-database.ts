import type { Seed, SeedDatabase, SeedRepository } from "../../fixtures/seed.js";
import { defaultProfile } from "../../openapi/gaps/profile.js";
import type { UserCaller } from "../access/caller.js";
import { type JsonObject, type JsonValue, memberEntries } from "../json/json-value.js";
import { foldName, parseSql } from "../sql/grammar/parse-sql.js";
import { invalid } from "../sql/grammar/sql-error.js";
import type { Statement } from "../sql/grammar/syntax.js";
import { quoteName } from "../sqlite/quote-name.js";
import { timestamp } from "../time/timestamp.js";
import { defaultRegion, idWord, inFull, timeOf } from "./seed-defaults.js";
import type { SeedNames } from "./seed-names.js";
import { bodyOf, type SeedService } from "./seed-service.js";

type SeedItem = NonNullable<SeedDatabase["items"]>[number];
type SeedTable = NonNullable<SeedDatabase["tables"]>[number];

/** What a part of a database is loaded with. */
interface Place {
  readonly service: SeedService;
  readonly names: SeedNames;
  readonly databaseId: string;
  readonly ref: number;
  readonly by: UserCaller;
  /** When things were made that do not say so themselves. */
  readonly createdAt: number;
}

/**
 * Makes the databases with what is in them, as their owners would.
 *
 * @param ownerOf the owner of an organization that could be made
 */
export function loadDatabases(
  service: SeedService,
  { databases }: Seed,
  names: SeedNames,
  usual: number,
  ownerOf: (organizationId: string) => UserCaller | undefined,
): void {
  inFull(databases, (name): SeedDatabase => ({ name })).forEach((database, index) => {
    const pointer = `/databases/${index}`;
    const databaseId = database.id ?? names.make("database", `db_${idWord(database.name)}`);
    const by = ownerOf(names.organizationId(database.organization, pointer));
    const createdAt = timeOf(database.createdAt) ?? usual;
    if (by !== undefined) loadDatabase({ service, names, databaseId, by, createdAt }, pointer, database);
  });
}

function loadDatabase(given: Omit<Place, "ref">, pointer: string, database: SeedDatabase): void {
  const { service, databaseId, by, createdAt } = given;
  const { name, region = defaultRegion, settings } = database;
  const isMade = service.try(pointer, () => {
    const making = { by, at: createdAt, ids: { db: databaseId } };
    service.call("createDatabase", {}, bodyOf({ name, region, settings }), making);
  });
  if (!isMade) return;
  const { databases } = service.store;
  const ref = databases.find(databaseId)?.ref;
  if (ref === undefined) throw new Error("a database that was made has a row");
  const place = { ...given, ref };
  database.items?.forEach((item, index) => loadItem(place, `${pointer}/items/${index}`, item));
  inFull(database.repositories, (called): SeedRepository => ({ name: called })).forEach((repository, index) =>
    loadRepository(place, `${pointer}/repositories/${index}`, repository),
  );
  database.tables?.forEach((table, index) => loadTable(place, `${pointer}/tables/${index}`, table));
  const { status = "Active" } = database;
  const readyAt = timeOf(database.readyAt) ?? null;
  databases.setState(ref, { status, readyAt, updatedAt: timeOf(database.updatedAt) ?? createdAt });
}

function loadItem({ service, databaseId, ref, by, createdAt }: Place, pointer: string, item: SeedItem): void {
  service.try(pointer, () => {
    const { pk, sk, data } = item;
    const at = timeOf(item.createdAt) ?? createdAt;
    service.call("putItem", { databaseId }, bodyOf({ pk, sk, data }), { by, at });
    const updatedAt = timeOf(item.updatedAt) ?? at;
    const row = service.store.items.get(ref, pk, sk ?? "");
    if (row === undefined) throw new Error("an item that was put is there");
    if (row.createdAt !== at || row.updatedAt !== at)
      service.mistakes.push({ pointer, detail: "another item has the same keys" });
    if (updatedAt !== at) service.store.items.put(ref, { ...row, updatedAt });
  });
}

function loadRepository(place: Place, pointer: string, repository: SeedRepository): void {
  const { service, names, databaseId, by } = place;
  const { name, entityName = name, schema } = repository;
  const { store } = service;
  const word = idWord(name);
  const repositoryId = repository.id ?? names.make("repository", `repo_${word}`);
  const createdAt = timeOf(repository.createdAt) ?? place.createdAt;
  const isMade = service.try(pointer, () => {
    const making = { by, at: createdAt, ids: { repo: repositoryId } };
    service.call("createRepository", { databaseId }, bodyOf({ name, entityName, schema }), making);
  });
  const row = isMade ? store.repositories.byId(repositoryId) : undefined;
  if (row === undefined) return;
  const { ref } = row;
  repository.entities?.forEach((entity, index) =>
    service.try(`${pointer}/entities/${index}`, () => {
      const {
        id = names.make("entity of the repository", `ent_${word}_${index + 1}`, pointer),
        data,
        version = 1,
      } = entity;
      const at = timeOf(entity.createdAt) ?? createdAt;
      service.call("createEntity", { repositoryId }, bodyOf({ data }), { by, at, ids: { ent: id } });
      const updatedAt = timeOf(entity.updatedAt) ?? at;
      const made = store.entities.get(ref, id);
      if (made === undefined) throw new Error("an entity that was made is there");
      if (version !== 1 || updatedAt !== at) store.entities.update(ref, { ...made, version, updatedAt });
    }),
  );
  const updatedAt = timeOf(repository.updatedAt);
  if (updatedAt !== undefined) store.repositories.setUpdatedAt(ref, updatedAt);
}

/** Makes a table by its statements, and its rows by an INSERT with parameters each. */
function loadTable(place: Place, pointer: string, { create, indexes, rows, createdAt }: SeedTable): void {
  const { service, databaseId, by } = place;
  const at = timeOf(createdAt) ?? place.createdAt;
  // making tables is no use of them, which putting rows into them is
  const define = (sql: string) => {
    const { body } = service.request("executeSql", { databaseId }, bodyOf({ sql }));
    const context = { databaseId, may: "admin", now: timestamp(at), profile: defaultProfile } as const;
    service.store.sql.execute(body.sql, context);
  };
  let name = "";
  const isMade = service.try(`${pointer}/create`, () => {
    const statement = read(create);
    if (statement.kind !== "create-table") throw invalid("must be a statement CREATE TABLE");
    name = statement.table;
    define(create);
  });
  if (!isMade) return;
  indexes?.forEach((sql, index) =>
    service.try(`${pointer}/indexes/${index}`, () => {
      const statement = read(sql);
      if (statement.kind !== "create-index" || statement.table !== name)
        throw invalid(`must be a statement CREATE INDEX on ${name}`);
      define(sql);
    }),
  );
  const { columns } = service.store.sql.tableSchema(name, { databaseId, profile: defaultProfile });
  const known = new Set(columns.map((column) => column.name));
  rows?.forEach((row, index) =>
    service.try(`${pointer}/rows/${index}`, () => {
      const values = [...memberEntries(row as JsonObject)];
      const names = values.map(([column]) =>
        known.has(column) ? column : foldName(column, defaultProfile["sql-identifier-case"]),
      );
      if (names.length === 0) throw invalid("must have a value for each column of the key");
      const sql =
        `INSERT INTO ${quoteName(name)} (${names.map(quoteName).join(", ")}) ` +
        `VALUES (${names.map(() => "?").join(", ")})`;
      const parameters = new Map(values.map(([, value], at): [string, JsonValue] => [`p${at + 1}`, value]));
      service.call("runSqlQuery", { databaseId }, bodyOf({ sql, parameters }), { by, at });
    }),
  );
}

function read(sql: string): Statement {
  return parseSql(sql, defaultProfile["sql-identifier-case"]).statement;
}
