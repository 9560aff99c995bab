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

/** Returns the path of one item. */
export function getItemPath(wire: InterceptedRequest, pk: string, sk: string | null | undefined): string {
  const names = sk === null || sk === undefined ? [pk] : [pk, sk];
  return getItemsPath(wire, names.map((name) => `/${encodeURIComponent(name)}`).join(""));
}

/** Fetches the data of an item from the wrapped deployment; undefined if there is no such item. */
export async function fetchItemData(
  wire: InterceptedRequest,
  pk: string,
  sk: string | null | undefined,
): Promise<AnyJson> {
  const { status, body } = await wire.ask("GET", getItemPath(wire, pk, sk));
  return status === 200 ? body.data : undefined;
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
    whole = changeBody(part, (body) => {
      if (body.items !== undefined) body.items.unshift(...(before?.items ?? []));
      if (body.successCount !== undefined)
        body.successCount = Number(body.successCount) + Number(before?.successCount ?? 0);
    });
  }
  return whole ?? wire.send();
}
