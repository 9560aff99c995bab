import type { repositoryGaps } from "../../openapi/gaps/repositories.js";
import type { Scope } from "../../openapi/schemas/roles.js";
import type { ApiResponse } from "../client/client.js";
import {
  createAcceptanceObserver,
  findMatchingAnswer,
  createChoiceObserver,
  createObserver,
  readStableValue,
} from "./create-observers.js";
import type { GapObservers } from "./observer.js";
import type { ObserverContext } from "./observer-context.js";

const needed = ["database", "repositories"] as const;

/** Creates a separate repository in the shared database. */
async function repository(context: ObserverContext, schema?: object): Promise<string> {
  const rest = schema === undefined ? {} : { schema: schema as Record<string, { type: "string" }> };
  return context.resources.createRepository(await context.database(), rest);
}

/** Tries to create a repository, which is removed at the end. */
async function tryToCreateRepository(context: ObserverContext, body: object): Promise<ApiResponse> {
  return context.tryCall("createRepository", {
    path: { databaseId: await context.database() },
    body: { name: context.resources.createName(), entityName: "Thing", ...body },
  });
}

function tryCreateEntity(context: ObserverContext, repositoryId: string, data: object): Promise<ApiResponse> {
  return context.tryCall("createEntity", { path: { repositoryId }, body: { data } });
}

async function createEntity(context: ObserverContext, repositoryId: string, data: object): Promise<string> {
  return (await context.requireSuccess(tryCreateEntity(context, repositoryId, data))).body.id as string;
}

/** Number of entities; enough that they are not in order by chance. */
const ascending = [1, 2, 3, 4, 5, 6];

function numbered(numbers: readonly number[]): readonly object[] {
  return numbers.map((n) => ({ n }));
}

/** Creates a repository with entities, one after the other. */
async function createFilledRepository(context: ObserverContext, ...all: readonly object[]): Promise<string> {
  // A deployment may allow queries only by fields of the schema.
  const repositoryId = await repository(context, { n: { type: "number" }, s: { type: "string" } });
  for (const data of all) {
    await createEntity(context, repositoryId, data);
    await context.pause();
  }
  return repositoryId;
}

/** Returns the field `n` of the entities that a query finds, or `refused`. */
async function queryNumbers(context: ObserverContext, repositoryId: string, body: object): Promise<unknown> {
  const response = await context.tryCall("queryEntities", { path: { repositoryId }, body });
  return context.isAccepted(response) ? getNumbers(response) : "refused";
}

function getNumbers(response: ApiResponse): unknown {
  return (response.body.entities as { readonly data: { readonly n?: number } }[]).map(
    ({ data }) => data.n ?? null,
  );
}

/** Returns an entity before and after an update. */
async function readBeforeAndAfterUpdate(context: ObserverContext, before: object, after: object) {
  const repositoryId = await repository(context);
  const path = { repositoryId, entityId: await createEntity(context, repositoryId, before) };
  const first = (await context.callSuccessfully("getEntity", { path })).body;
  await context.waitForLaterTimestamps();
  await context.callSuccessfully("updateEntity", { path, body: { data: after } });
  return [first, (await context.callSuccessfully("getEntity", { path })).body] as const;
}

/** Whether a key may list the entities of a repository. */
function createKeyObserver(scope: "repository:write" | "database:*") {
  return createAcceptanceObserver([...needed, `key ${scope}`], ["granted", "refused"], async (context) => {
    const path = { repositoryId: await repository(context) };
    await context.callSuccessfully("listEntities", { path });
    const listAs = async (known: Scope) =>
      context.tryCall("listEntities", {
        path,
        as: await context.check.actors.getKeyCaller(known),
        skipRenewal: true,
      });
    // If every key gives access to entities, no scope can be observed.
    if (context.check.offers("key database:read") && context.isAccepted(await listAs("database:read")))
      context.undecided("a key with the scope database:read can list entities");
    return listAs(scope);
  });
}

export const repositoryObservers = {
  "repository-name-form": createAcceptanceObserver(needed, ["any", "as-databases"], async (context) => {
    await repository(context);
    return [
      await tryToCreateRepository(context, { name: `${context.resources.createName()} Größe` }),
      await tryToCreateRepository(context, { entityName: "Order Line" }),
    ];
  }),
  "write-scope-reads-entities": createKeyObserver("repository:write"),
  "database-all-covers-entities": createKeyObserver("database:*"),
  "pattern-match": createAcceptanceObserver(needed, ["anywhere", "whole"], async (context) => {
    const repositoryId = await repository(context, { text: { type: "string", pattern: "b" } });
    await createEntity(context, repositoryId, { text: "b" });
    return tryCreateEntity(context, repositoryId, { text: "abc" });
  }),
  "duplicate-name": createAcceptanceObserver(
    [...needed, "create-databases"],
    ["allow", "reject"],
    async (context) => {
      const name = context.resources.createName();
      await context.requireSuccess(tryToCreateRepository(context, { name }));
      const repository = await tryToCreateRepository(context, { name });
      await context.resources.waitUntilReady(
        (await context.requireSuccess(context.tryDatabase({ name }))).body.databaseId,
      );
      const database = await context.tryDatabase({ name });
      // There is room for another database, so the name is the reason.
      if (!context.isAccepted(database)) await context.requireSuccess(context.tryDatabase({}));
      return [repository, database];
    },
  ),
  "repository-filter-grammar": createChoiceObserver(
    needed,
    { full: [[2], [2], [2]], documented: ["refused", "refused", "refused"] },
    async (context) => {
      const repositoryId = await createFilledRepository(context, { n: 1 }, { n: 2 });
      const ask = (filter: string) =>
        queryNumbers(context, repositoryId, { filter, filterValues: { ":n": 1 } });
      if (JSON.stringify(await ask("n = :n")) !== "[1]")
        context.undecided("the documented form of filter does not find the expected entities");
      return [await ask("n > :n"), await ask("NOT (n = :n)"), await ask("n <> :n AND attribute_exists(n)")];
    },
  ),
  "unknown-query-fields": createObserver(needed, async (context) => {
    const repositoryId = await repository(context, { n: { type: "number" } });
    for (const n of [1, 2]) await createEntity(context, repositoryId, { n });
    const find = (filter: string) =>
      queryNumbers(context, repositoryId, { filter, filterValues: { ":n": 1 } });
    const sorted = async (sortBy: string) => {
      const found = await queryNumbers(context, repositoryId, { sortBy });
      return Array.isArray(found) ? found.length : found;
    };
    if (JSON.stringify([await find("n = :n"), await sorted("n")]) !== "[[1],2]")
      context.undecided("a query by a schema field does not find the expected entities");
    const refused = ["refused", "refused"];
    const observed = [await find("unnamed = :n"), await sorted("unnamed")];
    const without = await repository(context);
    await createEntity(context, without, { n: 1 });
    for (const body of [{ filter: "n = :n", filterValues: { ":n": 1 } }, { sortBy: "n" }])
      observed.push(await queryNumbers(context, without, body));
    const answers = {
      searched: [[], 2, [1], [1]],
      refused: [...refused, [1], [1]],
      "declared-only": [...refused, ...refused],
    };
    return findMatchingAnswer(context, answers, observed);
  }),
  "entity-put": createChoiceObserver(needed, { replace: [2, null], merge: [2, 1] }, async (context) => {
    const [, { data }] = await readBeforeAndAfterUpdate(context, { a: 1, b: 1 }, { a: 2 });
    return [data.a, data.b ?? null];
  }),
  "entity-unknown-fields": createObserver(needed, async (context) => {
    const repositoryId = await repository(context, { a: { type: "string" } });
    const response = await tryCreateEntity(context, repositoryId, { a: "x", unknown: 1 });
    if (!context.isAccepted(response)) return "reject";
    return findMatchingAnswer(
      context,
      { keep: ["a", "unknown"], drop: ["a"] },
      Object.keys(response.body.data as object).toSorted(),
    );
  }),
  "entity-null-fields": createObserver(needed, async (context) => {
    const schema = { text: { type: "string" }, number: { type: "number", default: 3 } };
    const repositoryId = await repository(context, schema);
    const first = await context.requireSuccess(tryCreateEntity(context, repositoryId, { text: "x" }));
    if (first.body.data.number !== 3) context.undecided("an omitted field does not get its default");
    const [text, number] = [
      await tryCreateEntity(context, repositoryId, { text: null }),
      await tryCreateEntity(context, repositoryId, { text: "x", number: null }),
    ];
    const accepted = [context.isAccepted(text), context.isAccepted(number)];
    if (accepted.includes(false))
      return accepted.includes(true)
        ? context.other(accepted, "null is accepted for both fields, or for neither")
        : "refused";
    // An omitted field may be shown as null, so only the default shows whether null was dropped.
    return findMatchingAnswer(context, { kept: null, dropped: 3 }, number.body.data.number);
  }),
  "delete-missing-entity": createObserver(
    { needs: needed, after: ["missing-resource-status"] },
    async (context) => {
      const repositoryId = await repository(context);
      const path = { repositoryId, entityId: await createEntity(context, repositoryId, {}) };
      await context.callSuccessfully("deleteEntity", { path });
      const response = await context.tryCall("deleteEntity", { path });
      // A refusal has the same status as for any missing resource.
      if (response.status === context.answerTo("missing-resource-status")) return 404;
      return response.status as 204;
    },
  ),
  "entity-list-order": createChoiceObserver(
    needed,
    { "oldest-first": ascending, "newest-first": ascending.toReversed() },
    async (context) => {
      const repositoryId = await createFilledRepository(context, ...numbered(ascending));
      return readStableValue(context, async () =>
        getNumbers(await context.callSuccessfully("listEntities", { path: { repositoryId } })),
      );
    },
  ),
  "sort-order-default": createChoiceObserver(
    needed,
    { ascending, descending: ascending.toReversed() },
    async (context) => {
      const repositoryId = await createFilledRepository(context, ...numbered([5, 2, 6, 1, 4, 3]));
      return readStableValue(context, () => queryNumbers(context, repositoryId, { sortBy: "n" }));
    },
  ),
} as const satisfies GapObservers<typeof repositoryGaps>;
