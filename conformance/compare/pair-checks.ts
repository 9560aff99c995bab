import { type Check, defineChecks } from "../check/check.js";
import type { CheckContext } from "../check/context.js";
import { ItemCalls } from "../checks/items/item-calls.js";
import type { Call } from "../client/client.js";
import type { OperationId } from "../../openapi/operations/register.js";
import { coveringArray } from "../observe/covering-array.js";

/** Optional members of a request with values to try; `undefined` leaves one out. */
type Members = Readonly<Record<string, readonly unknown[]>>;

/** Objects in which any two values of any two members occur together. */
function combined(context: CheckContext, members: Members): readonly Readonly<Record<string, unknown>>[] {
  const names = Object.keys(members);
  const values = Object.values(members);
  const seed = context.seedFor(names.join(" "));
  const sizes = values.map(({ length }) => length);
  const rows =
    sizes.length > 1
      ? coveringArray(sizes, { seed })
      : ((sizes[0] === undefined ? [] : values[0]?.map((_, at) => [at])) ?? []);
  return rows.map((row) =>
    Object.fromEntries(
      names
        .map((name, at) => [name, values[at]?.[row[at] ?? 0]] as const)
        .filter(([, value]) => value !== undefined),
    ),
  );
}

/** Follows a list to its end, or as far as shows anything. */
async function walk(
  context: CheckContext,
  operationId: OperationId,
  call: Call,
  [parameter, answered]: readonly [string, string] = ["cursor", "nextCursor"],
): Promise<void> {
  let cursor: unknown;
  for (let page = 0; page < 5; page++) {
    const asked = cursor === undefined ? {} : { [parameter]: cursor };
    const next: Call =
      call.body === undefined
        ? { ...call, query: { ...call.query, ...asked } as Record<string, string> }
        : { ...call, body: { ...(call.body as object), ...asked } };
    const answer = await context.call(operationId, { ...next, unjudged: true });
    cursor = (answer.body as Readonly<Record<string, unknown>> | undefined)?.[answered];
    if (typeof cursor !== "string") return;
  }
}

const words = ["b", "a", "ba", "c", "b:a", "", "é", "a#1"];

/** A partition of items that any condition tells apart. */
async function partition(context: CheckContext): Promise<{ items: ItemCalls; pk: string }> {
  const items = await ItemCalls.shared(context);
  const pk = items.partition();
  await items.load(
    words.map((sk, n) => ({ pk, sk: sk === "" ? null : sk, data: { n, even: n % 2 === 0, word: sk } })),
  );
  return { items, pk };
}

const filters = [undefined, { even: true }, { n: { $gte: 3 } }, { word: "nobody" }];

/** Requests in which optional members stand together that the checks of the suite may never send together. */
export const pairChecks: readonly Check[] = defineChecks(
  {
    id: "items/pairs-of-query",
    title: "Queries with any two optional members together",
    clauses: [],
    needs: ["database"],
    run: async (context: CheckContext) => {
      const { items, pk } = await partition(context);
      const path = { databaseId: items.databaseId };
      const conditions = ["=:b", "<:b", "<=:b", ">:a", ">=:b", "begins_with:b", "between:a:b"];
      for (const members of combined(context, {
        sortKeyCondition: [undefined, ...conditions],
        scanForward: [undefined, true, false],
        filterExpression: filters,
        limit: [undefined, 1, 3, 100],
      }))
        await walk(context, "queryItems", { path, body: { partitionKey: pk, ...members } });
    },
  },
  {
    id: "items/pairs-of-scan",
    title: "Scans with any two optional members together",
    clauses: [],
    needs: ["database", "create-databases"],
    run: async (context: CheckContext) => {
      const { databaseId } = await context.resources.newDatabase();
      const items = new ItemCalls(context, databaseId);
      await items.load(
        words.map((pk, n) => ({
          pk: `p${pk}`,
          sk: n % 3 === 0 ? null : pk || "s",
          data: { n, even: n % 2 === 0 },
        })),
      );
      for (const members of combined(context, { filterExpression: filters, limit: [undefined, 1, 3, 100] }))
        await walk(context, "scanItems", { path: { databaseId }, body: members });
    },
  },
  {
    id: "items/pairs-of-put",
    title: "Puts and entries of batches and transactions with any two optional members together",
    clauses: [],
    needs: ["database"],
    run: async (context: CheckContext) => {
      const items = await ItemCalls.shared(context);
      const values = context.known("condition-values") ?? "filterValues";
      const conditions = [
        {},
        { conditionExpression: "attribute_not_exists(pk)" },
        { conditionExpression: "attribute_exists(pk)" },
        { conditionExpression: "n >= :n", [values]: { ":n": 1 } },
      ];
      for (const { sk = null, condition = {}, there } of combined(context, {
        sk: [undefined, "s", "a:b"],
        condition: conditions,
        there: [true, false],
      }) as readonly { sk?: string; condition?: object; there: boolean }[]) {
        const keys = ["p", "b", "t", "u"].map((kind) => ({ pk: items.partition(kind), sk }));
        if (there) await items.load(keys.map((key) => ({ ...key, data: { n: 2, old: true } })));
        const [put, batch, transacted, updated] = keys as [
          (typeof keys)[0],
          (typeof keys)[0],
          (typeof keys)[0],
          (typeof keys)[0],
        ];
        await items.put(put, { n: 3 }, condition as Record<string, unknown>, { intent: "valid" });
        await items.batchWrite([
          { operation: "Put", ...batch, data: { n: 3 }, condition: condition as Record<string, unknown> },
          { operation: "Delete", pk: batch.pk, sk: "other" },
        ]);
        for (const token of [undefined, context.resources.name()])
          await items.transactWrite(
            [
              {
                action: "Put",
                ...transacted,
                data: { n: 3 },
                condition: condition as Record<string, unknown>,
              },
              ...(there
                ? [
                    {
                      action: "Update" as const,
                      ...updated,
                      data: { n: 4 },
                      condition: condition as Record<string, unknown>,
                    },
                  ]
                : []),
            ],
            token,
          );
        for (const projection of [undefined, ["n"], ["n", "old"]])
          await items.transactGet(
            keys.map((key) => ({ ...key, ...(projection === undefined ? {} : { projection }) })),
            projection === undefined ? undefined : context.resources.name(),
          );
        await items.batchGet(keys);
        for (const key of keys) await items.get(key);
        await items.remove(put);
        await items.get(put);
      }
    },
  },
  {
    id: "entities/pairs-of-query",
    title: "Queries of entities with any two optional members together",
    clauses: [],
    needs: ["repositories", "database"],
    run: async (context: CheckContext) => {
      const { resources } = context;
      const repositoryId = await resources.newRepository(await resources.database());
      for (const [n, word] of words.entries())
        await context.call("createEntity", {
          path: { repositoryId },
          body: { data: { n, word, even: n % 2 === 0, ...(n % 3 === 0 ? {} : { some: n % 4 }) } },
        });
      const filtered = [
        {},
        { filter: "even = :even", filterValues: { ":even": true } },
        { filter: "word = :word", filterValues: { ":word": "nobody" } },
      ];
      for (const { filtered: chosen, ...members } of combined(context, {
        filtered,
        limit: [undefined, 2, 100],
        sortBy: [undefined, "n", "word", "some", "createdAt"],
        sortOrder: [undefined, "asc", "desc"],
      }))
        await walk(context, "queryEntities", {
          path: { repositoryId },
          body: { ...(chosen as object), ...members },
        });
      for (const limit of [undefined, 1, 3, 100])
        await walk(context, "listEntities", {
          path: { repositoryId },
          query: limit === undefined ? {} : { limit },
        });
    },
  },
  {
    id: "entities/pairs-of-definitions",
    title: "Fields of repositories with any two keys of a definition together",
    clauses: [],
    needs: ["repositories", "database"],
    run: async (context: CheckContext) => {
      const { resources } = context;
      const databaseId = await resources.database();
      const kinds: readonly (readonly [string, Members, readonly unknown[]])[] = [
        [
          "string",
          {
            required: [undefined, true],
            default: [undefined, "abc"],
            minLength: [undefined, 2],
            maxLength: [undefined, 4],
            pattern: [undefined, "^a"],
          },
          ["abc", "a", "abcdef", "bcd", 1, null],
        ],
        [
          "number",
          { required: [undefined, true], default: [undefined, 5], min: [undefined, 2], max: [undefined, 9] },
          [5, 1, 10, "5", 2.5],
        ],
        ["boolean", { required: [undefined, true], default: [undefined, true] }, [true, false, "true"]],
        [
          "array",
          {
            required: [undefined, true],
            items: [undefined, { type: "number" }],
            minItems: [undefined, 1],
            maxItems: [undefined, 2],
          },
          [[], [1], [1, 2, 3], ["a"], {}],
        ],
        [
          "object",
          {
            required: [undefined, true],
            properties: [undefined, { in: { type: "number", required: true } }],
          },
          [{}, { in: 1 }, { in: "1" }, []],
        ],
      ];
      for (const [type, members, values] of kinds)
        for (const definition of combined(context, members)) {
          const repositoryId = await resources.newRepository(databaseId, {
            schema: { f: { type, ...definition } },
          } as never);
          await context.call("getRepository", { path: { databaseId, repositoryId } });
          for (const data of [{}, ...values.map((f) => ({ f }))])
            await context.call("createEntity", { path: { repositoryId }, body: { data }, unjudged: true });
          await walk(context, "listEntities", { path: { repositoryId } });
          await resources.remove("repository", repositoryId);
        }
    },
  },
  {
    id: "databases/pairs-of-lists",
    title: "Lists of databases and repositories, page by page",
    clauses: [],
    needs: ["create-databases", "repositories"],
    run: async (context: CheckContext) => {
      const { resources } = context;
      let databaseId = "";
      for (let made = 0; made < 3; made++) ({ databaseId } = await resources.newDatabase());
      for (let made = 0; made < 3; made++) await resources.newRepository(databaseId);
      for (const limit of [undefined, 1, 2, 100]) {
        const query = limit === undefined ? {} : { limit };
        await walk(context, "listDatabases", { query });
        await walk(context, "listRepositories", { path: { databaseId }, query });
      }
    },
  },
  {
    id: "organizations/pairs-of-members",
    title: "New and changed organizations with any two optional members together",
    clauses: [],
    needs: ["create-organizations"],
    run: async (context: CheckContext) => {
      const { resources } = context;
      for (const { slug, ...members } of combined(context, {
        slug: [undefined, true],
        billingEmail: [undefined, "billing@certify.example"],
      })) {
        const name = resources.name();
        const made = await resources.make({ kind: "organization", name }, "organizationId", () =>
          context.call("createOrganization", {
            body: { name, ...(slug === true ? { slug: `s-${name}` } : {}), ...members },
          }),
        );
        const { organizationId = "" } = (made.body ?? {}) as { readonly organizationId?: string };
        const path = { organizationId };
        for (const body of combined(context, {
          name: [undefined, `${name} b`],
          billingEmail: [undefined, "other@certify.example"],
          settings: [undefined, {}, { requireMfa: true }, { requireMfa: false }],
        })) {
          await context.call("updateOrganization", { path, body, unjudged: true });
          await context.call("getOrganization", { path });
        }
      }
      await context.call("listOrganizations");
    },
  },
  {
    id: "sql/pairs-of-query",
    title: "SQL queries with any two optional members together",
    clauses: [],
    needs: ["sql", "database"],
    run: async (context: CheckContext) => {
      const { resources } = context;
      const path = { databaseId: await resources.database() };
      const table = await resources.newTable("p TEXT, n INT, v TEXT, PRIMARY KEY (p, n)");
      for (let n = 0; n < 5; n++)
        await context.call("runSqlQuery", {
          path,
          body: {
            sql: `INSERT INTO ${table} (p, n, v) VALUES (?, ?, ?)`,
            parameters: { a: "p", b: n, c: `v${n}` },
          },
        });
      const statements = [
        { sql: `SELECT * FROM ${table} WHERE p = ?`, parameters: { a: "p" } },
        { sql: `SELECT n FROM ${table} WHERE p = 'p' AND n > 1 ORDER BY n DESC` },
        {
          sql: `SELECT v FROM ${table} WHERE p = ? AND n <= ? ORDER BY n ASC LIMIT 3`,
          parameters: { a: "p", b: 3 },
        },
        { sql: `SELECT COUNT(*) FROM ${table} WHERE p = ?`, parameters: { a: "p" } },
      ];
      for (const statement of statements)
        for (const limit of [undefined, 1, 2, 100])
          await walk(
            context,
            "runSqlQuery",
            { path, body: { ...statement, ...(limit === undefined ? {} : { limit }) } },
            ["pageToken", "nextPageToken"],
          );
      await context.call("listSqlTables", { path });
      await context.call("getSqlTableSchema", { path: { ...path, tableName: table } });
    },
  },
);
