/* eslint-disable @typescript-eslint/no-explicit-any, @typescript-eslint/no-unsafe-assignment, @typescript-eslint/no-unsafe-member-access, @typescript-eslint/no-unsafe-argument -- looks into answers of every shape, which the contract's validator holds elsewhere */
import type { EmulatorNamespace } from "../api/emulator-namespace.js";
import { quoteName } from "../sqlite/quote-name.js";
import { createJsonInit } from "./create-json-init.js";

/** An unexpected response to a read. */
export interface Failure {
  readonly request: string;
  readonly status: number;
  readonly text: string;
}

/** The requests that were sent, and the failed ones. */
export interface Reading {
  readonly requests: readonly string[];
  readonly failures: readonly Failure[];
}

/**
 * Sends read requests for all data in a namespace, as an owner, with every API key and to the control plane. Finds the
 * resources by reading lists: reads all pages of each list, and some of the listed resources individually.
 */
export async function readEverything(world: EmulatorNamespace): Promise<Reading> {
  const reader = new Reader(world);
  await reader.readControlPlane();
  for (const path of ["/health", "/health/ready", "/health/live"]) await reader.ask("GET", path);
  await reader.readAsUser("owner@demo.test");
  const { apiKeys = [] } = await reader.ask("GET", "/_emulator/api-keys");
  // the other keys give access to a part of this data
  for (const { key, scopes } of apiKeys as { key: string; scopes: string[] }[])
    if (scopes.includes("*")) await reader.readData(key);
    else await reader.ask("GET", "/api/v1/databases/db_demo/items/customer%23ada", key);
  return reader;
}

type Body = any;

class Reader implements Reading {
  readonly requests: string[] = [];
  readonly failures: Failure[] = [];
  readonly #world: EmulatorNamespace;

  constructor(world: EmulatorNamespace) {
    this.#world = world;
  }

  /** Returns the body of a response; undefined if the request was rejected. */
  async ask(method: string, path: string, credential?: string, body?: unknown): Promise<Body> {
    const encoded = credential && encodeURIComponent(credential);
    const response = await this.#world.fetch(path, createJsonInit(method, body, encoded));
    const text = await response.text();
    const request = `${method} ${path}`;
    this.requests.push(request);
    // the health endpoints return 503 if the service is unhealthy
    if (response.status === 500 || (response.status > 500 && !path.startsWith("/health")))
      this.failures.push({ request, status: response.status, text });
    try {
      return response.ok ? JSON.parse(text) : {};
    } catch {
      this.failures.push({ request, status: response.status, text });
      return {};
    }
  }

  async readControlPlane(): Promise<void> {
    for (const path of [
      "",
      "/clock",
      "/profile",
      "/api-keys",
      "/namespaces",
      "/snapshots",
      "/faults",
      "/journal",
    ])
      await this.ask("GET", `/_emulator${path}`);
  }

  async readAsUser(email: string): Promise<void> {
    const login = await this.ask("POST", "/auth/password", undefined, { email, password: "demo-password" });
    const { accessToken, refreshToken } = login.authResponse ?? {};
    if (accessToken === undefined) return;
    await this.ask("POST", "/auth/refresh", undefined, { refreshToken });
    const { organizations = [] } = await this.ask("GET", "/api/v1/organizations", accessToken);
    for (const { organizationId } of organizations as { organizationId: string }[]) {
      const switched = await this.ask("POST", "/auth/switch-organization", accessToken, { organizationId });
      const token = switched.accessToken ?? switched.authResponse?.accessToken ?? accessToken;
      await this.ask("GET", `/api/v1/organizations/${organizationId}`, token);
      await this.ask("GET", `/api/v1/organizations/${organizationId}/members`, token);
      for (const path of ["", "/portal", "/status", "/usage"])
        await this.ask("GET", `/api/v1/payment${path}`, token);
      for (const path of ["", "/plan_pro"]) await this.ask("GET", `/api/v1/plans${path}`, token);
      if (organizationId === "org_demo_pro") await this.readData(token);
    }
  }

  /** Reads everything in the databases that a credential has access to. */
  async readData(credential: string): Promise<void> {
    const { databases = [] } = await this.ask("GET", "/api/v1/management/databases", credential);
    const ids = new Set([
      "db_demo",
      ...(databases as { databaseId: string }[]).map(({ databaseId }) => databaseId),
    ]);
    for (const id of ids) {
      const database = encodeURIComponent(id);
      await this.ask("GET", `/api/v1/management/databases/${database}`, credential);
      await this.#readItems(`/api/v1/databases/${database}/items`, credential);
      const repositories = `/api/v1/management/databases/${database}/repositories`;
      const listed = await this.ask("GET", repositories, credential);
      for (const { repositoryId } of (listed.repositories ?? []) as { repositoryId: string }[]) {
        await this.ask("GET", `${repositories}/${encodeURIComponent(repositoryId)}`, credential);
        await this.#readEntities(`/api/v1/repositories/${encodeURIComponent(repositoryId)}`, credential);
      }
      await this.#readTables(`/databases/${database}/sql`, credential);
    }
  }

  async #readItems(root: string, credential: string): Promise<void> {
    const { items = [] } = await this.ask("POST", `${root}/scan`, credential, {});
    await this.ask("POST", `${root}/scan`, credential, {
      filterExpression: { name: "Ada", total: 1 },
    });
    for (const { pk, sk } of (items as { pk: string; sk: string | null }[]).slice(0, 5)) {
      const at = sk === null ? encodeURIComponent(pk) : `${encodeURIComponent(pk)}/${encodeURIComponent(sk)}`;
      await this.ask("GET", `${root}/${at}`, credential);
    }
    for (const { pk } of (items as { pk: string }[]).slice(0, 2))
      await this.ask("POST", `${root}/query`, credential, { partitionKey: pk });
    const keys = (items as { pk: string; sk: string | null }[])
      .slice(0, 10)
      .map(({ pk, sk }) => (sk === null ? { pk } : { pk, sk }));
    if (keys.length === 0) return;
    await this.ask("POST", `${root}/batch/get`, credential, { keys });
    await this.ask("POST", `${root}/transact/get`, credential, {
      items: keys.map((key) => ({ ...key, projectionExpression: ["name", "total"] })),
    });
    await this.ask("POST", `${root}/transact/get`, credential, {
      items: [{ pk: "customer#ada" }],
      clientRequestToken: "known",
    });
  }

  async #readEntities(root: string, credential: string): Promise<void> {
    const { entities = [], items = entities } = await this.ask("GET", root, credential);
    for (const { id } of (items as { id: string }[]).slice(0, 3))
      await this.ask("GET", `${root}/${encodeURIComponent(id)}`, credential);
    await this.ask("POST", `${root}/query`, credential, { sortBy: "title", sortOrder: "desc", limit: 2 });
    await this.ask("POST", `${root}/query`, credential, { sortBy: "createdAt" });
    await this.ask("POST", `${root}/query`, credential, {
      filter: "price > :price",
      filterValues: { ":price": 1 },
    });
  }

  async #readTables(root: string, credential: string): Promise<void> {
    const { tables = [] } = await this.ask("GET", `${root}/tables`, credential);
    for (const { name } of tables as { name: string }[]) {
      await this.ask("GET", `${root}/tables/${encodeURIComponent(name)}/schema`, credential);
      const sql = `SELECT * FROM ${quoteName(name)}`;
      await this.ask("POST", `${root}/query`, credential, { sql });
      await this.ask("POST", `${root}/query`, credential, { sql, limit: 2 });
    }
  }
}
