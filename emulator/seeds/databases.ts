import type { UserCaller } from "../access/caller.js";
import type { JsonValue } from "../json/json-value.js";
import { parseJson } from "../json/parse-json.js";
import type { DatabaseRow } from "../store/databases.js";
import type { OrganizationRow } from "../store/organizations.js";
import type { RepositoryWithSchema } from "../store/repositories.js";
import type { Store } from "../store/store.js";
import { defaultRegion } from "./build-seed-schema.js";
import { type DatabaseElement, type RepositoryElement, writeElement } from "./seed-element.js";
import { toIdSuffix } from "./seed-names.js";
import type { SeedContext } from "./seed-context.js";
import { applyTable, describeTables } from "./tables.js";

function getDefaults(name: string, createdAt: number) {
  return {
    id: `db_${toIdSuffix(name)}`,
    region: defaultRegion,
    status: "Active",
    readyAt: null,
    createdAt,
    items: [],
    repositories: [],
    tables: [],
  } as const;
}

function getRepositoryDefaults(name: string, createdAt: number) {
  const suffix = toIdSuffix(name);
  return {
    id: `repo_${suffix}`,
    entityName: name,
    createdAt,
    entities: [],
    entityPrefix: `ent_${suffix}`,
  } as const;
}

/** Creates a database and its contents as the owner of its organization. */
export function applyDatabase(
  service: SeedContext,
  given: DatabaseElement,
  { organizationId, ownerUserId: userId }: OrganizationRow,
  defaultCreatedAt: number,
): void {
  const by: UserCaller = { kind: "user", userId, organizationId, role: "owner" };
  const database = { ...getDefaults(given.name, defaultCreatedAt), ...given };
  const { pointer, name, region, settings, status, readyAt, createdAt: at, updatedAt = at } = database;
  const databaseId = given.id ?? service.names.generate("database", database.id);
  const { databases, items } = service.store;
  const ref = service.try(pointer, () => {
    service.call("createDatabase", {}, { name, region, settings }, { by, at, ids: { db: databaseId } });
    return databases.find(databaseId)?.ref;
  });
  if (ref === undefined) return;
  for (const { pointer, pk, sk, data, createdAt = at, updatedAt = createdAt } of database.items)
    service.try(pointer, () => {
      service.call("putItem", { databaseId }, { pk, sk, data }, { by, at: createdAt });
      const row = items.get(ref, pk, sk ?? "");
      if (row === undefined) throw new Error("an item is missing after it was put");
      if (row.createdAt !== createdAt || row.updatedAt !== createdAt)
        service.mistakes.add(pointer, "another item has the same keys");
      if (updatedAt !== createdAt) items.put(ref, { ...row, updatedAt });
    });
  for (const repository of database.repositories)
    applyRepository(service, repository, { databaseId, by, at });
  for (const table of database.tables) applyTable(service, table, { databaseId, by, at });
  databases.setState(ref, { status, readyAt, updatedAt });
}

function applyRepository(
  service: SeedContext,
  given: RepositoryElement,
  { databaseId, by, at: defaultCreatedAt }: { databaseId: string; by: UserCaller; at: number },
): void {
  const { store, names } = service;
  const repository = { ...getRepositoryDefaults(given.name, defaultCreatedAt), ...given };
  const { pointer, name, entityName, schema, createdAt: at, entityPrefix, entities } = repository;
  const repositoryId = given.id ?? names.generate("repository", repository.id);
  const kind = "entity of the repository";
  for (const { id, pointer: at } of entities) names.reserve(kind, id, `${at}/id`, pointer);
  const ref = service.try(pointer, () => {
    const creation = { by, at, ids: { repo: repositoryId } };
    service.call("createRepository", { databaseId }, { name, entityName, schema }, creation);
    return store.repositories.byId(repositoryId)?.ref;
  });
  if (ref === undefined) return;
  entities.forEach(({ data, version = 1, createdAt = at, updatedAt = createdAt, ...given }, index) =>
    service.try(given.pointer, () => {
      const id = given.id ?? names.generate(kind, `${entityPrefix}_${index + 1}`, pointer);
      // An id that is used twice is already reported.
      if (store.entities.get(ref, id) !== undefined) return;
      service.call("createEntity", { repositoryId }, { data }, { by, at: createdAt, ids: { ent: id } });
      const row = store.entities.get(ref, id);
      if (row === undefined) throw new Error("an entity is missing after it was created");
      if (version !== 1 || updatedAt !== createdAt)
        store.entities.update(ref, { ...row, version, updatedAt });
    }),
  );
  if (given.updatedAt !== undefined) store.repositories.setUpdatedAt(ref, given.updatedAt);
}

/** Describes a database and its contents as in a seed. */
export function describeDatabase(
  store: Store,
  row: DatabaseRow,
  defaultCreatedAt: number,
): JsonValue | undefined {
  const { ref, databaseId: id, organizationId, name, region, status, readyAt, createdAt, updatedAt } = row;
  return writeElement(
    {
      name,
      id,
      organization: organizationId,
      region,
      status,
      readyAt,
      settings: row.settings === null ? null : parse(row.settings),
      createdAt,
      updatedAt,
      items: store.items.allOf(ref).map(({ pk, sk, data, createdAt: at, updatedAt }) => {
        const item = { pk, sk, data: parse(data), createdAt: at, updatedAt };
        return writeElement(item, { sk: "", createdAt, updatedAt: at });
      }),
      repositories: store.repositories
        .allOf(ref)
        .map((repository) => describeRepository(store, repository, createdAt)),
      tables: describeTables(store, row),
    },
    { ...getDefaults(name, defaultCreatedAt), updatedAt: createdAt },
  );
}

function describeRepository(
  store: Store,
  { ref, repositoryId: id, name, entityName, schema, createdAt, updatedAt }: RepositoryWithSchema,
  defaultCreatedAt: number,
): JsonValue | undefined {
  const { entityPrefix, ...defaults } = getRepositoryDefaults(name, defaultCreatedAt);
  const rows = store.entities.allOf(ref);
  const entities = rows.map(({ entityId: id, data, version, createdAt: at, updatedAt }, index) => {
    const entity = { id, data: parse(data), version, createdAt: at, updatedAt };
    return writeElement(entity, { id: `${entityPrefix}_${index + 1}`, version: 1, createdAt, updatedAt: at });
  });
  return writeElement(
    {
      name,
      id,
      entityName,
      schema: schema === "{}" ? null : parse(schema),
      createdAt,
      updatedAt,
      entities,
    },
    { ...defaults, updatedAt: rows.at(-1)?.createdAt ?? createdAt },
    "name",
  );
}

function parse(text: string): JsonValue {
  // The maximum depth of a request body.
  return parseJson(text, { maxDepth: 1000 });
}
