/** A model of items in the simplest possible code, independent of the emulator. */

export interface ModelItem {
  readonly pk: string;
  readonly sk: string | null;
  readonly data: ModelData;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface ModelData {
  readonly n: number;
  readonly tag?: string;
}

/** A condition or filter as in a request, and its meaning. */
export interface ParsedCondition<Carried, Subject> {
  readonly source: Carried;
  readonly holds: (subject: Subject) => boolean;
}

export interface ModelPage {
  readonly items: readonly Pick<ModelItem, "pk" | "sk" | "data">[];
  readonly count: number;
  readonly scannedCount: number;
  readonly isLast: boolean;
}

export interface PageRequest {
  readonly filter: ParsedCondition<unknown, ModelData>;
  readonly limit: number;
}

export class ItemsModel {
  readonly #items = new Map<string, ModelItem>();

  get(pk: string, sk: string | null): ModelItem | undefined {
    return this.#items.get(JSON.stringify([pk, sk]));
  }

  get size(): number {
    return this.#items.size;
  }

  put(item: Omit<ModelItem, "createdAt">): void {
    const createdAt = this.get(item.pk, item.sk)?.createdAt ?? item.updatedAt;
    this.#items.set(JSON.stringify([item.pk, item.sk]), { ...item, createdAt });
  }

  delete(pk: string, sk: string | null): void {
    this.#items.delete(JSON.stringify([pk, sk]));
  }

  /** Returns the pages of a query; undefined if the condition has none of the documented formats. */
  query(
    pk: string,
    sortKeyCondition: string | undefined,
    forward: boolean,
    request: PageRequest,
  ): ModelPage[] | undefined {
    const selects = sortKeyCondition === undefined ? () => true : parseCondition(sortKeyCondition);
    if (selects === undefined) return undefined;
    const candidates = this.#inOrder().filter((item) => item.pk === pk && selects(item.sk));
    return splitPages(forward ? candidates : candidates.reverse(), request);
  }

  scan(request: PageRequest): ModelPage[] {
    return splitPages(this.#inOrder(), request);
  }

  #inOrder(): ModelItem[] {
    return [...this.#items.values()].sort(
      (a, b) => compareBytes(a.pk, b.pk) || compareBytes(a.sk ?? "", b.sk ?? ""),
    );
  }
}

/** Every page except the last examines `limit` candidates. */
function splitPages(candidates: readonly ModelItem[], { filter, limit }: PageRequest): ModelPage[] {
  const pages: ModelPage[] = [];
  let start = 0;
  do {
    const examined = candidates.slice(start, start + limit);
    const items = examined
      .filter(({ data }) => filter.holds(data))
      .map(({ pk, sk, data }) => ({ pk, sk, data }));
    start += limit;
    pages.push({
      items,
      count: items.length,
      scannedCount: examined.length,
      isLast: start >= candidates.length,
    });
  } while (start < candidates.length);
  return pages;
}

/** Returns a predicate for the selected sort keys; undefined if the condition has none of the documented formats. */
function parseCondition(condition: string): ((sk: string | null) => boolean) | undefined {
  const [operator = "", ...rest] = condition.split(":");
  const value = rest.join(":");
  if (rest.length === 0 || value === "") return undefined;
  switch (operator) {
    case "=":
      return (sk) => sk === value;
    case "<":
      return (sk) => sk !== null && compareBytes(sk, value) < 0;
    case "<=":
      return (sk) => sk !== null && compareBytes(sk, value) <= 0;
    case ">":
      return (sk) => sk !== null && compareBytes(sk, value) > 0;
    case ">=":
      return (sk) => sk !== null && compareBytes(sk, value) >= 0;
    case "begins_with":
      return (sk) =>
        sk !== null && Buffer.from(sk).subarray(0, Buffer.byteLength(value)).equals(Buffer.from(value));
    case "between": {
      if (rest.length % 2 === 1) return undefined;
      const low = rest.slice(0, rest.length / 2).join(":");
      const high = rest.slice(rest.length / 2).join(":");
      if (low === "" || high === "" || (rest.length > 2 && compareBytes(low, high) > 0)) return undefined;
      return (sk) => sk !== null && compareBytes(sk, low) >= 0 && compareBytes(sk, high) <= 0;
    }
    default:
      return undefined;
  }
}

function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
