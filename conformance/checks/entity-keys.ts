import type { ClauseId } from "../../openapi/clauses/register.js";
import type { Scope } from "../../openapi/schemas/roles.js";
import type { OperationId } from "../../openapi/operations/register.js";
import { defineChecks } from "../check/check.js";
import type { Call, Caller } from "../client/client.js";
import type { CheckContext } from "../check/context.js";
import { readPages } from "../steps/pages.js";
import { entitiesOf } from "./entity-listing.js";

const data = { a: 1 };

/** The clauses of a right that a key has, and of one that it has not. */
interface KeyClauses {
  readonly opens?: ClauseId;
  readonly bars: ClauseId;
}

/** What a credential may do with entities; `open` where the specification does not say. */
interface Rights {
  readonly read: boolean | "open";
  readonly write: boolean;
}

/** Tries every entity operation with a credential, and asserts that it may do what it may, and nothing else. */
async function assertRights(
  context: CheckContext,
  { bars, opens = bars }: KeyClauses,
  as: Caller,
  may: Rights,
): Promise<void> {
  const { resources } = context;
  const repositoryId = await resources.newRepository(await resources.database());
  const path = { repositoryId };
  const make = async () => {
    const { body } = await context.call("createEntity", { path, body: { data }, setUp: true });
    return { ...path, entityId: body.id as string };
  };
  const [first, second] = [await make(), await make()];
  // by their ids: totalCount need not follow at once
  const present = async () => (await readPages(context, entitiesOf(repositoryId))).ids.toSorted();
  const attempt = async (operation: OperationId, allowed: boolean | "open", status: number, call: Call) => {
    if (allowed === "open") return;
    const before = await present();
    const answer = await context.call(operation, { ...call, as, intent: allowed ? "valid" : "invalid" });
    if (allowed) {
      context.assertStatus(opens, answer, status);
      return;
    }
    context.assertRefused(bars, answer, `${as.name} has no right to ${operation}`);
    context.assertEqual(bars, await present(), before, "the entities after the refused request");
    const { body } = await context.call("getEntity", { path: first, setUp: true });
    context.assertEqual(bars, body.data, data, "data after the refused request");
  };
  await attempt("getEntity", may.read, 200, { path: first });
  await attempt("listEntities", may.read, 200, { path });
  await attempt("queryEntities", may.read, 200, { path, body: {} });
  await attempt("createEntity", may.write, 201, { path, body: { data } });
  await attempt("updateEntity", may.write, 200, { path: second, body: { data: { a: 2 } } });
  await attempt("deleteEntity", may.write, 204, { path: second });
  await resources.remove("repository", repositoryId);
}

function keyCheck(scope: Scope, title: string, clauses: KeyClauses, may: Rights) {
  return {
    id: `entities/key-${scope.replace(":", "-").replace("*", "all")}`,
    title,
    clauses: Object.values(clauses),
    needs: ["database", "repositories", `key ${scope}`],
    run: async (context: CheckContext) => {
      const key = await context.actors.key(scope);
      await assertRights(context, clauses, key, may);
    },
  } as const;
}

const none = { read: false, write: false };

/** Part 5: who may do what with entities. */
export const entityKeyChecks = defineChecks(
  keyCheck(
    "repository:read",
    "A key with repository:read reads entities and writes none",
    { opens: "REPO-39", bars: "REPO-40" },
    {
      read: true,
      write: false,
    },
  ),
  keyCheck(
    "repository:write",
    "A key with repository:write writes and deletes entities",
    { bars: "REPO-41" },
    {
      read: "open",
      write: true,
    },
  ),
  keyCheck(
    "repository:*",
    "A key with repository:* reads and writes entities",
    { bars: "REPO-42" },
    {
      read: true,
      write: true,
    },
  ),
  keyCheck("database:read", "A key with database:read has no right to entities", { bars: "REPO-43" }, none),
  keyCheck("database:write", "A key with database:write has no right to entities", { bars: "REPO-43" }, none),
);
