import { sleep } from "../client/rate-limiter.js";
import { changed, type Json, type Wire, type WireAnswer, without } from "./intercept.js";

/** Where items are asked for besides the request itself. */
export function itemsPath({ path }: Wire, rest = ""): string {
  return `/api/v1/databases/${path.databaseId ?? ""}/items${rest}`;
}

/** Path of one item. */
export function itemPath(wire: Wire, pk: string, sk: string | null | undefined): string {
  const names = sk === null || sk === undefined ? [pk] : [pk, sk];
  return itemsPath(wire, names.map((name) => `/${encodeURIComponent(name)}`).join(""));
}

/** The data of an item behind a wire, or nothing. */
export async function dataAt(wire: Wire, pk: string, sk: string | null | undefined): Promise<Json> {
  const { status, body } = await wire.ask("GET", itemPath(wire, pk, sk));
  return status === 200 ? body.data : undefined;
}

/** Does in several requests what one may not hold, and answers as if it were one. */
export async function inParts(wire: Wire, size: number, field = "items", pauseMs = 0): Promise<WireAnswer> {
  const entries: Json[] = wire.body[field];
  const rest = without(wire.body, "clientRequestToken");
  let whole: WireAnswer | undefined;
  for (let start = 0; start < entries.length; start += size) {
    if (whole !== undefined) await sleep(pauseMs);
    const part = await wire.send({ body: { ...rest, [field]: entries.slice(start, start + size) } });
    if (part.status !== 200) return part;
    const before = whole?.body;
    whole = changed(part, (body) => {
      if (body.items !== undefined) body.items.unshift(...(before?.items ?? []));
      if (body.successCount !== undefined)
        body.successCount = Number(body.successCount) + Number(before?.successCount ?? 0);
    });
  }
  return whole ?? wire.send();
}
