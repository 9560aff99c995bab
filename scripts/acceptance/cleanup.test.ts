import { afterEach, expect, it } from "vitest";
import type { Check } from "../../conformance/check/check.js";
import { checks } from "../../conformance/checks/register.js";
import { changeBody, intercept } from "../../conformance/mutants/intercept.js";
import { mutants } from "../../conformance/mutants/register.js";
import { Ledger } from "../../conformance/target/ledger.js";
import { createTargetFromFile } from "../../conformance/target/file-target.js";
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
