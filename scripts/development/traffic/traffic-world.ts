import type { Emulator } from "../../../emulator/api/emulator.js";
import { serviceOperations } from "../../../openapi/operations/register.js";

/** A fresh world of the demo fixture in which the examples of the contract work. */
export interface World {
  readonly emulator: Emulator;
  /** Access and refresh token of the owner of the organization, for that organization. */
  readonly owner: Tokens;
  /** Access token of a user who may only read. */
  readonly readonly: string;
  /** Values of path parameters in place of those of the examples. */
  readonly ids: {
    readonly organizationId: string;
    readonly memberId: string;
    /** A database with the items and the tables of the examples. */
    readonly databaseId: string;
    /** A repository of that database, with the schema of the examples. */
    readonly repositoryId: string;
    readonly entityId: string;
  };
}

interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

const organizationId = "org_demo_pro";
const { putItem, executeSql, createRepository, createEntity } = serviceOperations;

/** Resets the emulator and prepares what the calls expect. */
export async function beginWorld(emulator: Emulator): Promise<World> {
  emulator.reset();
  const owner = await logIn(emulator, "owner@demo.test");
  const readonly = await logIn(emulator, "readonly@demo.test");
  const send = sender(emulator, owner.accessToken);
  const management = "/api/v1/management/databases";
  const { databaseId } = await send<{ databaseId: string }>(management, {
    name: "traffic",
    region: "eu-west-1",
  });
  const items = `/api/v1/databases/${databaseId}/items`;
  const put = putItem.example.request as object;
  await send(items, put, "PUT");
  await send(items, { ...put, sk: null }, "PUT");
  const sql = `/databases/${databaseId}/sql`;
  await send(`${sql}/execute`, executeSql.example.request);
  await send(`${sql}/query`, {
    sql: "INSERT INTO orders VALUES ('c-17', '2030-01-01T00:00:00.000Z', 42.5), ('c-18', '2030-01-02T00:00:00.000Z', 1)",
  });
  await send(`${sql}/execute`, {
    sql: "CREATE TABLE page_views (page TEXT, seen_at TIMESTAMP, visitor UUID, PRIMARY KEY (page, seen_at))",
  });
  const { repositoryId } = await send<{ repositoryId: string }>(`${management}/${databaseId}/repositories`, {
    ...(createRepository.example.request as object),
    name: "traffic",
  });
  const { id: entityId } = await send<{ id: string }>(
    `/api/v1/repositories/${repositoryId}`,
    createEntity.example.request,
  );
  const ids = { organizationId, memberId: "user_demo_member", databaseId, repositoryId, entityId };
  return { emulator, owner, readonly: readonly.accessToken, ids };
}

async function logIn(emulator: Emulator, email: string): Promise<Tokens> {
  const login = await sender(emulator)<{ authResponse: Tokens }>("/auth/password", {
    email,
    password: "demo-password",
  });
  const send = sender(emulator, login.authResponse.accessToken);
  return send<Tokens>("/auth/switch-organization", { organizationId });
}

/** Sends requests in the process, past Prism, and insists on success. */
export function sender(emulator: Emulator, token?: string) {
  return async <Answer>(path: string, body: unknown, method = "POST"): Promise<Answer> => {
    const answer = await emulator.fetch(path, {
      method,
      headers: {
        "Content-Type": "application/json",
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as Answer;
  };
}
