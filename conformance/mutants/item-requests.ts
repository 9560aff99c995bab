import type { OperationId } from "../../openapi/operations/register.js";
import {
  changeBody,
  type AnyJson,
  type InterceptedRequest,
  type InterceptedResponse,
  type Interceptor,
  isErrorResponse,
  omitFields,
} from "./intercept.js";

/** Returns the path for additional requests for items. */
export function getItemsPath({ path }: InterceptedRequest, rest = ""): string {
  return `/api/v1/databases/${path.databaseId ?? ""}/items${rest}`;
}

type SortKey = string | null | undefined;

/** Returns the path of one item. */
export function getItemPath(request: InterceptedRequest, pk: string, sk?: SortKey): string {
  const names = sk === null || sk === undefined ? [pk] : [pk, sk];
  return getItemsPath(request, names.map((name) => `/${encodeURIComponent(name)}`).join(""));
}

/** Fetches the data of an item from the wrapped deployment; undefined if there is no such item. */
export async function fetchItemData(request: InterceptedRequest, pk: string, sk: SortKey): Promise<AnyJson> {
  const { status, body } = await request.ask("GET", getItemPath(request, pk, sk));
  return status === 200 ? body.data : undefined;
}

/** Puts the data of items that exist again, so that only their times change. */
export async function touchItems(request: InterceptedRequest, keys: readonly AnyJson[]): Promise<void> {
  for (const { pk, sk } of keys) {
    const data = await fetchItemData(request, pk, sk);
    if (data !== undefined) await request.ask("PUT", getItemsPath(request), { pk, sk, data });
  }
}

/** Returns the first items of a partition. */
export async function queryPartition(request: InterceptedRequest, partitionKey: string): Promise<AnyJson[]> {
  return (await request.ask("POST", getItemsPath(request, "/query"), { partitionKey })).body?.items ?? [];
}

export async function deleteItems(request: InterceptedRequest, keys: readonly AnyJson[]): Promise<void> {
  for (const { pk, sk } of keys) await request.ask("DELETE", getItemPath(request, pk, sk));
}

/** Gets return the last response until a write names the item; a Delete in the given operation does not count. */
export function cacheGetsDespiteDelete(operation: OperationId): Interceptor {
  return async ({ operationId, path, body, memory, send }) => {
    const keyOf = ({ pk, sk = null }: AnyJson) => [path.databaseId, pk, sk];
    if (operationId.startsWith("get")) {
      const response: InterceptedResponse = memory.get(keyOf(path)) ?? (await send());
      return isErrorResponse(response) ? response : memory.set(keyOf(path), response);
    }
    for (const entry of body?.items ?? [{ ...path, ...body }])
      if (operationId !== operation || (entry?.operation ?? entry?.action) !== "Delete")
        memory.set(keyOf(entry ?? {}), undefined);
    return send();
  };
}

/** Splits a request that is too large into several requests, and responds as if there had been only one. */
export async function sendInParts(
  request: InterceptedRequest,
  size: number,
  field = "items",
): Promise<InterceptedResponse> {
  const entries: AnyJson[] = request.body[field];
  const rest = omitFields(request.body, "clientRequestToken");
  let whole: InterceptedResponse | undefined;
  for (let start = 0; start < entries.length; start += size) {
    const part = await request.send({ body: { ...rest, [field]: entries.slice(start, start + size) } });
    if (part.status !== 200) return part;
    const before = whole?.body;
    whole = await changeBody(part, (body) => {
      if (body.items !== undefined) body.items.unshift(...(before?.items ?? []));
      if (body.successCount !== undefined)
        body.successCount = Number(body.successCount) + Number(before?.successCount ?? 0);
    });
  }
  return whole ?? request.send();
}
