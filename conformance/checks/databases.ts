import fc from "fast-check";
import { isClientError } from "../client/is-client-error.js";
import type { ClauseId } from "../../openapi/clauses/register.js";
import { databaseStatuses } from "../../openapi/schemas/databases.js";
import type { CheckContext } from "../check/context.js";
import type { ApiResponse, CallOptions } from "../client/client.js";
import { defineChecks } from "../check/check.js";
import {
  invalidDatabaseName,
  invalidDatabaseNames,
  createUnusedName,
  validDatabaseName,
  validDatabaseNames,
} from "../generators/database-names.js";
import { startOwnerSession } from "../steps/create-new-user.js";
import { readUntil } from "../steps/read-until.js";
import { databaseList, assertDefaultPageSize, assertList, findEntry, readPages } from "../steps/pages.js";
import { assertApiPathExists } from "./assert-api-path-exists.js";
import {
  assertCurrentTime,
  assertSameCreation,
  assertSameInstant,
  assertTimestamp,
} from "../steps/timestamps.js";

type Settings = Readonly<Record<string, unknown>>;

/** Generates settings that are not deeply nested. */
const settings: fc.Arbitrary<Settings> = fc.dictionary(
  fc.string({ minLength: 1, maxLength: 8 }),
  fc.oneof(fc.integer(), fc.boolean(), fc.string({ maxLength: 8 }), fc.constant(null), fc.array(fc.nat(9))),
  { maxKeys: 3, noNullPrototype: true },
);

/** Total time spent waiting for databases, in milliseconds, after which only the examples are tried. */
const maxWaitMs = 15_000;

const beforeRefusal = "the databases that existed before the refused request";

/** Finds a database with any status in the list. */
function findListed(context: CheckContext, databaseId: string) {
  return findEntry(context, { ...databaseList, includes: () => true }, databaseId);
}

function create(
  context: CheckContext,
  name: string,
  rest: object = {},
  call: CallOptions = {},
): Promise<ApiResponse> {
  const body = { name, region: context.resources.region, ...rest };
  return context.call("createDatabase", { ...call, body });
}

/** Deletes a database that is ready, and asserts that it no longer exists. */
async function remove(context: CheckContext, databaseId: string): Promise<void> {
  const path = { databaseId };
  await context.assertSuccess("DB-12", "deleteDatabase", { path }, 204);
  const last = await context.resources.assertGone(databaseId);
  context.resources.recordRemoval("database", databaseId);
  // The requests sent while waiting are setup, so the check sends another one.
  const response =
    last.status === 200 ? last : await context.call("getDatabase", { path, intent: "invalid" });
  context.assertRefused("DB-12", response, "the database is deleted");
  const find = () => findListed(context, databaseId);
  const listed: unknown = await readUntil(context, find, (entry) => entry === undefined);
  context.assert("DB-12", listed === undefined, "a list without the deleted database", listed);
}

/** Checks of databases (parts 2, 3 and 4.5). */
export const databaseChecks = defineChecks(
  {
    id: "databases/life",
    title: "A database can be created, read back unchanged, and deleted",
    clauses: [
      ...(["DB-01", "DB-02", "DB-03", "DB-04", "DB-05", "DB-07", "DB-08", "DB-11", "DB-12"] as const),
      ...(["DB-13", "DB-15", "GEN-01", "GEN-02", "GEN-08"] as const),
    ],
    needs: ["create-databases"],
    run: async (context) => {
      const { resources } = context;
      let waitedMs = 0;
      await context.property(
        { tried: validDatabaseName, given: fc.option(settings, { nil: undefined }) },
        async ({ tried, given }) => {
          const { clause } = tried;
          const unique = resources.createName();
          let name = createUnusedName(tried.name, unique, context.seedFor(unique));
          const { entries } = await readPages(context, { ...databaseList, includes: () => true });
          if (entries.some((entry) => entry.name === name)) return;
          if (waitedMs > maxWaitMs && !validDatabaseNames.includes(tried)) return;
          const rest = given === undefined ? {} : { settings: given };
          let answer = await create(context, name, rest);
          // There are few shortest names, and another organization may have taken one.
          for (let retry = 1; name.length === 3 && isClientError(answer) && retry < 5; retry++) {
            name = createUnusedName(name, unique, context.seedFor(`${unique} ${retry}`));
            answer = await create(context, name, rest);
          }
          assertApiPathExists(context, answer);
          // The specification does not say what settings may contain.
          if (isClientError(answer) && Object.keys(given ?? {}).length > 0) return;
          const { body } = context.assertStatus(clause, answer, 201);
          const databaseId = body.databaseId as string;
          const expected = { name, region: resources.region };
          context.assertFields("DB-01", body, expected, "the response");
          context.markExercised("DB-02", "GEN-02");
          context.assert("DB-03", body.updatedAt === undefined, "no updatedAt", body);
          await assertCurrentTime(context, body.createdAt, "createdAt");
          const createdAtMs = performance.now();
          await resources.waitUntilReady(databaseId);
          waitedMs += performance.now() - createdAtMs;
          const path = { databaseId };
          const got = await context.assertSuccess("DB-11", "getDatabase", { path });
          context.markExercised("DB-07", "DB-08", "DB-13", "DB-15");
          assertTimestamp(context, got.body.updatedAt, "updatedAt");
          assertTimestamp(context, got.body.usage.lastUpdated, "usage.lastUpdated");
          context.assertFields("DB-11", got.body, { databaseId, ...expected }, "the GET response");
          assertSameInstant(context, "DB-11", got.body.createdAt, body.createdAt, "createdAt");
          const listed = await findListed(context, databaseId);
          context.assert("DB-07", listed !== undefined, `${databaseId} in the list`, listed);
          const names = ["name", "region"] as const;
          context.assertFields("DB-07", listed, got.body, "the list and the GET response", names);
          // Each of the two may show other settings in addition.
          const [inList, inGet] = [listed, got.body].map(({ settings: shown }) =>
            Object.keys(given ?? {}).map((key) => (shown as Settings | null)?.[key]),
          );
          context.assertEqual(
            "DB-07",
            inList,
            inGet,
            "the given settings in the list, as in the GET response",
          );
          const again = await context.call("getDatabase", { path });
          for (const response of [got, again]) assertTimestamp(context, response.body.createdAt, "createdAt");
          assertSameCreation(context, "DB-11", again.body, got.body);
          const removedAtMs = performance.now();
          await remove(context, databaseId);
          waitedMs += performance.now() - removedAtMs;
        },
        {
          share: 0.4,
          examples: [
            ...validDatabaseNames.map((tried) => ({ tried, given: undefined })),
            ...[{}, { a: null, b: [0, false, ""], c: { d: {} } }].map((given) => ({
              tried: { clause: "DB-15" as const, name: "database-with-settings" },
              given,
            })),
          ],
        },
      );
    },
  },
  {
    id: "databases/refused",
    title: "An invalid request creates no database",
    clauses: ["DB-04", "DB-05", "DB-06", "GEN-06"],
    needs: ["create-databases"],
    run: async (context) => {
      const { region } = context.resources;
      const before = (await readPages(context, databaseList)).ids;
      const refuse = async (clause: ClauseId, body: unknown, because: string) => {
        await context.assertRefusal(clause, "createDatabase", { body }, because);
        await assertList(context, clause, databaseList, before, beforeRefusal);
      };
      await context.property(
        { tried: invalidDatabaseName },
        ({ tried: { clause, name } }) =>
          refuse(clause, { name, region }, `${JSON.stringify(name)} is not a valid database name`),
        { examples: invalidDatabaseNames.map((name) => ({ tried: name })) },
      );
      const name = context.resources.createName();
      for (const body of [{ region }, { name: null, region }])
        await refuse("DB-06", body, "the name is missing");
      for (const body of [{ name }, { name, region: null }])
        await refuse("DB-06", body, "the region is missing");
      // A deployment could convert other values to valid names.
      for (const wrong of [12345, ["abcd", "efgh"], { abcd: "abcd" }])
        await refuse("DB-05", { name: wrong, region }, "the name is not a string");
      // Lenient parsers also reject these texts, although they accept names without quotes.
      for (const rawBody of ["{", `{"name": "${name}", "region" "${region}"}`, `name=${name}`]) {
        await context.assertRefusal("GEN-06", "createDatabase", { rawBody }, "the body is not JSON");
      }
      await context.call("listDatabases", { query: { limit: 0 }, intent: "invalid" });
      const unknown = { databaseId: `${context.resources.run}-none` };
      const response = await context.call("getDatabase", { path: unknown, intent: "invalid" });
      context.assertRefused("DB-06", response, "no database with this id was created");
      await context.call("deleteDatabase", { path: unknown, intent: "invalid" });
      await assertList(context, "DB-06", databaseList, before, beforeRefusal);
    },
  },
  {
    id: "databases/pages",
    title: "The list contains every database exactly once, regardless of the page size",
    clauses: ["DB-09", "DB-10", "GEN-03", "GEN-04", "GEN-07"],
    needs: ["database", "create-databases"],
    run: async (context) => {
      const { resources } = context;
      await resources.getDatabase();
      const isUnlimited = context.offers("control-plane");
      const before = (await readPages(context, databaseList)).ids;
      const as = await startOwnerSession(context, "owner in another session");
      const { databaseId: first } = await resources.createDatabase({ as });
      const created = [first];
      await readUntil(context, () => findListed(context, first), Boolean);
      await assertList(context, "DB-09", databaseList, [...before, ...created], "the databases");
      // If the number of databases is not limited, there are more databases than fit on a page.
      while (isUnlimited && created.length < 21)
        created.push((await create(context, resources.createName(), {}, { setUp: true })).body.databaseId);
      const all = [...before, ...created];
      if (isUnlimited)
        await assertDefaultPageSize(context, "GEN-07", async () =>
          (await readPages(context, databaseList)).pages.map(({ databases }) => databases.length as number),
        );
      await assertList(context, "DB-09", databaseList, all, "the databases of the organization");
      await context.property(
        { limit: fc.integer({ min: 1, max: 20 }) },
        async ({ limit }) => {
          const list = { ...databaseList, limit };
          await assertList(context, "GEN-04", list, all, "the databases of the organization");
        },
        { share: 0.5, examples: [{ limit: 1 }, { limit: 20 }] },
      );
      for (const databaseId of created) await resources.remove("database", databaseId);
      await assertList(context, "DB-09", databaseList, before, "the remaining databases");
    },
  },
  {
    id: "databases/states",
    title: "GET and the list show a database's current status",
    clauses: ["DB-07", "DB-13"],
    needs: ["control-plane"],
    run: async (context) => {
      const { databaseId } = await context.resources.createDatabase();
      const path = { databaseId };
      for (const status of databaseStatuses) {
        await context.control.call("changeDatabase", { path, body: { status } });
        const got = await context.assertSuccess("DB-13", "getDatabase", { path });
        // A database that is being created may become ready at any time.
        const expected = status === "Creating" ? ["Creating", "Active"] : [status];
        context.assert("DB-13", expected.includes(got.body.status), `status ${status}`, got.body.status);
        const listed = await findListed(context, databaseId);
        // The list may omit a database that is being deleted.
        if (listed === undefined && status === "Deleting") continue;
        context.assert("DB-07", listed !== undefined, `${databaseId} in the list`, listed);
        const isShown = expected.includes(listed.status);
        context.assert("DB-13", isShown, `status ${status} in the list`, listed.status);
      }
      await context.control.call("changeDatabase", { path, body: { status: "Active" } });
    },
  },
);
