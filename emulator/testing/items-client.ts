import { expect } from "vitest";
import type { Profile } from "../../openapi/gaps/profile.js";
import type { TestResponse, TestClient, TestEmulator } from "./test-client.js";

/** An item in the response to a query or scan. */
export interface ReturnedItem {
  readonly pk: string;
  readonly sk: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The body of the response to a query or scan. */
export interface ReturnedPage {
  readonly items: readonly ReturnedItem[];
  readonly nextCursor: string | null;
  readonly count: number;
  readonly scannedCount: number;
}

/** The usage figures of a database. */
export interface Usage {
  readonly itemCount: number;
  readonly storageBytes: number;
  readonly readUnitsConsumed: number;
  readonly writeUnitsConsumed: number;
  readonly lastUpdated: string;
}

const management = "/api/v1/management/databases";

type More = Readonly<Record<string, unknown>>;

/** Sends requests about the items in one database as one caller, with the routes of the default profile. */
export class ItemsClient {
  readonly client: TestClient;
  readonly databaseId: string;
  /** The path of the items, without a trailing slash. */
  readonly root: string;

  constructor(client: TestClient, databaseId: string) {
    this.client = client;
    this.databaseId = databaseId;
    this.root = `/api/v1/databases/${databaseId}/items`;
  }

  /** Returns a client with another credential. */
  as(credential: string | undefined): ItemsClient {
    return new ItemsClient(this.client.as(credential), this.databaseId);
  }

  /** Returns the path of an item. */
  path(pk: string, sk: string | null = null): string {
    return `${this.root}/${encodeURIComponent(pk)}${sk === null ? "" : `/${encodeURIComponent(sk)}`}`;
  }

  /** Puts an item; if `sk` is null, the body has no `sk`. */
  put(pk: string, sk: string | null, data: unknown, more: More = {}): Promise<TestResponse> {
    return this.client.put(this.root, { pk, ...(sk === null ? {} : { sk }), data, ...more });
  }

  /** Calls any operation under `/items`; a string is sent unchanged as the body. */
  send(method: string, suffix: string, body?: unknown): Promise<TestResponse> {
    const content = typeof body === "string" ? { rawBody: body } : { body };
    return this.client.request(method, `${this.root}${suffix}`, content);
  }

  get = (pk: string, sk: string | null = null) => this.client.get(this.path(pk, sk));
  delete = (pk: string, sk: string | null = null) => this.client.delete(this.path(pk, sk));
  query = (body: unknown) => this.client.post(`${this.root}/query`, body);
  scan = (body: unknown = {}) => this.client.post(`${this.root}/scan`, body);
  batchWrite = (items: unknown) => this.client.post(`${this.root}/batch/write`, { items });
  batchGet = (keys: unknown) => this.client.post(`${this.root}/batch/get`, { keys });
  transactGet = (items: unknown, clientRequestToken?: string) =>
    this.client.post(`${this.root}/transact/get`, { items, clientRequestToken });
  transactWrite = (items: unknown, clientRequestToken?: string) =>
    this.client.post(`${this.root}/transact/write`, { items, clientRequestToken });

  /** Reads all pages of a query. */
  queryPages = (body: More) => this.#pages("query", body);
  /** Reads all pages of a scan. */
  scanPages = (body: More = {}) => this.#pages("scan", body);

  /** Returns the sort keys that a query finds, in order. */
  async sortKeys(partitionKey: string, sortKeyCondition?: string, more: More = {}): Promise<unknown[]> {
    const condition = sortKeyCondition === undefined ? {} : { sortKeyCondition };
    const pages = await this.queryPages({ partitionKey, ...condition, ...more });
    return pages.flatMap(({ items }) => items.map(({ sk }) => sk));
  }

  /** Returns the usage of the database. */
  async usage(): Promise<Usage> {
    const answer = await this.client.get(`${management}/${this.databaseId}`);
    return (answer.body as { readonly usage: Usage }).usage;
  }

  /** Returns all items with their timestamps as texts, in key order. */
  async everything(): Promise<readonly string[]> {
    const pages = await this.scanPages({ limit: 1000 });
    const keys = pages.flatMap(({ items }) => items.map(({ pk, sk }) => ({ pk, sk })));
    const found: string[] = [];
    for (let from = 0; from < keys.length; from += 100)
      found.push((await this.batchGet(keys.slice(from, from + 100))).text);
    return found;
  }

  /** Runs a function, and asserts that it changes no items, timestamps or usage figures. */
  async unchangedBy(act: () => Promise<TestResponse>): Promise<TestResponse> {
    const items = await this.everything();
    // read the usage last before the call and first after it, because reading items also changes the usage
    const usage = await this.usage();
    const answer = await act();
    expect(await this.usage()).toEqual(usage);
    expect(await this.everything()).toEqual(items);
    return answer;
  }

  async #pages(operation: "query" | "scan", body: More): Promise<ReturnedPage[]> {
    const pages: ReturnedPage[] = [];
    let cursor: string | null | undefined;
    do {
      const answer = await this.client.post(
        `${this.root}/${operation}`,
        cursor === undefined ? body : { ...body, cursor },
      );
      if (answer.status !== 200) throw new Error(`${operation} answered ${answer.status}: ${answer.text}`);
      const page = answer.body as ReturnedPage;
      pages.push(page);
      cursor = page.nextCursor;
      if (pages.length > 10_000) throw new Error(`${operation} has more than ten thousand pages`);
    } while (cursor !== null);
    return pages;
  }
}

/** An organization in the demo fixture without limits. */
const boundless = "org_demo_enterprise";

/** Creates an empty database in an organization of the demo fixture; returns its owner's client. */
export async function createEmptyDatabase(
  running: TestEmulator,
  { email = "owner@demo.test", organizationId = boundless, name = "empty" } = {},
): Promise<ItemsClient> {
  return createDatabaseClient(await running.login(email, organizationId), name);
}

/** Creates a database; returns its creator's client. */
export async function createDatabaseClient(client: TestClient, name: string): Promise<ItemsClient> {
  const created = await client.post(management, { name, region: "eu-west-1" });
  if (created.status !== 201) throw new Error(`no database was created: ${created.text}`);
  return new ItemsClient(client, (created.body as { databaseId: string }).databaseId);
}

/** Resets an emulator, sets a profile, and creates an empty database for the demo owner. */
export async function createItemsClient(
  running: TestEmulator,
  profile: Partial<Profile> = {},
): Promise<ItemsClient> {
  running.emulator.reset();
  running.emulator.profile.set(profile);
  return createEmptyDatabase(running, { organizationId: "org_demo_pro", name: "items-under-test" });
}
