import { limits } from "../../openapi/clauses/limits.js";
import { operationIds } from "../../openapi/operations/register.js";
import { instant, rewriting } from "./rewrite-answers.js";
import { type Json, type Wire, type Tamper, changed } from "./intercept.js";
import { type Variant, variant, variantIn } from "./mutant.js";
import { success, deleted } from "./tampers.js";

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

/** What an operation answers where there is nothing. */
function emptyAnswer({ operationId, body }: Wire): Json {
  const nextCursor = null;
  if (operationId === "listRepositories") return { repositories: [], nextCursor };
  if (operationId.endsWith("Entities")) return { entities: [], nextCursor, totalCount: 0 };
  if (operationId === "batchGetItems") return { items: [], unprocessedKeys: null };
  if (operationId !== "transactGetItems") return { items: [], nextCursor, count: 0, scannedCount: 0 };
  const missing = ({ pk, sk = null }: Json) => ({ pk, sk, item: null, itemExists: false });
  return { items: body.items.map(missing) };
}

/** What no word of the specification is about. */
export const unspokenVariants: readonly Variant[] = [
  ...variantIn(["session", "items"], "own-media-type", operationIds).by(() => ownMediaType),
  variant("limits/batches-answered", ["batchWriteItems", "batchGetItems"]).by(() => answeredBatches),
  variant("entities/ids-of-each-repository", [
    "createEntity",
    "getEntity",
    "updateEntity",
    "deleteEntity",
    "listEntities",
    "queryEntities",
  ]).by(countedIds),
  {
    ...variant("databases/counted-once", operationIds).by(() => countedOnce),
    countLagMs: 300,
  },
  variant("billing/figures-of-a-day", ["getUsage"]).by(() => {
    let made: object | undefined;
    return async (wire) => {
      const answer = await wire.send();
      made ??= answer.body;
      return changed(answer, (body) => Object.assign(body, made));
    };
  }),
  variant("isolation/deleted-or-not", [
    "deleteItem",
    "deleteItemWithSortKey",
    "deleteEntity",
    "deleteRepository",
    "deleteDatabase",
  ]).by(() => async (wire) => {
    const answer = await wire.send();
    return answer.status === 404 ? { status: 204, headers: {}, body: undefined } : answer;
  }),
  ...variantIn(
    ["isolation", "databases", "repositories", "sequences"],
    "empty-in-place-of-missing",
    [
      "queryItems",
      "scanItems",
      "batchGetItems",
      "transactGetItems",
      "listEntities",
      "queryEntities",
      "listRepositories",
    ],
    { profile: { "missing-resource-status": 410, "foreign-resource-status": 410 } },
  ).onAnswer(410, (wire) => success(emptyAnswer(wire))),
  variant("isolation/items-of-each-organization", [
    "putItem",
    "deleteItem",
    "deleteItemWithSortKey",
  ]).onAnswer(404, ({ operationId, body }) =>
    operationId === "putItem"
      ? success({ pk: body.pk, sk: body.sk ?? null, updatedAt: new Date().toISOString() })
      : deleted,
  ),
  variant("plans/null-for-unknown", ["getPlan"]).onAnswer(
    ({ status }) => status === 404 || status === 410,
    () => success(null),
  ),
  variant("sql/key-among-indexes", ["getSqlTableSchema"]).answering((body) => {
    const columns = [...body.primaryKey.partitionKeys, ...body.primaryKey.clusteringKeys];
    body.indexes.unshift({ name: "PRIMARY", columns, isUnique: true });
  }),
  variant("sql/null-by-name", ["getSqlTableSchema"]).answering((body) => {
    for (const column of body.columns) column.defaultValue ??= "NULL";
  }),
  variant("sql/parameters-by-characters", ["runSqlQuery"]).by(() => (wire) => {
    const { parameters } = wire.body ?? {};
    if (typeof parameters !== "object" || parameters === null) return wire.send();
    const ordered = Object.entries(parameters).sort(([a], [b]) => (a < b ? -1 : 1));
    return wire.send({ body: { ...wire.body, parameters: Object.fromEntries(ordered) } });
  }),
];
