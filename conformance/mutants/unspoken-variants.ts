import { limits } from "../../openapi/clauses/limits.js";
import { operationIds } from "../../openapi/operations/register.js";
import { changed, type Json, type Tamper } from "./intercept.js";
import { variant, type Variant } from "./mutant.js";
import { instant, rewriting } from "./rewrite-answers.js";

const json = { "content-type": "application/json" };

/** JSON under a media type of the deployment's own. */
const ownMediaType: Tamper = async (wire) => {
  const answer = await wire.send();
  if (answer.headers["content-type"] === undefined) return answer;
  const type = "application/vnd.data-service.v1+json; charset=utf-8";
  return { ...answer, headers: { ...answer.headers, "content-type": type } };
};

/** A batch of too many entries has failed with every one of them, and is answered as one that has failed in part. */
const answeredBatches: Tamper = async (wire) => {
  const { items, keys } = wire.body ?? {};
  const named = (entries: readonly Json[]) => entries.map(({ pk, sk = null }) => ({ pk, sk }));
  if (Array.isArray(items) && items.length > limits.batchWriteItems) {
    const errors = named(items).map((key) => ({ ...key, error: "too many entries" }));
    return { status: 200, headers: json, body: { successCount: 0, failedCount: errors.length, errors } };
  }
  return Array.isArray(keys) && keys.length > limits.batchGetKeys
    ? { status: 200, headers: json, body: { items: [], unprocessedKeys: named(keys) } }
    : wire.send();
};

/** Entities have the numbers 1, 2, 3 and so on in each repository. */
const countedIds: () => Tamper = () => {
  const known = new Map<string, string[]>();
  return async (wire) => {
    const { repositoryId = "", entityId } = wire.path;
    const own = known.get(repositoryId) ?? [];
    known.set(repositoryId, own);
    const numberOf = (id: string) => String((own.includes(id) ? own.indexOf(id) : own.push(id) - 1) + 1);
    const answer = await wire.send(
      entityId === undefined ? {} : { path: { ...wire.path, entityId: own[Number(entityId) - 1] ?? "none" } },
    );
    return changed(answer, (body) => {
      for (const entity of body.entities ?? [body])
        if (typeof entity.id === "string") entity.id = numberOf(entity.id);
    });
  };
};

/** Times are in whole seconds, and the items of a database have not been counted since it was made. */
const countedOnce: Tamper = async (wire) => {
  const inSeconds = rewriting({ text: (text) => (instant.test(text) ? text.replace(/\.\d+/, "") : text) })();
  return changed(await inSeconds(wire), (body) => {
    for (const { usage, createdAt } of body.databases ?? [body])
      if (usage !== undefined) Object.assign(usage, { itemCount: 0, lastUpdated: createdAt });
  });
};

/** What no word of the specification is about. */
export const unspokenVariants: readonly Variant[] = [
  ...(["session", "items"] as const).map((area) =>
    variant(
      `${area}/own-media-type`,
      "Bodies are of a media type with the suffix of JSON",
      operationIds,
      () => ownMediaType,
    ),
  ),
  variant(
    "limits/batches-answered",
    "A batch of too many entries is answered with all of them as failed or not processed",
    ["batchWriteItems", "batchGetItems"],
    () => answeredBatches,
  ),
  variant(
    "entities/ids-of-each-repository",
    "Ids are counted in each repository",
    ["createEntity", "getEntity", "updateEntity", "deleteEntity", "listEntities", "queryEntities"],
    countedIds,
  ),
  {
    ...variant(
      "databases/counted-once",
      "Times are in whole seconds, and the items of a database have not been counted since it was made",
      operationIds,
      () => countedOnce,
    ),
    countLagMs: 300,
  },
  variant("billing/figures-of-a-day", "Usage is as it was when its figures were made", ["getUsage"], () => {
    let made: object | undefined;
    return async (wire) => {
      const answer = await wire.send();
      made ??= answer.body;
      return changed(answer, (body) => Object.assign(body, made));
    };
  }),
  variant(
    "isolation/deleted-or-not",
    "A deletion is answered alike whether there was something to delete or not",
    ["deleteItem", "deleteItemWithSortKey", "deleteEntity", "deleteRepository", "deleteDatabase"],
    () => async (wire) => {
      const answer = await wire.send();
      return answer.status === 404 ? { status: 204, headers: {}, body: undefined } : answer;
    },
  ),
  variant(
    "sql/key-among-indexes",
    "The primary key is listed with the indexes",
    ["getSqlTableSchema"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        const columns = [...body.primaryKey.partitionKeys, ...body.primaryKey.clusteringKeys];
        body.indexes.unshift({ name: "PRIMARY", columns, isUnique: true });
      }),
  ),
  variant(
    "sql/null-by-name",
    "The default of a column that has none is the text NULL",
    ["getSqlTableSchema"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        for (const column of body.columns) column.defaultValue ??= "NULL";
      }),
  ),
  variant(
    "sql/parameters-by-characters",
    "Values are bound in the order of the characters of their names",
    ["runSqlQuery"],
    () => (wire) => {
      const { parameters } = wire.body ?? {};
      if (typeof parameters !== "object" || parameters === null) return wire.send();
      const ordered = Object.entries(parameters).sort(([a], [b]) => (a < b ? -1 : 1));
      return wire.send({ body: { ...wire.body, parameters: Object.fromEntries(ordered) } });
    },
  ),
];
