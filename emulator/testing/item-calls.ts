import { expect } from "vitest";
import type { Profile } from "../../openapi/gaps/profile.js";
import type { TestAnswer, TestClient, TestEmulator } from "./test-client.js";

/** The item operations of one database, as one caller, for tests that write many of them. */
export class ItemCalls {
  readonly #client: TestClient;
  readonly #databaseId: string;

  constructor(client: TestClient, databaseId: string) {
    this.#client = client;
    this.#databaseId = databaseId;
  }

  /** Creates a database and returns the calls for it. */
  static async inNewDatabase(client: TestClient, name: string): Promise<ItemCalls> {
    const created = await client.post("/api/v1/management/databases", { name, region: "eu-west-1" });
    return new ItemCalls(client, (created.body as { databaseId: string }).databaseId);
  }

  /** Any operation below `/items`; a text goes out as it is. */
  send(method: string, suffix: string, body?: unknown): Promise<TestAnswer> {
    const target = `/api/v1/databases/${this.#databaseId}/items${suffix}`;
    return this.#client.request(method, target, typeof body === "string" ? { rawBody: body } : { body });
  }

  put = (pk: string, sk: string | null, data: unknown) => this.send("PUT", "", { pk, sk, data });
  get = (pk: string, sk: string | null = null) => this.send("GET", keyPath(pk, sk));
  delete = (pk: string, sk: string | null = null) => this.send("DELETE", keyPath(pk, sk));
  batchWrite = (items: unknown) => this.send("POST", "/batch/write", { items });
  batchGet = (keys: unknown) => this.send("POST", "/batch/get", { keys });
  transactGet = (items: unknown, clientRequestToken?: string) =>
    this.send("POST", "/transact/get", { items, clientRequestToken });
  transactWrite = (items: unknown, clientRequestToken?: string) =>
    this.send("POST", "/transact/write", { items, clientRequestToken });

  /** What the database says about its use. */
  async usage(): Promise<unknown> {
    const database = await this.#client.get(`/api/v1/management/databases/${this.#databaseId}`);
    return (database.body as { usage: unknown }).usage;
  }

  /** Every item with its timestamps, as text, in order of its keys. */
  async everything(): Promise<readonly string[]> {
    const scan = await this.send("POST", "/scan", { limit: 1000 });
    const { items, nextCursor } = scan.body as { items: object[]; nextCursor: unknown };
    expect(nextCursor).toBeNull();
    const found: string[] = [];
    for (let from = 0; from < items.length; from += 100)
      found.push((await this.batchGet(items.slice(from, from + 100).map(keyOf))).text);
    return found;
  }

  /** Runs something that must leave items, timestamps and usage as they are. */
  async unchangedBy(act: () => Promise<TestAnswer>): Promise<TestAnswer> {
    const items = await this.everything();
    // reading counts as use, so usage is looked at last before and first after
    const usage = await this.usage();
    const answer = await act();
    expect(await this.usage()).toEqual(usage);
    expect(await this.everything()).toEqual(items);
    return answer;
  }
}

/** Brings an emulator back to its beginning, under a profile, with an empty database for the demo owner. */
export async function beginItems(running: TestEmulator, profile: Partial<Profile> = {}): Promise<ItemCalls> {
  running.emulator.reset();
  running.emulator.profile.set(profile);
  const client = await running.login("owner@demo.test", "org_demo_pro");
  return ItemCalls.inNewDatabase(client, "items-under-test");
}

/** The members of a problem body that tell where a request was wrong. */
export function pointersOf({ body }: TestAnswer): string[] {
  return (body as { errors: { pointer: string }[] }).errors.map(({ pointer }) => pointer);
}

function keyOf(item: object): object {
  const { pk, sk } = item as { pk: string; sk: string | null };
  return { pk, sk };
}

function keyPath(pk: string, sk: string | null): string {
  return `/${encodeURIComponent(pk)}${sk === null ? "" : `/${encodeURIComponent(sk)}`}`;
}
