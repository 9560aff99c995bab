import fc from "fast-check";
import { isDeepStrictEqual } from "node:util";
import { isClientError } from "../client/is-client-error.js";
import { mayBeEqual } from "../models/entities.js";
import { canQueryUndeclaredFields, createQueryableRepositoryInput } from "../steps/declared-fields.js";
import { assertSameEntity, defineRepositoryChecks, EntityClient } from "../steps/entity-client.js";
import {
  assertDefaultPageSize,
  assertEachListedOnce,
  assertLastPageNotEmpty,
  findLongLimits,
} from "../steps/pages.js";

/** Page sizes up to the default, which every deployment accepts. */
const limit = fc.integer({ min: 1, max: 20 });

/** Values that are easily confused with each other. */
const values: readonly unknown[] = [
  0,
  1,
  -1,
  1.5,
  10,
  2,
  1e15,
  1234567.88,
  1234567.89,
  "0",
  "1",
  "1.0",
  "",
  " ",
  "a",
  "A",
  "a ",
  " a",
  "é",
  "e\u0301",
  "ß",
  "ss",
  "true",
  "null",
  "%",
  "_",
  "'",
  ":v",
  "🙂",
  ...["x", "y"].map((end) => "long ".repeat(60) + end),
  true,
  false,
  null,
];

/** Maximum length of a text that every deployment accepts as a value of a filter; the specification names none. */
const maxPlainLength = 255;

/** Values to filter by; the specification does not say whether a value can equal null. */
const filteredValues: readonly unknown[] = values.filter((value) => value !== null);

/** Number of entities in a long list; each takes a request. */
const maxEntities = 70;

const fields = ["v", "status", "createdBy", "amount2"] as const;

/** Types of these fields, in case only declared fields can be queried. */
const declarations = {
  v: { type: "string" },
  status: { type: "number" },
  createdBy: { type: "boolean" },
  amount2: { type: "string" },
} as const satisfies Record<(typeof fields)[number], object>;

/** Returns data with other values of the same types; except for booleans, no filter contains these values. */
function replaceValues(data: Readonly<Record<string, unknown>>): object {
  const replace = (value: unknown) =>
    typeof value === "boolean" ? !value : typeof value === "number" ? -77 : value === null ? 1 : "before";
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, replace(value)]));
}

/** Checks of parts 2 and 4.3: lists and queries of entities. */
export const entityQueryChecks = defineRepositoryChecks(
  {
    id: "entities/pages",
    title: "List and query return every entity once, regardless of the page size",
    clauses: ["REPO-33", "REPO-34", "REPO-35", "REPO-08", "GEN-03", "GEN-04", "GEN-07"],
    run: async (databaseId, context) => {
      const entities = await EntityClient.withNewRepository(context, databaseId);
      const ids: string[] = [];
      // Counts must include entities that are created at the same time.
      const addUntil = async (count: number) => {
        while (ids.length < count) {
          const added = Array.from({ length: 5 }, (_, n) => entities.add({ index: ids.length + n }));
          ids.push(...(await Promise.all(added)));
        }
      };
      await addUntil(25);
      const assertAll = async (query?: Readonly<Record<string, unknown>>, size?: number) => {
        const { pages, entries } = await entities.assertAll("GEN-04", ids, query, size);
        const sizes = pages.map((page) => page.entities.length as number);
        assertLastPageNotEmpty(context, "GEN-03", sizes, "nextCursor");
        return { sizes, entries };
      };
      // Part 4.3 allows null as a cursor.
      const path = { repositoryId: entities.repositoryId };
      const body = { limit: 20, cursor: null };
      await context.assertSuccess("REPO-33", "queryEntities", { path, body });
      await assertDefaultPageSize(context, "REPO-34", async () => (await assertAll()).sizes);
      await assertDefaultPageSize(context, "GEN-07", async () => (await assertAll({})).sizes);
      const { entries } = await assertAll(undefined, 20);
      for (const entry of entries.slice(0, 3))
        assertSameEntity(context, "REPO-33", entry, (await entities.get(entry.id as string)).body);
      await context.property(
        { size: limit, byQuery: fc.boolean() },
        async ({ size, byQuery }) => {
          await assertAll(byQuery ? {} : undefined, size);
        },
        {
          examples: [
            { size: 1, byQuery: false },
            { size: 5, byQuery: false },
            { size: 5, byQuery: true },
            { size: 12, byQuery: true },
          ],
        },
      );
      await entities.assertItemCount(databaseId, ids.length);
      await addUntil(maxEntities);
      const longLists = await findLongLimits((size, call) =>
        context.call("listEntities", { path, query: { limit: size }, ...call }),
      );
      for (const size of longLists) await assertAll(undefined, size);
      const longQueries = await findLongLimits((size, call) =>
        context.call("queryEntities", { path, body: { limit: size }, ...call }),
      );
      for (const size of longQueries) await assertAll({}, size);
      for (const entityId of [ids[0] ?? "", ids[12] ?? "", ids[24] ?? ""]) {
        await entities.remove(entityId);
        ids.splice(ids.indexOf(entityId), 1);
        await entities.update(ids[0] ?? "", {});
        await entities.assertItemCount(databaseId, ids.length);
        for (const query of [undefined, {}]) await assertAll(query, 20);
      }
    },
  },
  {
    id: "entities/large-pages",
    title: "List and query return whole entities, even if together they have more than a megabyte",
    clauses: ["REPO-33", "GEN-04"],
    after: ["entities/pages"],
    run: async (databaseId, context) => {
      const entities = await EntityClient.withNewRepository(context, databaseId);
      const data = { text: "x".repeat(70_000) };
      const first = await entities.create(data, { setUp: true, intent: "may-be-refused" });
      if (isClientError(first)) context.notOffered("entities of 70 kB are refused");
      const ids = [first.body.id as string];
      while (ids.length < 16) ids.push(await entities.add(data));
      for (const query of [undefined, {}]) {
        const { entries } = await entities.assertAll("GEN-04", ids, query);
        const changed = entries.filter((entry) => !isDeepStrictEqual(entry.data, data)).map(({ id }) => id);
        context.assertEqual("REPO-33", changed, [], "entities with other data than they were created with");
      }
    },
  },
  {
    id: "entities/filter",
    title: "A filter finds exactly the entities with the given value",
    clauses: ["REPO-36", "REPO-37", "GEN-04"],
    after: ["entities/pages"],
    run: async (databaseId, context) => {
      const declared = await createQueryableRepositoryInput(context, databaseId, declarations);
      const entities = await EntityClient.withNewRepository(context, databaseId, declared);
      const isAnyType = declared.schema === undefined;
      const fits = (field: (typeof fields)[number], value: unknown) =>
        isAnyType || typeof value === declarations[field].type;
      const known = new Map<string, Readonly<Record<string, unknown>>>();
      const add = async (data: Record<string, unknown>) => {
        const isUpdated = known.size % 3 === 2;
        const id = await entities.add(isUpdated ? replaceValues(data) : data);
        // A filter applies to the newest data.
        if (isUpdated) context.assertStatus("REPO-30", await entities.update(id, data), 200);
        known.set(id, data);
      };
      // Each value is in one or two fields, with another value in the next field.
      for (const [index, value] of values.entries())
        for (const [place, field] of fields.entries())
          if (place === index % fields.length || field === "v") {
            const next = fields[(place + 1) % fields.length] ?? "v";
            const other = values[(index + 7) % values.length];
            await add({
              ...(fits(field, value) ? { [field]: value } : {}),
              ...(fits(next, other) ? { [next]: other } : {}),
            });
          }
      for (const value of values.filter((value) => fits("v", value)).slice(0, 3))
        await entities.remove(await entities.add({ v: value }));
      // The specification does not say whether an array or object equals a value that it contains.
      const open = new Set<string>();
      if (isAnyType) {
        for (const v of [[1], ["a"], { a: 1 }, [], {}]) open.add(await entities.add({ v }));
        await entities.add({ other: 1 });
      }
      await context.property(
        {
          value: fc.constantFrom<unknown>(...filteredValues),
          field: fc.constantFrom(...fields),
          otherName: fc.constantFrom<string>("", "x", "status", "v", "other", "x1y"),
          size: limit,
        },
        async ({ value, field, otherName, size }) => {
          if (!fits(field, value)) return;
          const name = `:${otherName === "" ? field : otherName}`;
          const query = { filter: `${field} = ${name}`, filterValues: { [name]: value } };
          if (typeof value === "string" && value.length > maxPlainLength) {
            const call = {
              path: { repositoryId: entities.repositoryId },
              body: query,
              intent: "may-be-refused",
            } as const;
            if (isClientError(await context.call("queryEntities", call))) return;
          }
          const expected = [...known].filter(([, data]) => data[field] === value).map(([id]) => id);
          const { ids } = await entities.pages(query, size);
          const mayBeFound = (id: string) => open.has(id) || mayBeEqual(known.get(id)?.[field], value);
          assertEachListedOnce(
            context,
            name === `:${field}` ? "REPO-36" : "REPO-37",
            ids.filter((id) => expected.includes(id) || !mayBeFound(id)),
            expected,
            `the entities whose ${field} is ${JSON.stringify(value)}`,
          );
        },
        {
          share: 2,
          examples: [
            ...filteredValues.map((value) => ({ value, field: "v" as const, otherName: "", size: 20 })),
            { value: 1, field: "status", otherName: "", size: 1 },
            { value: "a", field: "v", otherName: "x", size: 20 },
            { value: true, field: "amount2", otherName: "v", size: 20 },
            { value: "1", field: "v", otherName: "status", size: 2 },
          ],
        },
      );
    },
  },
  {
    id: "entities/sort",
    title: "Entities are returned in order of the sort field",
    clauses: ["REPO-36", "REPO-38", "GEN-04"],
    after: ["entities/pages"],
    run: async (databaseId, context) => {
      const counts = { minLength: 11, maxLength: 16 };
      const numbers = fc.array(
        fc.constantFrom(-100, -9, -1.5, 0, 0.5, 2, 9, 10, 11, 99, 100, 1000, 1e10),
        counts,
      );
      const anyField = await canQueryUndeclaredFields(context, databaseId);
      const texts = fc.array(fc.constantFrom("", "a", "aa", "ab", "b", "ba", "c", "zz", "z"), counts);
      await context.property(
        {
          sorted: fc.oneof<fc.Arbitrary<(string | number)[]>[]>(numbers, texts),
          size: fc.integer({ min: 1, max: 20 }),
          filtered: fc.boolean(),
        },
        async ({ sorted, size, filtered }) => {
          const isText = typeof sorted[0] === "string";
          const declared = {
            lastName: { type: isText ? "string" : "number" },
            group: { type: "number" },
          } as const;
          const entities = await EntityClient.withNewRepository(
            context,
            databaseId,
            // A deployment may read declared fields in another way than undeclared fields.
            anyField && size % 2 === 0 ? {} : { schema: declared },
          );
          const known = new Map<string, { readonly lastName: string | number; readonly group: number }>();
          for (const [index, lastName] of sorted.entries()) {
            const data = { lastName, group: index % 3 === 0 ? 1 : 2 };
            const isUpdated = index % 4 === 0;
            const id = await entities.add(isUpdated ? { ...data, lastName: sorted.at(-1) } : data);
            // The order applies to the newest data.
            if (isUpdated) context.assertStatus("REPO-30", await entities.update(id, data), 200);
            known.set(id, data);
          }
          const filter = filtered ? { filter: "group = :group", filterValues: { ":group": 2 } } : {};
          const expected = [...known].filter(([, { group }]) => !filtered || group === 2).map(([id]) => id);
          for (const sortOrder of [undefined, "desc"]) {
            const order = sortOrder === undefined ? {} : { sortOrder };
            const { ids, entries } = await entities.pages({ ...filter, sortBy: "lastName", ...order }, size);
            const returned = entries.map(({ data }) => data.lastName as string | number);
            const isEachPair = (holds: (before: string | number, after: string | number) => boolean) =>
              returned.every((value, index) => index === 0 || holds(returned[index - 1] ?? value, value));
            // The specification does not say which order is the default.
            const isSorted =
              isEachPair((before, after) => before >= after) ||
              (sortOrder === undefined && isEachPair((before, after) => before <= after));
            const direction = sortOrder === undefined ? "in either order" : "in descending order";
            context.assert("REPO-38", isSorted, `the entities sorted by lastName ${direction}`, returned);
            const clause = filtered ? "REPO-36" : "GEN-04";
            assertEachListedOnce(context, clause, ids, expected, "the entities that match the query");
          }
          await context.resources.remove("repository", entities.repositoryId);
        },
        {
          share: 0.3,
          examples: [
            { sorted: [100, 9, 10, 11, 2, -9, -1.5, 0.5, 1000, 99, 0], size: 4, filtered: false },
            { sorted: ["b", "a", "ba", "ab", "aa", "zz", "c", "z", "", "a", "b"], size: 3, filtered: false },
            { sorted: [13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1], size: 20, filtered: false },
            { sorted: [5, 1, 5, 1, 5, 1, 3, 3, 3, 4, 2, 2], size: 3, filtered: true },
            {
              sorted: [1, 3, 2, 5, 4, 7, 6, 9, 8, 0].map((cents) => 1234567.8 + cents / 100),
              size: 20,
              filtered: false,
            },
          ],
        },
      );
    },
  },
);
