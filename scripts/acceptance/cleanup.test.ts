import { afterEach, expect, it } from "vitest";
import type { Check } from "../../conformance/check/check.js";
import { checks } from "../../conformance/checks/register.js";
import { changeBody, createErrorResponse, intercept } from "../../conformance/mutants/intercept.js";
import { mutants } from "../../conformance/mutants/register.js";
import { Ledger } from "../../conformance/target/ledger.js";
import { createTargetFromFile } from "../../conformance/target/file-target.js";
import { cleanUpRun } from "../../conformance/run/cleanup.js";
import { generateRunId } from "../../conformance/run/run-id.js";
import { Run } from "../../conformance/run/runner.js";
import { createEmulator, type Emulator } from "../../emulator/api/emulator.js";
import { findLeftovers } from "../development/observe/find-leftovers.js";
import { demoTarget } from "./testing/demo-target.js";

let emulator: Emulator;
afterEach(() => emulator.close());

/** A check that creates the resources that are shared until the end of a run. */
const makeThings: Check = {
  id: "items/put-get-delete",
  title: "makes a database and a repository",
  clauses: [],
  needs: ["database", "repositories"],
  run: async ({ resources }) => {
    await resources.getDatabase();
    await resources.getRepository();
  },
};

/** A check that puts an item into the shared database. */
const putItem: Check = {
  ...makeThings,
  run: async (context) => {
    const path = { databaseId: await context.resources.getDatabase() };
    await context.call("putItem", { path, body: { pk: context.resources.createName(), data: {} } });
  },
};

it.each([
  ["databases/deleteDatabase-answers-200", "whose deletions answer 200"],
  [
    "repositories/listRepositories-repositories-itemCount-below-minimum",
    "whose lists do not fit the document",
  ],
  ["databases/list-drops-last", "whose lists hide the newest"],
])("removes everything from a deployment with the fault %s, %s, and says so", async (id) => {
  const fault = mutants.find((mutant) => mutant.id === id);
  if (fault === undefined) throw new Error(`there is no mutant ${id}`);
  emulator = await createEmulator({ fixture: "demo" });
  const run = generateRunId();
  const target = createTargetFromFile({
    file: { ...demoTarget, region: "eu-west-1" },
    fetch: fault.wrap(emulator.fetch),
  });
  const begun = new Run({ target, ledger: Ledger.create(run, target.baseUrl), seed: 1, runs: 1 });
  await begun.prepare();
  await begun.check(makeThings);
  expect(await findLeftovers(emulator.export(), run)).toHaveLength(1);
  expect(await begun.cleanUp()).toEqual([]);
  expect(await findLeftovers(emulator.export(), run)).toEqual([]);
});

it.each([
  ["the items in a given database", { databaseId: "db_demo" }],
  ["a database that must be empty", {}],
])("removes %s after a killed run if only API keys give access to data", async (_title, file) => {
  emulator = await createEmulator({ fixture: "demo", profile: { "data-credential": "api-key" } });
  const fetch = intercept(emulator.fetch, "deleteDatabase", async (request) => {
    const scan = await emulator.fetch(`/api/v1/databases/${request.path.databaseId ?? ""}/items/scan`, {
      method: "POST",
      headers: { authorization: "Bearer dsk_demo_all", "content-type": "application/json" },
      body: "{}",
    });
    const { items } = (await scan.json()) as { readonly items: readonly unknown[] };
    return items.length > 0 ? createErrorResponse(409) : request.send();
  });
  const target = createTargetFromFile({
    file: { ...demoTarget, ...file, region: "eu-west-1" },
    fetch,
  });
  const run = generateRunId();
  const ledger = Ledger.create(run, target.baseUrl);
  const killed = new Run({ target, ledger, seed: 1, runs: 1 });
  await killed.prepare();
  expect(await killed.check(putItem)).toMatchObject({ level: "passed" });
  expect(await findLeftovers(emulator.export(), run)).toHaveLength(1);
  expect(await cleanUpRun(ledger, target)).toEqual([]);
  expect(await findLeftovers(emulator.export(), run)).toEqual([]);
});

it.each([
  ["createOrganization", "organizations/delete", { organizationId: "org_demo_pro" }],
  ["createDatabase", "databases/life", { databaseId: "db_demo" }],
] as const)("keeps a resource whose id %s wrongly returns", async (operationId, checkId, ids) => {
  emulator = await createEmulator({ fixture: "demo" });
  const fetch = intercept(emulator.fetch, operationId, (request) =>
    changeBody(request.send(), (body) => Object.assign(body, ids)),
  );
  const target = createTargetFromFile({ file: { ...demoTarget, region: "eu-west-1" }, fetch });
  const ledger = Ledger.create(generateRunId(), target.baseUrl);
  const begun = new Run({ target, ledger, seed: 1, runs: 1 });
  await begun.prepare();
  const { failure } = await begun.check(checks.find(({ id }) => id === checkId) ?? makeThings);
  expect(failure?.actual).toContain("which existed before the run");
  expect(await begun.cleanUp()).toEqual([]);
  const organizations = emulator.organizations.list();
  expect(organizations.map(({ organizationId }) => organizationId)).toContain("org_demo_pro");
  const databases = emulator.databases.list();
  expect(databases.map(({ databaseId }) => databaseId)).toContain("db_demo");
});
