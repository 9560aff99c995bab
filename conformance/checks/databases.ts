import fc from "fast-check";
import { isRefused } from "../client/is-refused.js";
import type { ClauseId } from "../../openapi/clauses/register.js";
import { databaseStatuses } from "../../openapi/schemas/databases.js";
import { type CheckContext } from "../check/context.js";
import type { Answer, Call } from "../client/client.js";
import { defineChecks } from "../check/check.js";
import {
  type DatabaseName,
  invalidDatabaseName,
  invalidDatabaseNames,
  namesByShape,
  type NameShape,
  type ShapedName,
  shapedNames,
  validDatabaseName,
  withRunId,
} from "../generators/database-names.js";
import { eventually } from "../steps/eventually.js";
import { databasePages, assertDefaultPage, assertEachOnce, readPages } from "../steps/pages.js";
import { assertPath } from "./paths.js";
import { assertIdentifier, assertTimestamp, instantTolerance } from "../steps/timestamps.js";

type Settings = Readonly<Record<string, unknown>>;

/** Free configuration, small enough for any bound on nesting. */
const settings: fc.Arbitrary<Settings> = fc.dictionary(
  fc.string({ minLength: 1, maxLength: 8 }),
  fc.oneof(fc.integer(), fc.boolean(), fc.string({ maxLength: 8 }), fc.constant(null), fc.array(fc.nat(9))),
  { maxKeys: 3, noNullPrototype: true },
);

/** So long in all may be waited for new databases; deployments that take their time get fewer tries. */
const patienceMs = 15_000;

const described = ["databaseId", "name", "region", "status", "createdAt", "updatedAt", "settings", "usage"];
const metrics = ["itemCount", "storageBytes", "readUnitsConsumed", "writeUnitsConsumed"];

function create(context: CheckContext, name: string, rest: object = {}, call: Call = {}): Promise<Answer> {
  const body = { name, region: context.resources.region, ...rest };
  return context.call("createDatabase", { ...call, body });
}

/** Deletes a database that is ready, and asserts that it is gone. */
async function remove(context: CheckContext, databaseId: string): Promise<void> {
  const path = { databaseId };
  const deleted = await context.assertSuccess("DB-12", "deleteDatabase", { path }, 204);
  context.assert("DB-12", deleted.text === "", "an empty body", deleted.text);
  const last = await context.resources.afterDeletion(databaseId);
  context.resources.removed("database", databaseId);
  // waiting is set-up, and so is its answer
  const answer = last.status === 200 ? last : await context.call("getDatabase", { path, intent: "invalid" });
  context.assertRefused("DB-12", answer, "the database is deleted");
  // what is gone is not on its way out any more, in the list neither
  const { ids } = await eventually(
    context,
    () => readPages(context, { ...databasePages, counts: () => true }),
    (listed) => !listed.ids.includes(databaseId),
  );
  context.assert("DB-12", !ids.includes(databaseId), "the deleted database not in the list", ids);
}

/** Asserts that a database is described whole, and returns the description. */
function assertDescription(context: CheckContext, database: Record<string, unknown>): void {
  for (const member of described)
    context.assert("DB-07", database[member] !== undefined, `a database with ${member}`, database);
  const usage = database.usage as Record<string, unknown>;
  for (const member of metrics) {
    const figure = usage[member];
    context.assert(
      "DB-08",
      Number.isInteger(figure) && Number(figure) >= 0,
      `usage.${member} as a whole number from 0 on`,
      usage,
    );
  }
  assertTimestamp(context, usage.lastUpdated, "usage.lastUpdated");
  assertTimestamp(context, database.updatedAt, "updatedAt");
  context.assert(
    "DB-13",
    (databaseStatuses as readonly unknown[]).includes(database.status),
    `one of ${databaseStatuses.join(", ")}`,
    database.status,
  );
}

/** Asserts that settings are an object or null: what they hold of those that were given is not said. */
function assertSettings(context: CheckContext, seen: unknown): void {
  context.assert(
    "DB-15",
    typeof seen === "object" && !Array.isArray(seen),
    "settings: an object, or null",
    seen,
  );
}

/** Names that no database has, as short names may be taken. */
async function freeNames(context: CheckContext): Promise<Readonly<Record<NameShape, string>>> {
  const { entries } = await readPages(context, { ...databasePages, counts: () => true });
  const taken = new Set(entries.map(({ name }) => name as string));
  for (let attempt = 0; ; attempt++) {
    const names = namesByShape(
      context.seedFor(`names ${context.resources.run} ${attempt}`),
      context.resources.name(),
    );
    if (Object.values(names).every((name) => !taken.has(name))) return names;
  }
}

/** Parts 2, 3 and 4.5. */
export const databaseChecks = defineChecks(
  {
    id: "databases/life",
    title: "A database is created, shown as it was created, and deleted",
    clauses: [
      "DB-01",
      "DB-02",
      "DB-03",
      "DB-04",
      "DB-05",
      "DB-07",
      "DB-08",
      "DB-11",
      "DB-12",
      "DB-13",
      "GEN-01",
      "GEN-02",
      "GEN-08",
    ],
    needs: ["create-databases"],
    run: async (context) => {
      const { resources } = context;
      const names = await freeNames(context);
      let waitedMs = 0;
      await context.property<[DatabaseName | ShapedName]>(
        [validDatabaseName],
        async (tried) => {
          const { clause } = tried;
          const name = "shape" in tried ? names[tried.shape] : withRunId(tried.name, resources.name());
          const { entries } = await readPages(context, { ...databasePages, counts: () => true });
          if (entries.some((entry) => entry.name === name)) return;
          if (waitedMs > patienceMs && !("shape" in tried)) return;
          const answer = await create(context, name);
          assertPath(context, answer);
          const { body } = context.assertStatus(clause, answer, 201);
          const databaseId = assertIdentifier(context, body.databaseId, "databaseId");
          context.assertEqual("DB-01", body.name, name, "name");
          context.assertEqual("DB-01", body.region, resources.region, "region");
          context.assertEqual("DB-02", body.status, "Creating", "status");
          context.assert("DB-03", body.updatedAt === undefined, "no updatedAt", body);
          const createdAt = assertTimestamp(context, body.createdAt, "createdAt");
          const since = performance.now();
          await resources.untilReady(databaseId);
          const readyAt = performance.now();
          const path = { databaseId };
          const got = await context.assertSuccess("DB-11", "getDatabase", { path });
          assertDescription(context, got.body);
          for (const [member, value] of Object.entries({ databaseId, name, region: resources.region }))
            context.assertEqual("DB-11", got.body[member], value, member);
          const shownAt = assertTimestamp(context, got.body.createdAt, "createdAt");
          context.assert(
            "DB-11",
            Math.abs(shownAt - createdAt) < instantTolerance,
            `createdAt ${body.createdAt}`,
            got.body.createdAt,
          );
          const listed = (await readPages(context, databasePages)).entries.find(
            (entry) => entry.databaseId === databaseId,
          );
          context.assert("DB-07", listed !== undefined, `${databaseId} in the list`, listed);
          assertDescription(context, listed);
          for (const member of ["name", "region", "settings"])
            context.assertEqual("DB-07", listed[member], got.body[member], `${member} as GET shows it`);
          const again = (await context.call("getDatabase", { path })).body.createdAt as unknown;
          const shownAgain = assertTimestamp(context, again, "createdAt");
          context.assert("DB-11", shownAgain === shownAt, `createdAt ${got.body.createdAt} again`, again);
          const removedAt = performance.now();
          await remove(context, databaseId);
          waitedMs += readyAt - since + performance.now() - removedAt;
        },
        {
          names: ["tried"],
          share: 0.4,
          examples: shapedNames.map((shaped): [ShapedName] => [shaped]),
        },
      );
    },
  },
  {
    id: "databases/settings",
    title: "The settings of a database are an object or null, whatever it was given",
    clauses: ["DB-15"],
    needs: ["create-databases"],
    run: async (context) => {
      const { resources } = context;
      let taken = 0;
      await context.property(
        [settings],
        async (given) => {
          const name = resources.name();
          const answer = await create(context, name, { settings: given });
          // what settings may hold is not said
          if (isRefused(answer)) return;
          taken++;
          const { databaseId } = context.assertStatus("DB-15", answer, 201).body as { databaseId: string };
          await resources.untilReady(databaseId);
          const got = await context.call("getDatabase", { path: { databaseId } });
          assertSettings(context, got.body.settings);
          const { entries } = await readPages(context, databasePages);
          const listed = entries.find((entry) => entry.databaseId === databaseId);
          assertSettings(context, listed?.settings);
          await resources.remove("database", databaseId);
        },
        {
          names: ["given"],
          share: 0.2,
          examples: [[{}], [{ a: null, b: [0, false, ""], c: { d: {} } }]],
        },
      );
      if (taken === 0) context.notOffered("none of the settings that were tried are taken");
    },
  },
  {
    id: "databases/refused",
    title: "What is no valid request creates no database",
    clauses: ["DB-04", "DB-05", "DB-06", "GEN-06"],
    needs: ["create-databases"],
    run: async (context) => {
      const { region } = context.resources;
      const before = (await readPages(context, databasePages)).ids;
      const refuse = async (clause: ClauseId, body: unknown, because: string) => {
        await context.assertRefusal(clause, "createDatabase", { body }, because);
        const { ids } = await readPages(context, databasePages);
        assertEachOnce(context, clause, ids, before, "the databases from before the refused request");
      };
      await context.property(
        [invalidDatabaseName],
        ({ clause, name }) =>
          refuse(clause, { name, region }, `${JSON.stringify(name)} is no name of a database`),
        { names: ["tried"], examples: invalidDatabaseNames.map((name): [DatabaseName] => [name]) },
      );
      const name = context.resources.name();
      for (const body of [{ region }, { name: null, region }])
        await refuse("DB-06", body, "there is no name");
      for (const body of [{ name }, { name, region: null }])
        await refuse("DB-06", body, "there is no region");
      // of no kind that a deployment may make a good name of
      for (const wrong of [12345, ["abcd", "efgh"], { abcd: "abcd" }])
        await refuse("DB-05", { name: wrong, region }, "the name is no string");
      // nothing that a lenient reader of JSON takes, such as names of members without quotes
      for (const rawBody of ["{", `{"name": "${name}", "region" "${region}"}`, `name=${name}`]) {
        await context.assertRefusal("GEN-06", "createDatabase", { rawBody }, "the body is no JSON");
      }
      const { ids } = await readPages(context, databasePages);
      assertEachOnce(context, "DB-06", ids, before, "the databases from before");
      await context.call("listDatabases", { query: { limit: 0 }, intent: "invalid" });
      const unknown = { databaseId: `${context.resources.run}-none` };
      const answer = await context.call("getDatabase", { path: unknown, intent: "invalid" });
      context.assertRefused("DB-06", answer, "nothing was created under this id");
      await context.call("deleteDatabase", { path: unknown, intent: "invalid" });
      assertEachOnce(
        context,
        "DB-06",
        (await readPages(context, databasePages)).ids,
        before,
        "the databases",
      );
    },
  },
  {
    id: "databases/pages",
    title: "The list has every database once, whatever the pages",
    clauses: ["DB-09", "DB-10", "GEN-03", "GEN-04", "GEN-07"],
    needs: ["database", "create-databases"],
    run: async (context) => {
      const { resources } = context;
      await resources.database();
      const unlimited = context.offers("control-plane");
      const before = (await readPages(context, databasePages)).ids;
      const made: string[] = [];
      // more than a page where there is no ceiling, one beside the shared database where there may be
      for (let index = 0; index < (unlimited ? 21 : 1); index++) {
        if (!unlimited) made.push((await resources.newDatabase()).databaseId);
        else made.push((await create(context, resources.name(), {}, { setUp: true })).body.databaseId);
        if (index === 0)
          assertEachOnce(
            context,
            "DB-09",
            (await readPages(context, databasePages)).ids,
            [...before, ...made],
            "the databases",
          );
      }
      const all = [...before, ...made];
      if (unlimited)
        await assertDefaultPage(context, "GEN-07", async () =>
          (await readPages(context, databasePages)).pages.map(({ databases }) => databases.length as number),
        );
      const whole = await readPages(context, databasePages);
      assertEachOnce(context, "DB-09", whole.ids, all, "the databases of the organization");
      await context.property(
        [fc.integer({ min: 1, max: 20 })],
        async (limit) => {
          const { ids } = await readPages(context, { ...databasePages, limit });
          assertEachOnce(context, "GEN-04", ids, all, "the databases of the organization");
        },
        { names: ["limit"], share: 0.5, examples: [[1], [20]] },
      );
      for (const databaseId of made) await resources.remove("database", databaseId);
      assertEachOnce(
        context,
        "DB-09",
        (await readPages(context, databasePages)).ids,
        before,
        "the databases left",
      );
    },
  },
  {
    id: "databases/other-organizations",
    title: "The list has the databases of the own organization alone",
    clauses: ["DB-09"],
    needs: ["create-databases", "outsider"],
    run: async (context) => {
      const { resources } = context;
      const own = await resources.database();
      const outsider = await context.actor("outsider");
      const answer = await create(context, resources.name(), {}, { as: outsider, setUp: true });
      const foreign = context.assertStatus("DB-09", answer, 201).body.databaseId as string;
      const theirs = (await readPages(context, { ...databasePages, as: outsider })).ids;
      context.assert("DB-09", theirs.includes(foreign), `the outsider's ${foreign} in their list`, theirs);
      context.assert("DB-09", !theirs.includes(own), `not ${own} in the outsider's list`, theirs);
      const ours = (await readPages(context, databasePages)).ids;
      context.assert("DB-09", ours.includes(own), `${own} in the owner's list`, ours);
      context.assert(
        "DB-09",
        !ours.includes(foreign),
        `not the outsider's ${foreign} in the owner's list`,
        ours,
      );
      await resources.untilReady(foreign, { as: outsider });
    },
  },
  {
    id: "databases/states",
    title: "A database shows the state it is in",
    clauses: ["DB-07", "DB-13"],
    needs: ["control-plane"],
    run: async (context) => {
      const { databaseId } = await context.resources.newDatabase();
      const path = { databaseId };
      for (const status of databaseStatuses) {
        await context.control.call("changeDatabase", { path, body: { status } });
        const got = await context.assertSuccess("DB-13", "getDatabase", { path });
        // what is being created may be ready by now
        const expected = status === "Creating" ? ["Creating", "Active"] : [status];
        context.assert("DB-13", expected.includes(got.body.status), `status ${status}`, got.body.status);
        const all = await readPages(context, { ...databasePages, counts: () => true });
        const listed = all.entries.find((entry) => entry.databaseId === databaseId);
        // what is on its way out need not be listed
        if (listed === undefined && status === "Deleting") continue;
        context.assert("DB-07", listed !== undefined, `${databaseId} in the list`, listed);
        context.assert(
          "DB-13",
          expected.includes(listed.status),
          `status ${status} in the list`,
          listed.status,
        );
      }
      await context.control.call("changeDatabase", { path, body: { status: "Active" } });
    },
  },
);
