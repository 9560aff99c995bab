import fc from "fast-check";
import { isRefused } from "../client/is-refused.js";
import { isOrdinary } from "../generators/is-ordinary.js";
import { isDeepStrictEqual } from "node:util";
import { sleep } from "../client/pace.js";
import { writeJson } from "../client/json-text.js";
import type { CheckContext } from "../check/context.js";
import { anyData, everyKind, noObject, noObjects } from "../generators/item-data.js";
import { updatesOf } from "../models/entities.js";
import { defineRepositoryChecks, entitiesOf } from "./entity-listing.js";
import { eventually } from "../steps/eventually.js";
import { toBeQueriedBy } from "../steps/declared-fields.js";
import { assertEachOnce, readPages } from "../steps/pages.js";
import { assertPath } from "./paths.js";
import { instantOf } from "../steps/instant-of.js";
import {
  assertIdentifier,
  assertTimestamp,
  instantTolerance,
  isNear,
  millisecondsBetween,
} from "../steps/timestamps.js";

type Data = Readonly<Record<string, unknown>>;

/** Names that an entity has beside its data: members of data that are called so may be refused. */
const takenNames = ["id", "version", "createdAt"];

function hasTakenName(data: Data): boolean {
  return takenNames.some((name) => Object.hasOwn(data, name));
}

/** Data of a few members, so that updates meet members that are there and others that are not. */
const smallData: fc.Arbitrary<Data> = fc.dictionary(
  fc.constantFrom("a", "b", "c", ...takenNames),
  fc.oneof(
    fc.integer({ min: -9, max: 9 }),
    fc.constantFrom<unknown>("", "text", true, false, null, 0, [], [1, { c: [2] }], {}, { a: { b: "c" } }),
  ),
  { noNullPrototype: true },
);

/** Waits in all at most this long for an update to get another time than the one before. */
const pauses = [0, 5, 50, 500, 1200];

/** Ids that nothing has; careless code finds something under some of them. */
const noIds = ["none", "0", "-1", "query", "__proto__", "constructor", "null", "a/b", "%", "'", "🙂", "*"];

/** What an entity shows beside its data. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- bodies that the client has held against the contract
function assertEntity(context: CheckContext, entity: any): void {
  for (const member of ["id", "data", "createdAt", "updatedAt"])
    context.assert("REPO-23", entity[member] !== undefined, `an entity with ${member}`, entity);
  assertIdentifier(context, entity.id, "id");
  const created = assertTimestamp(context, entity.createdAt, "createdAt");
  const updated = assertTimestamp(context, entity.updatedAt, "updatedAt");
  context.assert("REPO-26", updated >= created - instantTolerance, "updatedAt not before createdAt", entity);
}

/** Parts 2 and 4.3: one entity after the other. */
export const entityChecks = defineRepositoryChecks(
  {
    id: "entities/life",
    title: "An entity is created, shown, updated and deleted",
    clauses: [
      "REPO-21",
      "REPO-23",
      "REPO-26",
      "REPO-27",
      "REPO-28",
      "REPO-30",
      "REPO-32",
      "GEN-01",
      "GEN-02",
      "GEN-08",
    ],
    run: async (databaseId, context) => {
      const repositoryId = await context.resources.newRepository(databaseId);
      await context.property(
        [smallData, fc.array(smallData, { minLength: 1, maxLength: 3 })],
        async (first, updates) => {
          const created = await context.call("createEntity", {
            path: { repositoryId },
            body: { data: first },
          });
          assertPath(context, created);
          if (isRefused(created) && hasTakenName(first)) return;
          context.assertStatus("REPO-21", created, 201);
          assertEntity(context, created.body);
          context.assertEqual("REPO-23", created.body.data, first, "data");
          const { id } = created.body;
          const path = { repositoryId, entityId: id as string };
          let before = (await context.assertSuccess("REPO-28", "getEntity", { path })).body;
          context.assertEqual("REPO-28", before.id, id, "id");
          context.assertEqual("REPO-28", before.data, first, "data");
          const shown = typeof before.version === "number";
          context.assert("REPO-27", !shown || before.version === 1, "version 1, or none", before.version);
          context.assert(
            "REPO-26",
            isNear(before.createdAt, created.body.createdAt),
            `createdAt ${created.body.createdAt}`,
            before.createdAt,
          );
          for (const data of updates) {
            const answer = await context.call("updateEntity", { path, body: { data } });
            if (isRefused(answer) && hasTakenName(data)) continue;
            const updated = context.assertStatus("REPO-30", answer, 200).body;
            assertEntity(context, updated);
            context.assertEqual("REPO-26", updated.id, id, "id");
            for (const [name, value] of Object.entries(data))
              context.assertEqual("REPO-30", updated.data[name], value, `data.${name}`);
            context.assert(
              "REPO-30",
              updatesOf(before.data, data).some((possible) => isDeepStrictEqual(possible, updated.data)),
              `the data given, with or without what was there before: ${JSON.stringify(before.data)}`,
              updated.data,
            );
            const after = (await context.assertSuccess("REPO-28", "getEntity", { path })).body;
            context.assertEqual("REPO-28", after.data, updated.data, "data");
            context.assertEqual("REPO-26", after.id, id, "id");
            context.assertEqual(
              "REPO-26",
              instantOf(after.createdAt),
              instantOf(before.createdAt),
              "the instant of createdAt",
            );
            context.assert(
              "REPO-26",
              millisecondsBetween(before.updatedAt, after.updatedAt) > -instantTolerance,
              `updatedAt not before ${before.updatedAt}`,
              after.updatedAt,
            );
            context.assert(
              "REPO-27",
              // of an update that changes nothing only that the version does not go back
              !shown ||
                after.version > before.version ||
                (after.version === before.version && isDeepStrictEqual(after.data, before.data)),
              `a version above ${before.version}`,
              after.version,
            );
            context.assert(
              "REPO-27",
              !shown || after.version === updated.version,
              `version ${updated.version}, as the update has answered`,
              after.version,
            );
            before = after;
          }
          const deleted = await context.assertSuccess("REPO-32", "deleteEntity", { path }, 204);
          context.assert("REPO-32", deleted.text === "", "an empty body", deleted.text);
          await context.assertRefusal("REPO-32", "getEntity", { path }, "the entity is deleted");
        },
        {
          names: ["first", "updates"],
          examples: [
            [{}, [{}]],
            [{ a: 1, b: 2 }, [{ a: 3 }, { b: null }]],
            [{ id: "mine", version: 7 }, [{ id: "yours", createdAt: "1999-01-01T00:00:00Z" }]],
          ],
        },
      );
      const { ids } = await readPages(context, entitiesOf(repositoryId));
      assertEachOnce(context, "REPO-32", ids, [], "the entities, all of which are deleted");
    },
  },
  {
    id: "entities/any-data",
    title: "A repository without schema takes any object, and gives it back as it was",
    clauses: ["REPO-21", "REPO-28"],
    after: ["entities/life"],
    run: async (databaseId, context) => {
      const repositoryId = await context.resources.newRepository(databaseId);
      await context.property(
        [anyData],
        async (data) => {
          const rawBody = writeJson({ data });
          const created = await context.call("createEntity", { path: { repositoryId }, rawBody });
          if (isRefused(created) && !isOrdinary(data)) return;
          context.assertStatus("REPO-21", created, 201);
          const path = { repositoryId, entityId: created.body.id as string };
          const got = await context.assertSuccess("REPO-28", "getEntity", { path });
          // what is kept of a number beyond doubles is not said (gap `number-precision`)
          context.assertEqual("REPO-28", asDoubles(got.text).data, asDoubles(rawBody).data, "data");
        },
        { names: ["data"], examples: [[everyKind]] },
      );
    },
  },
  {
    id: "entities/update-time",
    title: "Each update moves updatedAt",
    clauses: ["REPO-26"],
    run: async (_, context) => {
      const repositoryId = await context.resources.repository();
      const { body: created } = await context.call("createEntity", {
        path: { repositoryId },
        body: { data: {} },
      });
      const path = { repositoryId, entityId: created.id as string };
      // times may have whole seconds
      for (let round = 0; round < 2; round++) {
        const before = (await context.call("getEntity", { path })).body.updatedAt as string;
        let after = before;
        for (const pause of pauses) {
          await sleep(pause);
          await context.call("updateEntity", { path, body: { data: { round, pause } } });
          after = (await context.call("getEntity", { path })).body.updatedAt;
          if (millisecondsBetween(before, after) !== 0) break;
        }
        context.assert("REPO-26", millisecondsBetween(before, after) > 0, `updatedAt after ${before}`, after);
      }
    },
  },
  {
    id: "entities/generated-ids",
    title: "Every entity gets an id of its own",
    clauses: ["REPO-25"],
    run: async (databaseId, context) => {
      const { resources } = context;
      const repositoryId = await resources.newRepository(databaseId);
      const path = { repositoryId };
      const ids: string[] = [];
      await context.property(
        [smallData, fc.integer({ min: 2, max: 8 })],
        async (data, count) => {
          const bodies = Array.from({ length: count }, () => ({ data }));
          // one half at once, the other one after the other
          const together = await Promise.all(
            bodies.slice(1).map((body) => context.call("createEntity", { path, body })),
          );
          const answers = [...together, await context.call("createEntity", { path, body: { data } })];
          for (const answer of answers) {
            if (isRefused(answer) && hasTakenName(data)) continue;
            const { body } = context.assertStatus("REPO-23", answer, 201);
            context.assert("REPO-25", !ids.includes(body.id), "an id that no other entity has", body.id);
            ids.push(body.id);
          }
        },
        {
          names: ["data", "count"],
          share: 0.5,
          examples: [
            [{ id: "the same" }, 3],
            [{ a: 1 }, 3],
          ],
        },
      );
      const pages = await readPages(context, entitiesOf(repositoryId));
      assertEachOnce(context, "REPO-25", pages.ids, ids, "the entities, each by its own id");
    },
  },
  {
    id: "entities/refused",
    title: "A request without data, and one for an entity that is not there, makes no entity appear",
    clauses: ["REPO-24", "REPO-29"],
    run: async (databaseId, context) => {
      const { resources } = context;
      const repositoryId = await resources.newRepository(databaseId);
      const path = { repositoryId };
      const data = { a: 1 };
      const { body: entity } = await context.call("createEntity", { path, body: { data }, setUp: true });
      const { body: second } = await context.call("createEntity", { path, body: { data }, setUp: true });
      const own = { repositoryId, entityId: entity.id as string };
      const unchanged = async (clause: "REPO-24" | "REPO-29", expected: readonly string[]) => {
        const { ids } = await readPages(context, entitiesOf(repositoryId));
        assertEachOnce(context, clause, ids, expected, "the entities from before");
        const { body } = await context.call("getEntity", { path: own });
        context.assertEqual(clause, body.data, data, "the data from before");
      };
      await context.property(
        [noObject],
        async (none) => {
          const body = { data: none, a: 1 };
          await context.assertRefusal("REPO-24", "createEntity", { path, body }, "there is no object data");
          const updating = await context.call("updateEntity", { path: own, body, intent: "invalid" });
          context.assertRefused("REPO-24", updating, "there is no object data");
          await unchanged("REPO-24", [entity.id, second.id]);
        },
        { names: ["data"], share: 0.3, examples: [...noObjects] },
      );
      await context.call("deleteEntity", { path: { ...path, entityId: second.id } });
      const missing = [...noIds, second.id as string, `${own.entityId}x`, own.entityId.slice(0, -1)];
      for (const entityId of missing) {
        // without an id the path is another one
        if (entityId === own.entityId || entityId === "") continue;
        const nowhere = { repositoryId, entityId };
        await context.assertRefusal("REPO-29", "getEntity", { path: nowhere }, "nothing has this id");
        await context.call("updateEntity", { path: nowhere, body: { data: { a: 2 } }, intent: "invalid" });
        await context.call("deleteEntity", { path: nowhere, intent: "invalid" });
        const again = await context.call("getEntity", { path: nowhere, intent: "invalid" });
        context.assertRefused("REPO-29", again, "nothing has been created under this id");
      }
      await unchanged("REPO-29", [entity.id]);
      for (const query of [{ limit: "many" }, { limit: 0 }, { cursor: "no-cursor" }])
        await context.call("listEntities", { path, query, intent: "invalid" });
      for (const body of [
        { limit: "many" },
        { filter: "= = =" },
        { filter: 5 },
        { cursor: 5 },
        { sortBy: [] },
      ])
        await context.call("queryEntities", { path, body, intent: "invalid" });
      await unchanged("REPO-29", [entity.id]);
    },
  },
  {
    id: "entities/other-repositories",
    title: "The entities of one repository are never seen through another",
    clauses: ["REPO-44"],
    after: ["entities/pages"],
    run: async (databaseId, context) => {
      const { resources } = context;
      const declared = await toBeQueriedBy(context, databaseId, {
        same: { type: "number" },
        index: { type: "number" },
        stolen: { type: "boolean" },
      });
      const repositories = [
        await resources.newRepository(databaseId, declared),
        await resources.newRepository(databaseId, declared),
      ];
      const made: { readonly id: string; readonly at: string }[] = [];
      // in turns, so that neighbours are in different repositories
      for (let index = 0; index < 9; index++) {
        const at = repositories[index % 2] ?? "";
        const { body } = await context.call("createEntity", {
          path: { repositoryId: at },
          body: { data: { same: 1, index } },
        });
        made.push({ id: body.id, at });
      }
      for (const repositoryId of repositories) {
        const own = made.filter(({ at }) => at === repositoryId).map(({ id }) => id);
        const queries = [
          undefined,
          {},
          { filter: "same = :same", filterValues: { ":same": 1 } },
          { sortBy: "index" },
        ];
        for (const query of queries)
          for (const limit of [undefined, 2]) {
            const listing = {
              ...entitiesOf(repositoryId, query),
              ...(limit === undefined ? {} : { limit }),
            };
            const { ids, pages } = await eventually(
              context,
              () => readPages(context, listing),
              (read) => query !== undefined || read.pages[0].totalCount === own.length,
            );
            assertEachOnce(context, "REPO-44", ids, own, "the entities of the repository");
            if (query === undefined)
              context.assertEqual("REPO-44", pages[0].totalCount, own.length, "totalCount of the repository");
          }
        for (const { id, at } of made) {
          // ids that are counted in each repository are those of its own entities, too
          if (at === repositoryId || own.includes(id)) continue;
          const path = { repositoryId, entityId: id };
          const got = await context.call("getEntity", { path, intent: "invalid" });
          context.assertRefused("REPO-44", got, "the entity is in another repository");
          await context.call("updateEntity", { path, body: { data: { stolen: true } }, intent: "invalid" });
          await context.call("deleteEntity", { path, intent: "invalid" });
          const theirs = await context.call("getEntity", { path: { repositoryId: at, entityId: id } });
          context.assertStatus("REPO-44", theirs, 200);
          context.assertEqual("REPO-44", theirs.body.data.stolen, undefined, "data.stolen");
        }
      }
      const [first = "", second = ""] = repositories;
      await resources.remove("repository", first);
      const { ids } = await readPages(context, entitiesOf(second));
      const left = made.filter(({ at }) => at === second).map(({ id }) => id);
      assertEachOnce(context, "REPO-44", ids, left, "the entities of the repository that is left");
    },
  },
);

/** A body with its numbers as doubles, of which 0 and -0 are one. */
function asDoubles(text: string): { readonly data?: unknown } {
  return JSON.parse(JSON.stringify(JSON.parse(text))) as { readonly data?: unknown };
}
