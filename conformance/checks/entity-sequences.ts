import fc from "fast-check";
import { isDeepStrictEqual } from "node:util";
import { EntitiesModel, type KnownEntity, updatesOf } from "../models/entities.js";
import { toBeQueriedBy } from "../steps/declared-fields.js";
import { eventually } from "../steps/eventually.js";
import { assertSameEntity, defineRepositoryChecks, entitiesOf } from "./entity-listing.js";
import { assertEachOnce, readPages } from "../steps/pages.js";

const data = fc.record(
  { k: fc.nat(2), v: fc.constantFrom<unknown>(null, false, true, 0, 10, "", "a", [1], {}), size: fc.nat(9) },
  { requiredKeys: [], noNullPrototype: true },
);

interface Step {
  readonly kind: "create" | "update" | "delete" | "get" | "list" | "query" | "count";
  /** Which of the repositories, and which of its entities. */
  readonly repository: number;
  readonly which: number;
  readonly data: { readonly k?: number; readonly v?: unknown; readonly size?: number };
  readonly limit: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom<Step["kind"]>(
    "create",
    "create",
    "update",
    "update",
    "delete",
    "get",
    "list",
    "query",
    "count",
  ),
  repository: fc.nat(1),
  which: fc.nat(20),
  data,
  limit: fc.integer({ min: 1, max: 5 }),
});

/** One step of every kind, so that no run leaves one out. */
const everyKind: Step[] = (
  ["create", "create", "query", "update", "query", "get", "list", "count", "delete"] as const
).map((kind, index): Step => ({ kind, repository: 0, which: 0, data: { k: index % 2 }, limit: 5 }));

/** Parts 2 and 4.3: entities against a model. */
export const entitySequenceChecks = defineRepositoryChecks({
  id: "entities/sequences",
  title: "After any sequence of writes in two repositories, every read shows what was written",
  clauses: ["REPO-08", "REPO-28", "REPO-30", "REPO-32", "REPO-33", "REPO-35", "REPO-36"],
  after: ["entities/life", "entities/pages", "entities/filter", "entities/sort"],
  run: async (databaseId, context) => {
    const { resources } = context;
    // where only declared fields can be queried, the data are of such a field alone
    const declared = await toBeQueriedBy(context, databaseId, { k: { type: "number" } });
    const dataOf = ({ data: { k, ...rest } }: Step) => ({
      ...(k === undefined ? {} : { k }),
      ...(declared.schema === undefined ? rest : {}),
    });
    await context.property(
      [fc.array(step, { minLength: 1, maxLength: 30, size: "max" })],
      async (steps) => {
        const places = [
          { repositoryId: await resources.newRepository(databaseId, declared), model: new EntitiesModel() },
          { repositoryId: await resources.newRepository(databaseId, declared), model: new EntitiesModel() },
        ] as const;
        const list = async ({ repositoryId, model }: (typeof places)[number], limit: number) => {
          const { entries, ids, pages } = await eventually(
            context,
            () => readPages(context, { ...entitiesOf(repositoryId), limit }),
            (read) => read.pages.every(({ totalCount }) => totalCount === model.ids.length),
          );
          assertEachOnce(context, "REPO-28", ids, model.ids, "the entities of the repository");
          for (const page of pages)
            context.assertEqual("REPO-35", page.totalCount, model.ids.length, "totalCount");
          for (const entry of entries) assertSameEntity(context, "REPO-33", entry, model.get(entry.id));
        };
        const count = async ({ repositoryId, model }: (typeof places)[number]) => {
          const path = { databaseId, repositoryId };
          const seen = await eventually(
            context,
            async () => (await context.call("getRepository", { path })).body.itemCount as number,
            (itemCount) => itemCount === model.ids.length,
          );
          context.assertEqual("REPO-08", seen, model.ids.length, "itemCount");
        };
        for (const given of steps) {
          const { kind, repository, which, limit } = given;
          const data = dataOf(given);
          const place = places[repository] ?? places[0];
          const { repositoryId, model } = place;
          const known = model.at(which);
          const path = { repositoryId, entityId: known?.id ?? "" };
          if (kind === "create") {
            const answer = await context.call("createEntity", {
              path: { repositoryId },
              body: { data },
            });
            const { body } = context.assertStatus("REPO-23", answer, 201);
            context.assertEqual("REPO-23", body.data, data, "data");
            model.put(
              (await context.call("getEntity", { path: { repositoryId, entityId: body.id } }))
                .body as KnownEntity,
            );
          } else if (kind === "list") await list(place, limit);
          else if (kind === "count") await count(place);
          else if (kind === "query") {
            const k = data.k ?? 0;
            const { ids, entries } = await readPages(context, {
              ...entitiesOf(repositoryId, { filter: "k = :k", filterValues: { ":k": k } }),
              limit,
            });
            assertEachOnce(context, "REPO-36", ids, model.matching("k", k), `the entities with k ${k}`);
            for (const entry of entries) assertSameEntity(context, "REPO-33", entry, model.get(entry.id));
          } else if (known === undefined) continue;
          else if (kind === "update") {
            const answer = await context.call("updateEntity", { path, body: { data } });
            const { body } = context.assertStatus("REPO-30", answer, 200);
            context.assert(
              "REPO-30",
              updatesOf(known.data, data).some((possible) => isDeepStrictEqual(possible, body.data)),
              `the data given, with or without what was there before: ${JSON.stringify(known.data)}`,
              body.data,
            );
            const got = (await context.call("getEntity", { path })).body as KnownEntity;
            context.assertEqual("REPO-28", got.data, body.data, "data as the update has answered");
            model.put(got);
          } else if (kind === "delete") {
            await context.assertSuccess("REPO-32", "deleteEntity", { path }, 204);
            model.delete(known.id);
            await context.assertRefusal("REPO-32", "getEntity", { path }, "the entity is deleted");
          } else {
            const got = await context.call("getEntity", { path });
            assertSameEntity(context, "REPO-28", got.body, known);
          }
        }
        for (const place of places) {
          await list(place, 20);
          await count(place);
          await resources.remove("repository", place.repositoryId);
        }
      },
      { names: ["steps"], share: 0.5, examples: [[everyKind]] },
    );
  },
});
