import { parseJson } from "../json/parse-json.js";
import { isJsonObject, type JsonValue, getField } from "../json/json-value.js";
import { stringifyJson } from "../json/stringify-json.js";
import type { EmulatorOptions } from "../api/emulator.js";
import type { TestResponse, TestEmulator, TestRequest } from "./test-client.js";
import { createTestEmulator } from "./test-client.js";

/** The fields of responses about repositories and entities; each operation returns some of them. */
export interface ResponseBody {
  readonly databaseId: string;
  readonly repositoryId: string;
  readonly name: string;
  readonly schema: unknown;
  readonly itemCount: number;
  readonly id: string;
  readonly data: unknown;
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly usage: {
    readonly itemCount: number;
    readonly storageBytes: number;
    readonly readUnitsConsumed: number;
    readonly writeUnitsConsumed: number;
  };
  readonly repositories: readonly ResponseBody[];
  readonly entities: readonly ResponseBody[];
  readonly nextCursor: string | null;
  readonly totalCount: number;
  readonly errors: readonly { readonly pointer: string; readonly detail: string }[];
}

export interface RepositoryResponse extends TestResponse {
  readonly body: ResponseBody;
}

/** A {@link TestClient} whose responses have typed bodies. */
export interface RepositoryClient {
  readonly request: (method: string, target: string, request?: TestRequest) => Promise<RepositoryResponse>;
  readonly get: (target: string) => Promise<RepositoryResponse>;
  readonly post: (target: string, body?: unknown) => Promise<RepositoryResponse>;
  readonly put: (target: string, body?: unknown) => Promise<RepositoryResponse>;
  readonly delete: (target: string) => Promise<RepositoryResponse>;
}

/** The path of the repositories in the demo database. */
export const repositoriesPath = "/api/v1/management/databases/db_demo/repositories";

/** Returns the path of a repository's entities, or of one entity. */
export function getEntitiesPath(repositoryId: string, entityId?: string): string {
  const path = `/api/v1/repositories/${encodeURIComponent(repositoryId)}`;
  return entityId === undefined ? path : `${path}/${encodeURIComponent(entityId)}`;
}

/** An emulator, and the owner of the demo database with a new repository in it. */
export interface RepositoryTestSetup extends TestEmulator {
  readonly owner: RepositoryClient;
  readonly repositoryId: string;
  /** The path of the new repository's entities. */
  readonly entities: string;
}

/** Starts an emulator with a new repository; close it with `emulator.close()`. */
export async function createRepositoryTestSetup(
  schema?: unknown,
  profile: NonNullable<EmulatorOptions["profile"]> = {},
): Promise<RepositoryTestSetup> {
  const test = await createTestEmulator({ profile });
  const owner: RepositoryClient = await test.login("owner@demo.test", "org_demo_pro");
  const created = await owner.post(repositoriesPath, { name: "things", entityName: "Thing", schema });
  if (created.status !== 201) throw new Error(created.text);
  const { repositoryId } = created.body;
  return { ...test, owner, repositoryId, entities: getEntitiesPath(repositoryId) };
}

/** Returns the JSON text of a field in a response, with all digits and the order of fields. */
export function getTextField(answer: TestResponse, name: string): string {
  const body = parseJson(answer.text, { maxDepth: 1000 });
  const member: JsonValue | undefined = isJsonObject(body) ? getField(body, name) : undefined;
  if (member === undefined) throw new Error(`there is no ${name} in ${answer.text}`);
  return stringifyJson(member);
}
