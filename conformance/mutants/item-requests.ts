import {
  changeBody,
  type AnyJson,
  type InterceptedRequest,
  type InterceptedResponse,
  omitFields,
} from "./intercept.js";

/** Returns the path for additional requests for items. */
export function getItemsPath({ path }: InterceptedRequest, rest = ""): string {
  return `/api/v1/databases/${path.databaseId ?? ""}/items${rest}`;
}

type SortKey = string | null | undefined;

/** Returns the path of one item. */
export function getItemPath(wire: InterceptedRequest, pk: string, sk?: SortKey): string {
  const names = sk === null || sk === undefined ? [pk] : [pk, sk];
  return getItemsPath(wire, names.map((name) => `/${encodeURIComponent(name)}`).join(""));
}

/** Fetches the data of an item from the wrapped deployment; undefined if there is no such item. */
export async function fetchItemData(wire: InterceptedRequest, pk: string, sk: SortKey): Promise<AnyJson> {
  const { status, body } = await wire.ask("GET", getItemPath(wire, pk, sk));
  return status === 200 ? body.data : undefined;
}

/** Puts the data of items that exist again, so that only their times change. */
export async function touchItems(wire: InterceptedRequest, keys: readonly AnyJson[]): Promise<void> {
  for (const { pk, sk } of keys) {
    const data = await fetchItemData(wire, pk, sk);
    if (data !== undefined) await wire.ask("PUT", getItemsPath(wire), { pk, sk, data });
  }
}

/** Returns the first items of a partition. */
export async function queryPartition(wire: InterceptedRequest, partitionKey: string): Promise<AnyJson[]> {
  return (await wire.ask("POST", getItemsPath(wire, "/query"), { partitionKey })).body?.items ?? [];
}

export async function deleteItems(wire: InterceptedRequest, keys: readonly AnyJson[]): Promise<void> {
  for (const { pk, sk } of keys) await wire.ask("DELETE", getItemPath(wire, pk, sk));
}

/** Splits a request that is too large into several requests, and answers as if there were only one. */
export async function sendInParts(
  wire: InterceptedRequest,
  size: number,
  field = "items",
): Promise<InterceptedResponse> {
  const entries: AnyJson[] = wire.body[field];
  const rest = omitFields(wire.body, "clientRequestToken");
  let whole: InterceptedResponse | undefined;
  for (let start = 0; start < entries.length; start += size) {
    const part = await wire.send({ body: { ...rest, [field]: entries.slice(start, start + size) } });
    if (part.status !== 200) return part;
    const before = whole?.body;
    whole = await changeBody(part, (body) => {
      if (body.items !== undefined) body.items.unshift(...(before?.items ?? []));
      if (body.successCount !== undefined)
        body.successCount = Number(body.successCount) + Number(before?.successCount ?? 0);
    });
  }
  return whole ?? wire.send();
}
