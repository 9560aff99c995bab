import { parseJson } from "../json/parse-json.js";
import type { JsonValue } from "../json/json-value.js";
import type { DatabaseRow } from "../store/databases.js";
import type { RepositoryWithSchema } from "../store/repositories.js";
import type { Store } from "../store/store.js";
import { describeTables } from "./describe-table.js";
import { described, listOf, timeUnless, unless } from "./described.js";
import { defaultRegion, toIdSuffix } from "./seed-defaults.js";

/** As deep as a body may be in any profile. */
const deepest = 1000;

/** A database with all that is in it, as a seed has it. */
export function describeDatabase(
  store: Store,
  row: DatabaseRow,
  { organization, usual }: { readonly organization: string; readonly usual: number },
): JsonValue {
  const { name, createdAt, settings } = row;
  return described({
    name,
    id: unless(`db_${toIdSuffix(name)}`, row.databaseId),
    organization,
    region: unless(defaultRegion, row.region),
    status: unless("Active", row.status),
    readyAt: timeUnless(null, row.readyAt),
    settings: settings === null ? undefined : read(settings),
    createdAt: timeUnless(usual, createdAt),
    updatedAt: timeUnless(createdAt, row.updatedAt),
    items: listOf(describeItems(store, row)),
    repositories: listOf(describeRepositories(store, row)),
    tables: listOf(describeTables(store, row)),
  });
}

function describeItems(store: Store, { ref, createdAt: usual }: DatabaseRow): JsonValue[] {
  return [...store.items.scan(ref, "", "", -1)].map(({ pk, sk, data, createdAt, updatedAt }) =>
    described({
      pk,
      sk: unless("", sk),
      data: read(data),
      createdAt: timeUnless(usual, createdAt),
      updatedAt: timeUnless(createdAt, updatedAt),
    }),
  );
}

function describeRepositories(store: Store, { ref, createdAt }: DatabaseRow): JsonValue[] {
  return store.repositories
    .page(ref, 0, Number.MAX_SAFE_INTEGER)
    .map((repository) => describeRepository(store, repository, createdAt));
}

function describeRepository(store: Store, repository: RepositoryWithSchema, usual: number): JsonValue {
  const { ref, repositoryId, name, entityName, schema, createdAt, updatedAt } = repository;
  const word = toIdSuffix(name);
  const entities = store.entities.page(ref, false, undefined, Number.MAX_SAFE_INTEGER);
  return described({
    name,
    id: unless(`repo_${word}`, repositoryId),
    entityName: unless(name, entityName),
    schema: schema === "{}" ? undefined : read(schema),
    createdAt: timeUnless(usual, createdAt),
    updatedAt: timeUnless(entities.at(-1)?.createdAt ?? createdAt, updatedAt),
    entities: listOf(
      entities.map((entity, index) =>
        described({
          id: unless(`ent_${word}_${index + 1}`, entity.id),
          data: read(entity.data),
          version: unless(1, entity.version),
          createdAt: timeUnless(createdAt, entity.createdAt),
          updatedAt: timeUnless(entity.createdAt, entity.updatedAt),
        }),
      ),
    ),
  });
}

function read(text: string): JsonValue {
  return parseJson(text, { maxDepth: deepest });
}
