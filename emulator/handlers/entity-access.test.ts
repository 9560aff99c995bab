import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eachAnswer } from "../testing/each-answer.js";
import {
  getEntitiesPath,
  repositoriesPath,
  type RepositoryClient,
  createRepositoryTestSetup,
  type RepositoryTestSetup,
} from "../testing/repository-client.js";
import { createTestEmulator } from "../testing/test-client.js";

let scene: RepositoryTestSetup;
beforeAll(async () => {
  scene = await createRepositoryTestSetup();
});
afterAll(() => scene.emulator.close());

/** Sends reads and writes of entities as one caller; returns their statuses. */
async function tryReadsAndWrites(
  client: RepositoryClient,
): Promise<{ readonly reads: number[]; readonly writes: number[] }> {
  const { entities, owner } = scene;
  const { id } = (await owner.post(entities, { data: {} })).body;
  const reads = [
    await client.get(entities),
    await client.get(`${entities}/${id}`),
    await client.post(`${entities}/query`, {}),
  ];
  const writes = [
    await client.post(entities, { data: {} }),
    await client.put(`${entities}/${id}`, { data: {} }),
    await client.delete(`${entities}/${id}`),
  ];
  const statuses = (answers: readonly { readonly status: number }[]) => answers.map(({ status }) => status);
  return { reads: statuses(reads), writes: statuses(writes) };
}

const may = { reads: [200, 200, 200], writes: [201, 200, 204] };
const mayNot = [403, 403, 403];

describe("API keys", () => {
  it.each([
    ["[REPO-39] [REPO-40] repository:read", "dsk_demo_repository_read", { ...may, writes: mayNot }],
    ["[REPO-39] [REPO-41] repository:write", "dsk_demo_repository_write", { ...may, reads: mayNot }],
    ["[REPO-42] repository:*", "dsk_demo_repository_all", may],
    ["*", "dsk_demo_all", may],
    ["[REPO-43] database:read", "dsk_demo_database_read", { reads: mayNot, writes: mayNot }],
    ["[REPO-43] database:write", "dsk_demo_database_write", { reads: mayNot, writes: mayNot }],
    ["[REPO-43] database:*", "dsk_demo_database_all", { reads: mayNot, writes: mayNot }],
  ])("%s", async (_title, key, expected) => {
    expect(await tryReadsAndWrites(scene.client.as(key))).toEqual(expected);
  });

  it("cannot manage repositories", async () => {
    expect((await scene.client.as("dsk_demo_all").get(repositoriesPath)).status).toBe(403);
  });
});

describe("gaps about scopes", () => {
  const tried = async (profile: object, key: string) => {
    const before = scene;
    scene = await createRepositoryTestSetup(undefined, profile);
    try {
      return await tryReadsAndWrites(scene.client.as(key));
    } finally {
      await scene.emulator.close();
      scene = before;
    }
  };

  eachAnswer(
    "database-all-covers-entities",
    "is whether database:* is good for entities",
    async (answer, profile) => {
      const none = { reads: mayNot, writes: mayNot };
      expect(await tried(profile, "dsk_demo_database_all")).toEqual(answer === "granted" ? may : none);
      expect(await tried(profile, "dsk_demo_database_write")).toEqual(none);
    },
  );

  eachAnswer("write-scope-reads-entities", "is whether repository:write reads", async (answer, profile) => {
    const writes = answer === "granted" ? may : { ...may, reads: mayNot };
    expect(await tried(profile, "dsk_demo_repository_write")).toEqual(writes);
    expect(await tried(profile, "dsk_demo_repository_read")).toEqual({ ...may, writes: mayNot });
    expect(await tried(profile, "dsk_demo_database_write")).toEqual({ reads: mayNot, writes: mayNot });
  });
});

describe("users", () => {
  it.each([
    ["owner", may],
    ["admin", may],
    ["member", may],
    ["readonly", { ...may, writes: mayNot }],
  ])("[REPO-39] %s", async (role, expected) => {
    expect(await tryReadsAndWrites(await scene.login(`${role}@demo.test`, "org_demo_pro"))).toEqual(expected);
  });

  it("need a credential", async () => {
    expect((await scene.client.get(scene.entities)).status).toBe(401);
  });
});

describe("resources of other organizations", () => {
  const requests: [method: string, suffix: string, body: object | undefined][] = [
    ["GET", "", undefined],
    ["POST", "", { data: {} }],
    ["POST", "/query", {}],
    ["GET", "/ent_demo_cup", undefined],
    ["PUT", "/ent_demo_cup", { data: {} }],
    ["DELETE", "/ent_demo_cup", undefined],
  ];

  it.each(requests)("look like missing resources: %s %s", async (method, suffix, body) => {
    const outsider = await scene.login("outsider@demo.test");
    const ask = (id: string) => outsider.request(method, getEntitiesPath(id) + suffix, { body });
    const [foreign, missing] = [await ask("repo_demo_products"), await ask("repo_demo_nothing")];
    expect(foreign.status).toBe(404);
    expect(foreign.text).toBe(missing.text);
    expect([...foreign.headers.keys()]).toEqual([...missing.headers.keys()]);
  });

  it("are refused as foreign if the profile says so", async () => {
    const { emulator, login } = await createTestEmulator({ profile: { "foreign-resource-status": 403 } });
    const outsider = await login("outsider@demo.test");
    expect((await outsider.get(getEntitiesPath("repo_demo_products"))).status).toBe(403);
    expect((await outsider.get(getEntitiesPath("repo_demo_nothing"))).status).toBe(404);
    await emulator.close();
  });

  it("[REPO-44] are not visible through another repository or database", async () => {
    const { owner, entities } = scene;
    expect((await owner.get(`${entities}/ent_demo_cup`)).status).toBe(404);
    expect((await owner.put(`${entities}/ent_demo_cup`, { data: {} })).status).toBe(404);
    expect((await owner.delete(`${entities}/ent_demo_cup`)).status).toBe(204);
    const { body } = await owner.post(`${entities}/query`, {
      filter: "title = :t",
      filterValues: { ":t": "Cup" },
    });
    expect(body.totalCount).toBe(0);
    expect((await owner.get(getEntitiesPath("repo_demo_products", "ent_demo_cup"))).status).toBe(200);
  });
});

it("entities of an unavailable database are refused with 409; its repositories can still be managed", async () => {
  const { emulator, owner, entities } = scene;
  emulator.databases.change("db_demo", { status: "Maintenance" });
  expect((await tryReadsAndWrites(owner)).reads).toEqual([409, 409, 409]);
  expect((await owner.post(entities, { data: {} })).status).toBe(409);
  expect((await owner.get(repositoriesPath)).status).toBe(200);
  emulator.databases.change("db_demo", { status: "Active" });
  expect((await owner.get(entities)).status).toBe(200);
});
