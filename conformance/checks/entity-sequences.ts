import fc from "fast-check";
import { EntitiesModel } from "../models/entities.js";
import { createQueryableRepositoryInput } from "../steps/declared-fields.js";
import { assertSameEntity, defineRepositoryChecks, EntityClient } from "../steps/entity-calls.js";
import { assertEachListedOnce } from "../steps/pages.js";

const data = fc.record(
  { k: fc.nat(2), v: fc.constantFrom<unknown>(null, false, true, 0, 10, "", "a", [1], {}), size: fc.nat(9) },
  { requiredKeys: [], noNullPrototype: true },
);

interface Step {
  readonly kind: "create" | "update" | "delete" | "get" | "list" | "query" | "count";
  /** Index of a repository, and index of one of its entities. */
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

/** Checks of parts 2 and 4.3: random sequences on entities, compared with a model. */
export const entitySequenceChecks = defineRepositoryChecks({
  id: "entities/sequences",
  title: "After any sequence of writes to two repositories, every read returns what was written",
  clauses: ["REPO-08", "REPO-28", "REPO-30", "REPO-32", "REPO-33", "REPO-35", "REPO-36"],
  after: ["entities/life", "entities/pages", "entities/filter", "entities/sort"],
  run: async (databaseId, context) => {
    const { resources } = context;
    // where only declared fields can be queried, the data are of such a field alone
    const declared = await createQueryableRepositoryInput(context, databaseId, { k: { type: "number" } });
    const dataOf = ({ data: { k, ...rest } }: Step) => ({
      ...(k === undefined ? {} : { k }),
      ...(declared.schema === undefined ? rest : {}),
    });
    await context.property(
      [fc.array(step, { minLength: 1, maxLength: 30, size: "max" })],
      async (steps) => {
        const places = [
          { entities: await EntityClient.ofNew(context, databaseId, declared), model: new EntitiesModel() },
          { entities: await EntityClient.ofNew(context, databaseId, declared), model: new EntitiesModel() },
        ] as const;
        const list = async ({ entities, model }: (typeof places)[number], limit: number) => {
          const { entries } = await entities.assertAll("REPO-28", model.ids, undefined, limit);
          for (const entry of entries) assertSameEntity(context, "REPO-33", entry, model.get(entry.id));
        };
        for (const given of steps) {
          const { kind, repository, which, limit } = given;
          const data = dataOf(given);
          const place = places[repository] ?? places[0];
          const { entities, model } = place;
          const known = model.at(which);
          if (kind === "create") {
            const { body } = context.assertStatus("REPO-23", await entities.create(data), 201);
            context.assertEqual("REPO-23", body.data, data, "data");
            model.put(await entities.read(body.id as string));
          } else if (kind === "list") await list(place, limit);
          else if (kind === "count") await entities.assertItemCount(databaseId, model.ids.length);
          else if (kind === "query") {
            const k = data.k ?? 0;
            const query = { filter: "k = :k", filterValues: { ":k": k } };
            const { ids, entries } = await entities.pages(query, limit);
            assertEachListedOnce(
              context,
              "REPO-36",
              ids,
              model.matching("k", k),
              `the entities whose k is ${k}`,
            );
            for (const entry of entries) assertSameEntity(context, "REPO-33", entry, model.get(entry.id));
          } else if (known === undefined) continue;
          else if (kind === "update") {
            const answer = await entities.update(known.id, data);
            const updated = entities.assertUpdated(answer, known.data, data);
            const got = await entities.read(known.id);
            context.assertEqual("REPO-28", got.data, updated.data, "data as in the update response");
            model.put(got);
          } else if (kind === "delete") {
            context.assertStatus("REPO-32", await entities.remove(known.id), 204);
            model.delete(known.id);
            const gone = await entities.get(known.id, { intent: "invalid" });
            context.assertRefused("REPO-32", gone, "the entity is deleted");
          } else assertSameEntity(context, "REPO-28", (await entities.get(known.id)).body, known);
        }
        for (const place of places) {
          await list(place, 20);
          await place.entities.assertItemCount(databaseId, place.model.ids.length);
          await resources.remove("repository", place.entities.repositoryId);
        }
      },
      { names: ["steps"], share: 0.5, examples: [[everyKind]] },
    );
  },
});
