import { readJson } from "../json/read-json.js";
import { isJsonObject, type JsonValue, memberOf } from "../json/json-value.js";
import { writeJson } from "../json/write-json.js";
import type { EmulatorOptions } from "../emulator.js";
import type { TestAnswer, TestClient, TestEmulator } from "./test-client.js";
import { testEmulator } from "./test-client.js";

/** The repositories of the demo database. */
export const repositoriesPath = "/api/v1/management/databases/db_demo/repositories";

/** Where the entities of a repository are. */
export function entitiesPath(repositoryId: string, entityId?: string): string {
  const path = `/api/v1/repositories/${encodeURIComponent(repositoryId)}`;
  return entityId === undefined ? path : `${path}/${encodeURIComponent(entityId)}`;
}

/** An emulator with the owner of the demo database and a new repository in it. */
export interface RepositoryScene extends TestEmulator {
  readonly owner: TestClient;
  readonly repositoryId: string;
  /** Where the entities of the new repository are. */
  readonly entities: string;
}

/** Starts an emulator for tests of one repository; close it with `emulator.close()`. */
export async function repositoryScene(
  schema?: unknown,
  profile: NonNullable<EmulatorOptions["profile"]> = {},
): Promise<RepositoryScene> {
  const test = await testEmulator({ profile });
  const owner = await test.login("owner@demo.test", "org_demo_pro");
  const created = await owner.post(repositoriesPath, { name: "things", entityName: "Thing", schema });
  if (created.status !== 201) throw new Error(created.text);
  const { repositoryId } = created.body as { repositoryId: string };
  return { ...test, owner, repositoryId, entities: entitiesPath(repositoryId) };
}

/** The text of a member of an answer, as it came: digits, order of members and all. */
export function memberText(answer: TestAnswer, name: string): string {
  const body = readJson(answer.text, { maxDepth: 1000 });
  const member: JsonValue | undefined = isJsonObject(body) ? memberOf(body, name) : undefined;
  if (member === undefined) throw new Error(`there is no ${name} in ${answer.text}`);
  return writeJson(member);
}
