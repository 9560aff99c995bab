import { expect } from "vitest";
import type { Profile } from "../../openapi/gaps/profile.js";
import type { TestResponse, TestClient, TestEmulator } from "./test-client.js";

type More = Readonly<Record<string, unknown>>;

/** Sends requests to the SQL interface of one database as one caller, over HTTP. */
export class SqlTestClient {
  readonly client: TestClient;
  readonly databaseId: string;
  readonly #root: string;

  constructor(client: TestClient, databaseId: string) {
    this.client = client;
    this.databaseId = databaseId;
    this.#root = `/databases/${databaseId}/sql`;
  }

  /** Returns a client with another credential. */
  as(credential: string | undefined): SqlTestClient {
    return new SqlTestClient(this.client.as(credential), this.databaseId);
  }

  query(sql: string, parameters?: More, more: More = {}): Promise<TestResponse> {
    return this.client.post(`${this.#root}/query`, {
      sql,
      ...(parameters === undefined ? {} : { parameters }),
      ...more,
    });
  }

  /** Sends a query whose body is raw text. */
  queryRaw = (rawBody: string | Uint8Array<ArrayBuffer>, headers: Readonly<Record<string, string>> = {}) =>
    this.client.request("POST", `${this.#root}/query`, { rawBody, headers });
  execute = (sql: string) => this.client.post(`${this.#root}/execute`, { sql });
  tables = () => this.client.get(`${this.#root}/tables`);
  schema = (table: string) => this.client.get(`${this.#root}/tables/${encodeURIComponent(table)}/schema`);

  /** Runs statements that must succeed; the first word of a statement determines the endpoint. */
  async run(...statements: readonly string[]): Promise<void> {
    for (const sql of statements) {
      const defines = /^\s*(?:CREATE|ALTER|DROP)/i.test(sql);
      const answer = defines ? await this.execute(sql) : await this.query(sql);
      expect([sql, answer.status, answer.text]).toEqual([sql, 200, answer.text]);
    }
  }

  /** Returns the rows of a SELECT. */
  async rows(sql: string, parameters?: More, more: More = {}): Promise<readonly unknown[]> {
    const answer = await this.query(sql, parameters, more);
    expect([sql, answer.status, answer.text]).toEqual([sql, 200, answer.text]);
    return (answer.body as { rows: unknown[] }).rows;
  }

  /** Reads all pages of a SELECT. */
  async pages(
    sql: string,
    limit: number,
    between?: (page: number) => Promise<unknown>,
  ): Promise<unknown[][]> {
    const pages: unknown[][] = [];
    let pageToken: string | null = null;
    do {
      const answer: TestResponse = await this.query(sql, undefined, { limit, pageToken });
      expect([sql, answer.status, answer.text]).toEqual([sql, 200, answer.text]);
      const page = answer.body as { rows: unknown[]; nextPageToken: string | null };
      pages.push(page.rows);
      pageToken = page.nextPageToken;
      if (pages.length > 1000) throw new Error("there are too many pages");
      await between?.(pages.length);
    } while (pageToken !== null);
    return pages;
  }
}

/** Returns the status and the code of an error. */
export function getStatusAndCode({ status, body }: TestResponse): readonly [number, unknown] {
  return [status, (body as { code?: string } | undefined)?.code];
}

/** Resets an emulator, sets a profile, and creates an empty database for the demo owner. */
export async function createSqlTestClient(
  running: TestEmulator,
  profile: Partial<Profile> = {},
): Promise<SqlTestClient> {
  running.emulator.reset();
  running.emulator.profile.set(profile);
  const client = await running.login("owner@demo.test", "org_demo_pro");
  const created = await client.post("/api/v1/management/databases", { name: "tables", region: "eu-west-1" });
  return new SqlTestClient(client, (created.body as { databaseId: string }).databaseId);
}
