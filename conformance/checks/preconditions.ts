import { type Check, defineChecks } from "../check/check.js";
import type { Requirement } from "../target/requirements.js";
import { isSuccess } from "../client/is-success.js";
import { sleep } from "../client/time-source.js";
import type { CheckContext } from "../check/context.js";
import { NoResponseError, RunError } from "../client/violation.js";
import type { OperationId } from "../../openapi/operations/register.js";
import { readAllPages } from "../client/read-all-pages.js";

/** Maximum time to wait for a write to become visible, in milliseconds; other checks report lost writes. */
const maxLagMs = 10_000;

/** One way of writing something and reading it. */
interface Trial {
  readonly what: string;
  readonly needs: readonly Requirement[];
  readonly rounds: number;
  /** Writes something new. Returns a function that checks whether it is visible; undefined if the write is refused. */
  readonly write: (context: CheckContext) => Promise<(() => Promise<boolean>) | undefined>;
}

const itemTrial: Trial = {
  what: "an item",
  needs: [],
  rounds: 8,
  write: async (context) => {
    const path = { databaseId: await context.resources.getDatabase(), pk: context.resources.createName() };
    const isVisible = async () =>
      isSuccess(await context.call("getItem", { path, setUp: true })) && (await isFound());
    // Another store may answer queries.
    const query = { partitionKey: path.pk };
    const isFound = async () => {
      const response = await context.call("queryItems", { path, body: query, setUp: true });
      return !isSuccess(response) || (response.body?.items as unknown[] | undefined)?.length !== 0;
    };
    // A cache may then still say that there is no item.
    await isVisible();
    const body = { pk: path.pk, data: { n: 1 } };
    return isSuccess(await context.call("putItem", { path, body, setUp: true })) ? isVisible : undefined;
  },
};

const entityTrial: Trial = {
  what: "an entity",
  needs: ["repositories"],
  rounds: 8,
  write: async (context) => {
    const path = { repositoryId: await context.resources.getRepository() };
    const created = await context.call("createEntity", { path, body: { data: {} }, setUp: true });
    const { id = "" } = (created.body ?? {}) as { id?: string };
    const isVisible = async () => {
      const read = await context.call("getEntity", { path: { ...path, entityId: id }, setUp: true });
      return isSuccess(read) && (await isListed());
    };
    // Another store may answer lists. Entities that others have created may fill the first page.
    const isListed = async () => {
      const { body } = await context.call("listEntities", { path, setUp: true });
      const { entities = [], nextCursor } = (body ?? {}) as {
        entities?: { id?: unknown }[];
        nextCursor?: unknown;
      };
      return (
        (nextCursor ?? null) !== null || entities.length === 0 || entities.some((entity) => entity.id === id)
      );
    };
    return isSuccess(created) ? isVisible : undefined;
  },
};

/** Builds a trial that creates a resource and reads a list of resources. */
const buildListTrial = (
  kind: "database" | "repository" | "organization",
  need: Requirement,
  operationId: OperationId,
  create: (context: CheckContext) => Promise<string>,
): Trial => ({
  what: kind,
  needs: [need],
  rounds: 2,
  write: async (context) => {
    const path = { databaseId: await context.resources.getDatabase() };
    const ask = (cursor: string | undefined) =>
      context.call(operationId, { path, setUp: true, ...(cursor && { query: { cursor } }) });
    const list = operationId.slice("list".length).toLowerCase();
    const listIds = async () =>
      (await readAllPages<Readonly<Record<string, unknown>>>(list, ask, () => [])).map(
        (entry) => entry[`${kind}Id`],
      );
    await listIds();
    const id = await create(context);
    return async () => (await listIds()).includes(id);
  },
});

const listTrials: readonly Trial[] = [
  buildListTrial(
    "database",
    "create-databases",
    "listDatabases",
    async ({ resources }) => (await resources.createDatabase()).databaseId,
  ),
  buildListTrial("repository", "repositories", "listRepositories", async ({ resources }) =>
    resources.createRepository(await resources.getDatabase()),
  ),
  buildListTrial("organization", "create-organizations", "listOrganizations", ({ resources }) =>
    resources.createOrganization(),
  ),
];

/**
 * Measures the milliseconds until a write is visible; 0 if it is visible at the first read. Returns undefined if the write is
 * refused, or never visible.
 */
async function measureLag(context: CheckContext, { write }: Trial): Promise<number | undefined> {
  const isVisible = await write(context).catch((error: unknown) => {
    if (error instanceof RunError && !(error instanceof NoResponseError)) return undefined;
    throw error;
  });
  const writtenAt = Date.now();
  for (let first = true; isVisible !== undefined && Date.now() - writtenAt < maxLagMs; first = false) {
    if (await isVisible()) return first ? 0 : Date.now() - writtenAt;
    await sleep(10);
  }
  return undefined;
}

/** Returns the longest lag in the trials that the deployment offers. */
async function measureMaxLag(context: CheckContext, trials: readonly Trial[]) {
  let longest = { what: "", lagMs: 0 };
  for (const trial of trials.filter(({ needs }) => needs.every((need) => context.offers(need))))
    for (let round = 0; round < trial.rounds; round++) {
      const lagMs = await measureLag(context, trial);
      if (lagMs === undefined) break;
      if (lagMs > longest.lagMs) longest = { what: trial.what, lagMs };
    }
  return longest;
}

/** Logs in before all other checks. If a response to a login breaks a clause, the run ends, and this check has failed. */
export const loginCheck: Check = {
  id: "preconditions/login",
  title: "The owner can log in",
  clauses: [],
  isPrecondition: true,
  needs: ["owner"],
  run: async (context) => {
    await context.actor("owner");
  },
};

/**
 * Checks an assumption of all other checks that the specification does not promise: a read shows every write whose
 * response arrived before the read was sent. Without it, no check could distinguish a late result from a wrong one. If
 * only lists of resources lag, the suite waits before it reads them, because it reads them rarely.
 */
export const preconditionChecks: readonly Check[] = defineChecks(loginCheck, {
  id: "preconditions/reads-see-writes",
  title: "Reads show earlier writes, immediately or after the lag declared in the target file",
  clauses: [],
  isPrecondition: true,
  needs: ["database"],
  run: async (context) => {
    const { what, lagMs } = await measureMaxLag(context, [itemTrial, entityTrial]);
    if (lagMs > 0)
      throw new RunError(
        `reads lag behind writes: ${what} became visible ${lagMs} ms after the response to its write. ` +
          "The specification allows this, but no other check could distinguish a late result from a wrong result; " +
          `set \`timeouts.readLagMs\` in the target file to a value well above ${lagMs}`,
      );
    const lists = await measureMaxLag(context, listTrials);
    if (lists.lagMs > 0) context.client.setListLag(1.5 * lists.lagMs + 50);
  },
});
