import fc from "fast-check";
import { getClauseRange } from "../../openapi/clauses/register.js";
import { isClientError } from "../client/is-client-error.js";
import { defineRepositoryChecks, EntityClient } from "../steps/entity-client.js";
import {
  buildEntityCases,
  examplePlans,
  buildField,
  fieldPlans,
  declareContents,
  isOrdinarySchema,
  type FieldWrapper,
} from "../generators/field-plans.js";
import { unknownWordArbitrary } from "../generators/unknown-word.js";
import { isDeleting, type NewRepository } from "../resources/resources.js";
import type { RepositorySchema } from "../models/repository-schema.js";
import { assertCallsRevealNothing } from "../steps/assert-reveals-nothing.js";
import { assertList, type PaginatedList, findEntry, readPages } from "../steps/pages.js";
import { readUntil } from "../steps/read-until.js";
import { assertApiPathExists } from "./assert-api-path-exists.js";
import {
  assertCurrentTime,
  assertSameCreation,
  assertSameInstant,
  assertTimestamp,
} from "../steps/timestamps.js";

/** Creates the list of the repositories in a database, which has no `limit` in the specification. */
function createRepositoryList(databaseId: string): PaginatedList {
  return {
    operationId: "listRepositories",
    path: { databaseId },
    member: "repositories",
    id: "repositoryId",
    limitClause: "REPO-05",
    hasNoLimit: true,
    // Repositories that are being deleted may or may not be listed.
    includes: ({ status }) => status !== "Deleting",
  };
}

/** Whether a value contains all given values; a deployment may add or omit defaults such as `required: false`. */
function includesGiven(actual: unknown, given: unknown): boolean {
  if (typeof given !== "object" || given === null) return Object.is(actual, given);
  if (typeof actual !== "object" || actual === null) return false;
  if (Array.isArray(given) && (!Array.isArray(actual) || actual.length !== given.length)) return false;
  return Object.entries(given).every(
    ([name, value]) =>
      (name === "required" && value === false && !(name in actual)) ||
      (Object.hasOwn(actual, name) && includesGiven((actual as Record<string, unknown>)[name], value)),
  );
}

/** Checks of repositories (parts 2 and 4.4). */
export const repositoryChecks = defineRepositoryChecks(
  {
    id: "repositories/life",
    title: "A repository can be created, read back unchanged, and deleted",
    clauses: [
      ...getClauseRange("REPO-01", "REPO-03"),
      ...getClauseRange("REPO-05", "REPO-09"),
      ...(["GEN-01", "GEN-02", "GEN-08"] as const),
    ],
    run: async (databaseId, context) => {
      const { resources } = context;
      await context.property(
        {
          plans: fc.option(fieldPlans),
          entityName: fc.constantFrom<string>("Thing", "order", "OrderLine", "Order2"),
        },
        async ({ plans, entityName }) => {
          const { schema: given, valid } = buildEntityCases((plans ?? []).map(buildField));
          const name = resources.createPlainName();
          const create = (schema: RepositorySchema) => {
            const body = { name, entityName, ...(plans === null ? {} : { schema }) };
            return context.call("createRepository", { path: { databaseId }, body });
          };
          let schema = given;
          let response = await create(schema);
          if (isClientError(response)) {
            schema = declareContents(given);
            response = await create(schema);
          }
          // The specification has no rule for entity names.
          const isPlain = isOrdinarySchema(schema) && /^[A-Z][a-z]+$/.test(entityName);
          if (isClientError(response) && !isPlain) return;
          assertApiPathExists(context, response);
          context.assertStatus(plans === null ? "REPO-03" : "REPO-01", response, 201);
          const created = response.body;
          context.markExercised("GEN-02", "REPO-06");
          const repositoryId = created.repositoryId as string;
          context.assertFields("REPO-01", created, { databaseId, name, entityName }, "the response");
          await assertCurrentTime(context, created.createdAt, "createdAt");
          context.assert("REPO-02", created.updatedAt === undefined, "no updatedAt", created);
          const path = { databaseId, repositoryId };
          await resources.waitUntilRepositoryReady(path);
          const got = (await context.assertSuccess("REPO-07", "getRepository", { path })).body;
          for (const member of ["createdAt", "updatedAt"]) assertTimestamp(context, got[member], member);
          context.assertFields("REPO-06", got, { repositoryId, databaseId }, "the GET response");
          context.assertFields("REPO-07", got, { name, entityName }, "the GET response");
          const hasSchema = plans === null || includesGiven(got.schema, schema);
          context.assert("REPO-07", hasSchema, `schema ${JSON.stringify(schema)}`, got.schema);
          assertSameInstant(context, "REPO-07", got.createdAt, created.createdAt as string, "createdAt");
          const again = (await context.assertSuccess("REPO-07", "getRepository", { path })).body;
          assertSameCreation(context, "REPO-07", again, got);
          const entities = new EntityClient(context, repositoryId);
          await entities.assertItemCount(databaseId, 0);
          const entity = context.assertStatus("REPO-23", await entities.create(valid), 201);
          const list = createRepositoryList(databaseId);
          const findListed = () => findEntry(context, list, repositoryId);
          const listed = await readUntil(context, findListed, (entry) => entry?.itemCount === 1);
          context.assert("REPO-05", listed !== undefined, `${repositoryId} in the list`, listed);
          assertTimestamp(context, listed.updatedAt, "updatedAt");
          assertSameInstant(context, "REPO-06", listed.createdAt, got.createdAt as string, "createdAt");
          const fields = ["databaseId", "name", "entityName", "status", "schema"];
          context.assertFields("REPO-06", listed, got, "the list and the GET response", fields);
          context.assertEqual("REPO-08", listed.itemCount, 1, "itemCount in the list");
          await entities.add(valid);
          const grown = await readUntil(context, findListed, (entry) => entry?.itemCount === 2);
          context.assertEqual("REPO-08", grown?.itemCount, 2, "itemCount in the list after another entity");
          await context.assertSuccess("REPO-09", "deleteRepository", { path }, 204);
          resources.recordRemoval("repository", repositoryId);
          const poll = () => context.call("getRepository", { path, intent: "may-be-refused" });
          const deleted = await readUntil(context, poll, (response) => !isDeleting(response));
          context.assertRefused("REPO-09", deleted, "the repository is deleted");
          const { ids } = await readPages(context, list);
          const isGone = !ids.includes(repositoryId);
          context.assert("REPO-09", isGone, "a list without the deleted repository", ids);
          const inRepository = { repositoryId, entityId: entity.body.id as string };
          await assertCallsRevealNothing(context, "REPO-09", "its repository is deleted", [
            ["getEntity", { path: inRepository }],
            ["listEntities", { path: { repositoryId } }],
            ["queryEntities", { path: { repositoryId }, body: {} }],
            ["createEntity", { path: { repositoryId }, body: { data: valid } }],
            ["updateEntity", { path: inRepository, body: { data: valid } }],
          ]);
        },
        {
          examples: [
            { plans: null, entityName: "Thing" },
            {
              plans: examplePlans.map((plan, index) => ({ ...plan, name: `f${index}` })),
              entityName: "Thing",
            },
          ],
        },
      );
    },
  },
  {
    id: "repositories/refused",
    title: "An invalid request creates no repository",
    clauses: ["REPO-04", "GEN-06"],
    alone: true,
    run: async (databaseId, context) => {
      const { resources } = context;
      const path = { databaseId };
      const list = createRepositoryList(databaseId);
      const before = (await readPages(context, list)).ids;
      const assertNoneCreated = () =>
        assertList(
          context,
          "REPO-04",
          list,
          before,
          "the repositories that existed before the refused request",
        );
      const name = resources.createPlainName();
      const refuse = async (body: object, because: string) => {
        await context.assertRefusal("REPO-04", "createRepository", { path, body }, because);
        await assertNoneCreated();
      };
      for (const extra of [{}, { schema: {} }, { schema: { a: { type: "string" } } }]) {
        await refuse({ entityName: "Thing", ...extra }, "the name is missing");
        await refuse({ name, ...extra }, "the entityName is missing");
      }
      await refuse({ name: null, entityName: "Thing" }, "the name is missing");
      await refuse({ name, entityName: null }, "the entityName is missing");
      await refuse({}, "name and entityName are missing");
      const malformed = await context.call("createRepository", { path, rawBody: "{", intent: "invalid" });
      context.assertRefused("GEN-06", malformed, "the body is not JSON");
      const nowhere = { databaseId: `${resources.run}-none` };
      const missing = { databaseId, repositoryId: `${resources.run}-none` };
      await assertCallsRevealNothing(context, "REPO-04", "nothing with this id exists", [
        ["createRepository", { path: nowhere, body: { name, entityName: "Thing" } }],
        ["listRepositories", { path: nowhere }],
        ["getRepository", { path: missing }],
      ]);
      await context.call("deleteRepository", { path: missing, intent: "invalid" });
      await assertNoneCreated();
    },
  },
  {
    id: "repositories/unknown-type",
    title: "A schema with a field of an unknown type is rejected, at every depth",
    clauses: ["REPO-45"],
    run: async (databaseId, context) => {
      const { resources } = context;
      await context.property(
        {
          type: unknownWordArbitrary(["string", "number", "boolean", "array", "object"]),
          wrappers: fc.array(fc.constantFrom<FieldWrapper>("items", "properties"), { maxLength: 3 }),
        },
        async ({ type, wrappers }) => {
          const f = wrappers.reduce<object>(
            (inner, wrapper) =>
              wrapper === "items"
                ? { type: "array", items: inner }
                : { type: "object", properties: { f: inner } },
            { type },
          );
          const schema = { title: { type: "string" }, f } as unknown as RepositorySchema;
          const { answer, repositoryId } = await resources.tryToCreateRepository(
            databaseId,
            { schema },
            { intent: "invalid" },
          );
          if (repositoryId !== undefined) await resources.remove("repository", repositoryId);
          context.assertRefused("REPO-45", answer, `${type} is not a field type`);
        },
        {
          share: 0.5,
          examples: [
            { type: "integer", wrappers: [] },
            { type: "date", wrappers: ["items"] },
          ],
        },
      );
    },
  },
  {
    id: "repositories/pages",
    title: "The list contains every repository in its database exactly once, and no other repositories",
    clauses: ["REPO-05", "REPO-44", "GEN-03", "GEN-04"],
    alone: true,
    run: async (databaseId, context) => {
      const { resources } = context;
      const list = createRepositoryList(databaseId);
      const before = (await readPages(context, list)).ids;
      const name = resources.createPlainName();
      const entityName = `E${name}`;
      const first = await resources.createRepository(databaseId, { name, entityName });
      const entities = new EntityClient(context, first);
      const { status, body } = await entities.create({}, { setUp: true });
      const entityIds = status === 201 ? [body.id as string] : [];
      // A deployment may refuse names that another repository has.
      const tryToCreateOther = async (otherDatabaseId: string, names: NewRepository) => {
        const { repositoryId } = await resources.tryToCreateRepository(otherDatabaseId, names);
        if (repositoryId === undefined) return [];
        const what = "no entities, because those of another repository with the same name are not visible";
        await new EntityClient(context, repositoryId).assertIds("REPO-44", [], what);
        return [repositoryId];
      };
      const created = [first, ...(await tryToCreateOther(databaseId, { entityName }))];
      await entities.assertIds("REPO-44", entityIds, "the repository's own entities");
      // This fills the deployment's caches.
      await readPages(context, list);
      let assertOthers = () => Promise.resolve();
      if (context.offers("create-databases")) {
        const other = await resources.createDatabase();
        const otherList = createRepositoryList(other.databaseId);
        // A new database may have repositories.
        const { ids: initial } = await readPages(context, otherList);
        const [otherRepositoryId = await resources.createRepository(other.databaseId)] =
          await tryToCreateOther(other.databaseId, { name, entityName });
        const what = "the repositories in another database";
        const others = [...initial, otherRepositoryId];
        assertOthers = () => assertList(context, "REPO-05", otherList, others, what);
        await assertOthers();
      }
      while (created.length < 22) {
        const { repositoryId } = await resources.tryToCreateRepository(databaseId);
        // The specification does not say how many repositories a database can have.
        if (repositoryId === undefined) break;
        created.push(repositoryId);
      }
      const all = [...before, ...created];
      await assertList(context, "REPO-05", list, all, "the database's repositories");
      for (const repositoryId of created) await resources.remove("repository", repositoryId);
      await assertList(context, "REPO-05", list, before, "the remaining repositories");
      // One of them has the same name as a removed repository.
      await assertOthers();
    },
  },
);
