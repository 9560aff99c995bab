import type { OperationId } from "../../openapi/operations/register.js";
import type { CallOptions } from "../client/client.js";

/** An operation to call, and the request. */
export type OperationCall = readonly [operationId: OperationId, call: CallOptions];

/** The place of data that exists or existed. */
interface DataLocation {
  readonly databaseId: string;
  readonly pk: string;
  readonly sk: string;
  /** The id of an entity, if there is one. */
  readonly entity?: { readonly repositoryId: string; readonly entityId: string };
}

/** Lists requests for items and entities with every operation; they succeed if the data exists and the caller has access. */
export function listDataCalls({ databaseId, pk, sk, entity }: DataLocation): readonly OperationCall[] {
  const path = { databaseId };
  const data = { changed: true };
  const onItems = [
    ["getItem", { path: { ...path, pk } }],
    ["getItemWithSortKey", { path: { ...path, pk, sk } }],
    ["putItem", { path: { ...path, pk }, body: { pk, data } }],
    ["queryItems", { path, body: { partitionKey: pk } }],
    ["scanItems", { path, body: {} }],
    ["batchGetItems", { path, body: { keys: [{ pk }] } }],
    ["batchWriteItems", { path, body: { items: [{ operation: "Put", pk, data }] } }],
    ["transactGetItems", { path, body: { items: [{ pk }] } }],
    ["transactWriteItems", { path, body: { items: [{ action: "Put", pk, data }] } }],
  ] as const;
  if (entity === undefined) return onItems;
  const inRepository = { repositoryId: entity.repositoryId };
  return [
    ...onItems,
    ["getEntity", { path: entity }],
    ["listEntities", { path: inRepository }],
    ["queryEntities", { path: inRepository, body: {} }],
    ["createEntity", { path: inRepository, body: { data } }],
    ["updateEntity", { path: entity, body: { data } }],
  ];
}
