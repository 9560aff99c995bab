import fc from "fast-check";
import { getClauseRange } from "../../openapi/clauses/register.js";
import { isClientError } from "../client/is-client-error.js";
import { isWidelySupportedJson } from "../generators/is-widely-supported-json.js";
import { changeableText } from "../generators/tricky-texts.js";
import { isDeepStrictEqual } from "node:util";
import { sleep } from "../client/time-source.js";
import { JsonText, parseJsonAsDoubles, stringifyJson } from "../client/json-text.js";
import type { CheckContext } from "../check/context.js";
import type { KnownEntity } from "../models/entities.js";
import {
  anyData,
  dataOfEveryType,
  exampleData,
  nonObject,
  exampleNonObjects,
} from "../generators/item-data.js";
import { assertSameEntity, defineRepositoryChecks, EntityClient } from "../steps/entity-client.js";
import { readUntil } from "../steps/read-until.js";
import { startOwnerSession } from "../steps/create-new-user.js";
import { createQueryableRepositoryInput } from "../steps/declared-fields.js";
import { assertEachListedOnce } from "../steps/pages.js";
import { assertApiPathExists } from "./assert-api-path-exists.js";
import {
  assertCurrentTime,
  assertSameCreation,
  assertSameInstant,
  waitForLaterTime,
  assertTimestamp,
  maxClockSkewMs,
  getMillisecondsBetween,
} from "../steps/timestamps.js";

type Data = Readonly<Record<string, unknown>>;

/** Names of fields that an entity has besides its data; a deployment may refuse these names in data. */
const reservedNames = ["id", "version", "createdAt"];

function hasReservedName(data: Data): boolean {
  return reservedNames.some((name) => Object.hasOwn(data, name));
}

/** Generates data with a few fields, so that updates contain existing and missing fields. */
const smallData: fc.Arbitrary<Data> = fc.dictionary(
  fc.constantFrom("a", "b", "c", ...reservedNames),
  fc.oneof(
    fc.integer({ min: -9, max: 9 }),
    fc.constantFrom<unknown>("", "text", true, false, null, 0, [], [1, { c: [2] }], {}, { a: { b: "c" } }),
  ),
  { noNullPrototype: true },
);

/** Pauses before updates, in milliseconds, until an update has another time than the previous one. */
const pausesMs = [0, 5, 50, 500, 1200];

/** A text of more than 64 KB. The hyphen in a name allows deployments to refuse this data. */
const longText = new JsonText(`{"a-b":0,"text":"${"x".repeat(70_000)}"}`);

/** Ids of no entity, for some of which faulty code may find something. */
const unknownIds = [
  "none",
  "0",
  "-1",
  "query",
  "__proto__",
  "constructor",
  "null",
  "a/b",
  "%",
  "'",
  "🙂",
  "*",
];

/** Asserts that an entity was not updated before it was created. */
function assertTimes(context: CheckContext, entity: KnownEntity): void {
  const created = assertTimestamp(context, entity.createdAt, "createdAt");
  const updated = assertTimestamp(context, entity.updatedAt, "updatedAt");
  context.assert("REPO-26", updated >= created - maxClockSkewMs, "updatedAt not before createdAt", entity);
}

/** Asserts that an entity has the times in the response to the last write. */
function assertSameTimes(context: CheckContext, read: KnownEntity, written: KnownEntity): void {
  for (const name of ["createdAt", "updatedAt"] as const)
    assertSameInstant(context, "REPO-26", read[name], written[name], name);
}

/** Asserts that the list and a query return an entity in its current state. */
async function assertListed(
  context: CheckContext,
  entities: EntityClient,
  known: KnownEntity,
): Promise<void> {
  for (const query of [undefined, {}]) {
    const { entries } = await entities.pages(query);
    const entry = entries.find(({ id }) => id === known.id) ?? {};
    // A wrong version breaks REPO-27.
    assertSameEntity(context, "REPO-33", entry, { ...known, version: undefined });
    const { version = known.version } = entry;
    context.assertEqual("REPO-27", version, known.version, "the version in a list");
  }
}

/** Checks of parts 2 and 4.3: single entities. */
export const entityChecks = defineRepositoryChecks(
  {
    id: "entities/life",
    title: "An entity can be created, read, updated and deleted",
    clauses: [
      ...getClauseRange("REPO-26", "REPO-28"),
      ...getClauseRange("REPO-32", "REPO-33"),
      ...(["REPO-21", "REPO-23", "REPO-30", "GEN-01", "GEN-02", "GEN-08"] as const),
    ],
    run: async (databaseId, context) => {
      await context.property(
        { first: smallData, updates: fc.array(smallData, { minLength: 1, maxLength: 3 }) },
        async ({ first, updates }) => {
          const entities = await EntityClient.withNewRepository(context, databaseId);
          const created = await entities.create(first);
          assertApiPathExists(context, created);
          if (isClientError(created) && hasReservedName(first)) return;
          context.assertStatus("REPO-21", created, 201);
          context.markExercised("GEN-02");
          assertTimes(context, created.body as KnownEntity);
          context.assertEqual("REPO-23", created.body.data, first, "data");
          const id = created.body.id as string;
          let before = await entities.read(id);
          context.assertEqual("REPO-28", before.id, id, "id");
          context.assertEqual("REPO-28", before.data, first, "data");
          assertSameTimes(context, before, created.body as KnownEntity);
          await assertListed(context, entities, before);
          for (const { version } of [created.body, before]) {
            const isFirst = typeof version !== "number" || version === 1;
            context.assert("REPO-27", isFirst, "version 1, or no version", version);
          }
          for (const data of updates) {
            const response = await entities.update(id, data);
            if (isClientError(response) && hasReservedName(data)) continue;
            const updated = entities.assertUpdated(response, before.data, data);
            assertTimes(context, updated);
            context.assertEqual("REPO-26", updated.id, id, "id");
            const after = await entities.read(id);
            context.assertEqual("REPO-28", after.data, updated.data, "data");
            context.assertEqual("REPO-26", after.id, id, "id");
            assertSameCreation(context, "REPO-26", after, before);
            assertSameTimes(context, after, updated);
            const isLater = getMillisecondsBetween(before.updatedAt, after.updatedAt) > -maxClockSkewMs;
            context.assert("REPO-26", isLater, `updatedAt not before ${before.updatedAt}`, after.updatedAt);
            if (typeof before.version === "number") {
              // An update that changes nothing need not increase the version.
              const least = before.version + (isDeepStrictEqual(after.data, before.data) ? 0 : 1);
              const isNext = typeof after.version === "number" && after.version >= least;
              context.assert("REPO-27", isNext, `a version of at least ${least}`, after.version);
              const what = "version as in the update response";
              context.assertEqual("REPO-27", after.version, updated.version, what);
            }
            before = after;
          }
          await assertListed(context, entities, before);
          context.assertStatus("REPO-32", await entities.remove(id), 204);
          const deleted = await entities.get(id, { intent: "invalid" });
          context.assertRefused("REPO-32", deleted, "the entity is deleted");
          await entities.assertIds("REPO-32", [], "no entities, because the entity was deleted");
          await context.resources.remove("repository", entities.repositoryId);
        },
        {
          examples: [
            { first: {}, updates: [{}] },
            { first: { a: 1, b: 2 }, updates: [{ a: changeableText }, { b: null }] },
            {
              first: { id: "mine", version: 7 },
              updates: [{ id: "yours", createdAt: "1999-01-01T00:00:00Z" }],
            },
          ],
        },
      );
    },
  },
  {
    id: "entities/any-data",
    title: "A repository without a schema accepts any object and returns it unchanged",
    clauses: ["REPO-21", "REPO-28"],
    after: ["entities/life"],
    run: async (databaseId, context) => {
      const repositoryId = await context.resources.createRepository(databaseId);
      await context.property(
        { data: anyData },
        async ({ data }) => {
          const rawBody = stringifyJson({ data });
          const created = await context.call("createEntity", { path: { repositoryId }, rawBody });
          if (isClientError(created) && !isWidelySupportedJson(data)) return;
          context.assertStatus("REPO-21", created, 201);
          const path = { repositoryId, entityId: created.body.id as string };
          const got = await context.assertSuccess("REPO-28", "getEntity", { path });
          // The specification does not say how numbers beyond doubles are stored (gap `number-precision`).
          context.assertEqual("REPO-28", getData(got.text), getData(rawBody), "data");
        },
        { examples: [dataOfEveryType, longText, ...exampleData].map((data) => ({ data })) },
      );
    },
  },
  {
    id: "entities/update-time",
    title: "Each update changes updatedAt and keeps createdAt, in all responses",
    clauses: ["REPO-26", "REPO-30", "REPO-33", "GEN-01"],
    run: async (_, context) => {
      const entities = new EntityClient(context, await context.resources.getRepository());
      const id = await entities.add({});
      await assertCurrentTime(context, (await entities.read(id)).createdAt, "createdAt of a new entity");
      // Timestamps may have whole seconds.
      for (let round = 0; round < 2; round++) {
        const before = (await entities.read(id)).updatedAt;
        let after = before;
        // The new time may be earlier, because two clocks of a deployment may differ.
        const hasChanged = () => getMillisecondsBetween(before, after) !== 0;
        for (const pause of pausesMs) {
          await sleep(pause);
          await entities.update(id, { round, pause });
          after = (await entities.read(id)).updatedAt;
          if (hasChanged()) break;
        }
        context.assert("REPO-26", hasChanged(), `an updatedAt other than ${before}`, after);
      }
      const { createdAt } = await entities.read(id);
      await waitForLaterTime(context);
      const updated = context.assertStatus("REPO-30", await entities.update(id, { last: true }), 200).body;
      const known = await entities.read(id);
      assertSameInstant(context, "REPO-26", updated.createdAt, createdAt, "createdAt");
      assertSameTimes(context, known, updated as KnownEntity);
      await assertCurrentTime(context, known.updatedAt, "updatedAt after an update");
      await assertListed(context, entities, known);
      if (!(await context.canUseTokensForData())) return;
      const as = await startOwnerSession(context, "owner in another session");
      const changed = await entities.update(id, { byOther: true }, { as });
      const { data } = context.assertStatus("REPO-30", changed, 200).body;
      const read = async () => (await entities.read(id)).data;
      const seen = await readUntil(context, read, (now) => isDeepStrictEqual(now, data));
      context.assertEqual("REPO-30", seen, data, "the data after an update by another caller");
    },
  },
  {
    id: "entities/generated-ids",
    title: "Every entity has a unique id",
    clauses: ["REPO-25"],
    run: async (databaseId, context) => {
      await context.property(
        { data: smallData, count: fc.integer({ min: 2, max: 8 }) },
        async ({ data, count }) => {
          const entities = await EntityClient.withNewRepository(context, databaseId);
          const ids: string[] = [];
          const concurrent = Array.from({ length: count - 1 }, () => entities.create(data));
          const responses = [...(await Promise.all(concurrent)), await entities.create(data)];
          for (const response of responses) {
            // A deployment may refuse concurrent requests because of a conflict.
            if (isClientError(response) && (hasReservedName(data) || response.status === 409)) continue;
            const { body } = context.assertStatus("REPO-23", response, 201);
            context.assert("REPO-25", !ids.includes(body.id), "an id that no other entity has", body.id);
            ids.push(body.id);
          }
          await entities.assertIds("REPO-25", ids, "the entities, each with its own id");
          await context.resources.remove("repository", entities.repositoryId);
        },
        {
          share: 0.5,
          examples: [
            { data: { id: "the same" }, count: 3 },
            { data: { a: 1 }, count: 3 },
          ],
        },
      );
    },
  },
  {
    id: "entities/refused",
    title: "A request without data, or for a missing entity, changes nothing",
    clauses: ["REPO-08", "REPO-24", "REPO-29", "REPO-35"],
    run: async (databaseId, context) => {
      const entities = await EntityClient.withNewRepository(context, databaseId);
      const path = { repositoryId: entities.repositoryId };
      const data = { a: 1 };
      const [own, second] = [await entities.add(data), await entities.add(data)];
      const how = { intent: "invalid" } as const;
      const assertUnchanged = async (clause: "REPO-24" | "REPO-29", expected: readonly string[]) => {
        await entities.assertAll(clause, expected);
        context.assertEqual(clause, (await entities.get(own)).body.data, data, "the data before the request");
      };
      await context.property(
        { data: nonObject },
        async ({ data: none }) => {
          const body = { data: none, a: 1 };
          const because = "data is not an object";
          await context.assertRefusal("REPO-24", "createEntity", { path, body }, because);
          const update = { path: entities.path(own), body };
          await context.assertRefusal("REPO-24", "updateEntity", update, because);
          await assertUnchanged("REPO-24", [own, second]);
        },
        { share: 0.3, examples: exampleNonObjects.map((none) => ({ data: none })) },
      );
      await entities.remove(second);
      // With an empty id, the path would be the path of the list.
      const missing = [...unknownIds, second, `${own}x`, own.slice(0, -1)];
      for (const id of missing.filter((text) => text !== own && text !== "")) {
        context.assertRefused("REPO-29", await entities.get(id, how), "nothing with this id exists");
        await entities.update(id, { a: 2 }, how);
        await entities.remove(id, how);
        const again = await entities.get(id, how);
        context.assertRefused("REPO-29", again, "nothing was created with this id");
      }
      await assertUnchanged("REPO-29", [own]);
      await entities.assertItemCount(databaseId, 1);
      for (const query of [{ limit: "many" }, { limit: 0 }, { cursor: "no-cursor" }])
        await context.call("listEntities", { path, query, ...how });
      const faulty = [{ limit: "many" }, { filter: "= = =" }, { filter: 5 }, { cursor: 5 }, { sortBy: [] }];
      for (const body of faulty) await context.call("queryEntities", { path, body, ...how });
      await assertUnchanged("REPO-29", [own]);
    },
  },
  {
    id: "entities/other-repositories",
    title: "A repository's entities are not visible in another repository",
    clauses: ["REPO-44"],
    after: ["entities/pages"],
    run: async (databaseId, context) => {
      const declared = await createQueryableRepositoryInput(context, databaseId, {
        same: { type: "number" },
        index: { type: "number" },
        stolen: { type: "boolean" },
      });
      const repositories = [
        await EntityClient.withNewRepository(context, databaseId, declared),
        await EntityClient.withNewRepository(context, databaseId, declared),
      ] as const;
      const created: { readonly id: string; readonly at: EntityClient }[] = [];
      // Entities created in succession are in different repositories.
      for (let index = 0; index < 9; index++) {
        const at = repositories[index % 2] ?? repositories[0];
        created.push({ id: await at.add({ same: 1, index }), at });
      }
      const listIds = (entities: EntityClient) =>
        created.filter(({ at }) => at === entities).map(({ id }) => id);
      const filter = { filter: "same = :same", filterValues: { ":same": 1 } };
      for (const entities of repositories) {
        const own = listIds(entities);
        for (const limit of [undefined, 2]) {
          const { pages } = await readUntil(
            context,
            () => entities.pages(undefined, limit),
            (read) => read.pages[0].totalCount === own.length,
          );
          context.assertEqual("REPO-44", pages[0].totalCount, own.length, "totalCount for the repository");
          for (const query of [undefined, {}, filter, { sortBy: "index" }]) {
            const { ids } = await entities.pages(query, limit);
            assertEachListedOnce(context, "REPO-44", ids, own, "the entities in the repository");
          }
        }
        for (const { id, at } of created) {
          // Ids may be unique only within a repository.
          if (at === entities || own.includes(id)) continue;
          const how = { intent: "invalid" } as const;
          const got = await entities.get(id, how);
          context.assertRefused("REPO-44", got, "the entity is in another repository");
          await entities.update(id, { stolen: true }, how);
          await entities.remove(id, how);
          const { body } = context.assertStatus("REPO-44", await at.get(id), 200);
          context.assertEqual("REPO-44", body.data.stolen, undefined, "data.stolen");
        }
      }
      const [first, second] = repositories;
      await context.resources.remove("repository", first.repositoryId);
      await second.assertIds("REPO-44", listIds(second), "the entities in the remaining repository");
    },
  },
);

function getData(text: string): unknown {
  return (parseJsonAsDoubles(text) as { readonly data?: unknown }).data;
}
