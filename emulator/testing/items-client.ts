import type { TestAnswer, TestClient, TestEmulator } from "./test-client.js";

/** An item as query and scan show it. */
export interface SeenItem {
  readonly pk: string;
  readonly sk: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The body of an answer to query or scan. */
export interface SeenPage {
  readonly items: readonly SeenItem[];
  readonly nextCursor: string | null;
  readonly count: number;
  readonly scannedCount: number;
}

type More = Readonly<Record<string, unknown>>;

/** The items of one database, as one caller of the default profile's routes reaches them. */
export class ItemsClient {
  readonly client: TestClient;
  readonly databaseId: string;
  /** The path of the items, without a slash at its end. */
  readonly root: string;

  constructor(client: TestClient, databaseId: string) {
    this.client = client;
    this.databaseId = databaseId;
    this.root = `/api/v1/databases/${databaseId}/items`;
  }

  /** The same items for another credential. */
  as(credential: string | undefined): ItemsClient {
    return new ItemsClient(this.client.as(credential), this.databaseId);
  }

  /** The path of one item. */
  path(pk: string, sk: string | null = null): string {
    return `${this.root}/${encodeURIComponent(pk)}${sk === null ? "" : `/${encodeURIComponent(sk)}`}`;
  }

  /** Puts an item; without `sk` the body has no such member. */
  put(pk: string, sk: string | null, data: unknown, more: More = {}): Promise<TestAnswer> {
    return this.client.put(this.root, { pk, ...(sk === null ? {} : { sk }), data, ...more });
  }

  get = (pk: string, sk: string | null = null) => this.client.get(this.path(pk, sk));
  delete = (pk: string, sk: string | null = null) => this.client.delete(this.path(pk, sk));
  query = (body: unknown) => this.client.post(`${this.root}/query`, body);
  scan = (body: unknown = {}) => this.client.post(`${this.root}/scan`, body);

  /** Every page of a query, following `nextCursor` from the first to null. */
  queryPages = (body: More) => this.#pages("query", body);
  /** Every page of a scan. */
  scanPages = (body: More = {}) => this.#pages("scan", body);

  /** The sort keys that a query finds, in the order it gives them. */
  async sortKeys(partitionKey: string, sortKeyCondition?: string, more: More = {}): Promise<unknown[]> {
    const condition = sortKeyCondition === undefined ? {} : { sortKeyCondition };
    const pages = await this.queryPages({ partitionKey, ...condition, ...more });
    return pages.flatMap(({ items }) => items.map(({ sk }) => sk));
  }

  async #pages(operation: "query" | "scan", body: More): Promise<SeenPage[]> {
    const pages: SeenPage[] = [];
    let cursor: string | null | undefined;
    do {
      const answer = await this.client.post(
        `${this.root}/${operation}`,
        cursor === undefined ? body : { ...body, cursor },
      );
      if (answer.status !== 200) throw new Error(`${operation} answered ${answer.status}: ${answer.text}`);
      const page = answer.body as SeenPage;
      pages.push(page);
      cursor = page.nextCursor;
      if (pages.length > 10_000) throw new Error(`${operation} goes on after ten thousand pages`);
    } while (cursor !== null);
    return pages;
  }
}

/** The organization of the demo fixture without ceilings. */
const boundless = "org_demo_enterprise";

/** An empty database of an organization of the demo fixture, and its owner's view of the items. */
export async function emptyDatabase(
  running: TestEmulator,
  { email = "owner@demo.test", organizationId = boundless, name = "empty" } = {},
): Promise<ItemsClient> {
  const owner = await running.login(email, organizationId);
  const created = await owner.post("/api/v1/management/databases", { name, region: "eu-west-1" });
  if (created.status !== 201) throw new Error(`no database was created: ${created.text}`);
  return new ItemsClient(owner, (created.body as { databaseId: string }).databaseId);
}

/** What the Management API says about a database's usage. */
export async function usageOf(items: ItemsClient): Promise<{
  readonly itemCount: number;
  readonly storageBytes: number;
  readonly readUnitsConsumed: number;
  readonly writeUnitsConsumed: number;
  readonly lastUpdated: string;
}> {
  const answer = await items.client.get(`/api/v1/management/databases/${items.databaseId}`);
  return (answer.body as { usage: Awaited<ReturnType<typeof usageOf>> }).usage;
}
