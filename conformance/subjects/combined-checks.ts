import fc from "fast-check";
import { type Check, defineChecks } from "../check/check.js";
import type { CheckContext } from "../check/context.js";
import { ItemClient } from "../steps/items/item-client.js";
import type { OperationId } from "../../openapi/operations/register.js";

type Fields = Readonly<Record<string, unknown>>;

/** Maximum number of combinations per kind of request. */
const samples = 40;

/** Generates objects with some of the fields, each with one of its values. */
function listCombinations(
  context: CheckContext,
  fields: Readonly<Record<string, readonly unknown[]>>,
): readonly Fields[] {
  const values = Object.entries(fields).map(([name, some]) => [name, fc.constantFrom(...some)] as const);
  const seed = context.seedFor(Object.keys(fields).join(" "));
  const drawn = fc.sample(fc.record(Object.fromEntries(values), { requiredKeys: [] }), {
    seed,
    numRuns: samples,
  });
  return [...new Map(drawn.map((one) => [JSON.stringify(one), one])).values()];
}

/** Maximum number of pages to read per list. */
const maxPages = 5;

/** Requests a page and the pages after it. */
async function requestAllPages(
  context: CheckContext,
  operationId: OperationId,
  path: Readonly<Record<string, string>>,
  body: Fields,
): Promise<void> {
  const isSql = operationId === "runSqlQuery";
  const isList = operationId.startsWith("list");
  let cursor: unknown;
  for (let page = 0; page < maxPages; page++) {
    const sent = cursor === undefined ? body : { ...body, [isSql ? "pageToken" : "cursor"]: cursor };
    const query = sent as Record<string, string | number>;
    const response = await context.call(operationId, {
      path,
      ...(isList ? { query } : { body: sent }),
      skipValidation: true,
    });
    cursor = (response.body as Fields | undefined)?.[isSql ? "nextPageToken" : "nextCursor"];
    if (typeof cursor !== "string") return;
  }
}

const words = ["b", "a", "ba", "c", "b:a", "", "é", "a#1"];
const limits = [1, 3, 100];
const filters = [{ even: true }, { n: { $gte: 3 } }, { word: "nobody" }];

/** Checks that send combinations of optional fields that other checks may never send together. */
export const combinedChecks: readonly Check[] = defineChecks(
  {
    id: "items/combined-queries",
    title: "Queries with combinations of optional fields",
    clauses: [],
    needs: ["database"],
    run: async (context: CheckContext) => {
      const items = await ItemClient.shared(context);
      const partitionKey = items.partition();
      await items.load(
        words.map((word, n) => ({
          pk: partitionKey,
          sk: word === "" ? null : word,
          data: { n, even: n % 2 === 0, word },
        })),
      );
      const conditions = ["=:b", "<:b", "<=:b", ">:a", ">=:b", "begins_with:b", "between:a:b"];
      for (const body of listCombinations(context, {
        sortKeyCondition: conditions,
        scanForward: [true, false],
        filterExpression: filters,
        limit: limits,
      }))
        await requestAllPages(
          context,
          "queryItems",
          { databaseId: items.databaseId },
          { partitionKey, ...body },
        );
    },
  },
  {
    id: "items/combined-scans",
    title: "Scans with combinations of optional fields",
    clauses: [],
    needs: ["database", "create-databases"],
    run: async (context: CheckContext) => {
      const { databaseId } = await context.resources.createDatabase();
      const items = new ItemClient(context, databaseId);
      await items.load(
        words.map((word, n) => ({
          pk: `p${word}`,
          sk: n % 3 === 0 ? null : word || "s",
          data: { n, even: n % 2 === 0 },
        })),
      );
      for (const body of listCombinations(context, { filterExpression: filters, limit: limits }))
        await requestAllPages(context, "scanItems", { databaseId }, body);
    },
  },
  {
    id: "items/combined-writes",
    title: "Puts, batches and transactions with combinations of optional fields",
    clauses: [],
    needs: ["database"],
    run: async (context: CheckContext) => {
      const items = await ItemClient.shared(context);
      const values = context.knownAnswers("condition-values") ?? "filterValues";
      const conditions = [
        { conditionExpression: "attribute_not_exists(pk)" },
        { conditionExpression: "attribute_exists(pk)" },
        { conditionExpression: "n >= :n", [values]: { ":n": 1 } },
      ];
      for (const { sk = null, condition = {}, exists } of listCombinations(context, {
        sk: ["s", "a:b"],
        condition: conditions,
        exists: [true],
      }) as readonly { sk?: string; condition?: Record<string, unknown>; exists?: true }[]) {
        const [put, batch, transacted] = ["p", "b", "t"].map((kind) => ({ pk: items.partition(kind), sk }));
        if (put === undefined || batch === undefined || transacted === undefined) return;
        const keys = [put, batch, transacted];
        if (exists) await items.load(keys.map((key) => ({ ...key, data: { n: 2, old: true } })));
        await items.put(put, { n: 3 }, condition, { intent: "valid" });
        await items.batchWrite([{ operation: "Put", ...batch, data: { n: 3 }, condition }]);
        for (const token of [undefined, context.resources.createName()])
          await items.transactWrite([{ action: "Put", ...transacted, data: { n: 3 }, condition }], token);
        for (const projection of [undefined, ["n"], ["n", "old"]])
          await items.transactGet(keys.map((key) => ({ ...key, ...(projection && { projection }) })));
        await items.batchGet(keys);
        await items.remove(put);
        await items.get(put);
      }
    },
  },
  {
    id: "entities/combined-queries",
    title: "Entity queries with combinations of optional fields",
    clauses: [],
    needs: ["repositories", "database"],
    run: async (context: CheckContext) => {
      const { resources } = context;
      const databaseId = await resources.getDatabase();
      const path = { repositoryId: await resources.createRepository(databaseId) };
      await resources.createRepository(databaseId);
      await requestAllPages(context, "listRepositories", { databaseId }, { limit: 1 });
      for (const [n, word] of words.entries())
        await context.call("createEntity", {
          path,
          body: { data: { n, word, even: n % 2 === 0, ...(n % 3 === 0 ? {} : { some: n % 4 }) } },
        });
      for (const { filtered, ...body } of listCombinations(context, {
        filtered: [
          { filter: "even = :even", filterValues: { ":even": true } },
          { filter: "word = :word", filterValues: { ":word": "nobody" } },
        ],
        limit: limits,
        sortBy: ["n", "word", "some", "createdAt"],
        sortOrder: ["asc", "desc"],
      }))
        await requestAllPages(context, "queryEntities", path, { ...(filtered as Fields), ...body });
      for (const query of listCombinations(context, { limit: limits }))
        await requestAllPages(context, "listEntities", path, query);
    },
  },
  {
    id: "sql/combined-queries",
    title: "SQL queries with combinations of optional fields",
    clauses: [],
    needs: ["sql", "database"],
    run: async (context: CheckContext) => {
      const path = { databaseId: await context.resources.getDatabase() };
      const table = await context.resources.createTable("p TEXT, n INT, userName TEXT, PRIMARY KEY (p, n)");
      // Parameters are bound in their order, regardless of their names.
      const insert = `INSERT INTO ${table} (p, n, userName) VALUES (?, ?, ?)`;
      for (let n = 0; n < 5; n++) {
        const parameters = n % 2 === 0 ? { a: "p", b: n, c: `v${n}` } : { n: "p", userName: n, p: `v${n}` };
        await context.call("runSqlQuery", { path, body: { sql: insert, parameters } });
      }
      const statements = [
        { sql: `SELECT * FROM ${table} WHERE p = ?`, parameters: { n: "p" } },
        { sql: `SELECT userName, N, P FROM ${table} WHERE P = 'p' AND n > 1 ORDER BY n DESC` },
        {
          sql: `SELECT username, n FROM ${table} WHERE p = ? AND N <= ? LIMIT 3`,
          parameters: { n: "p", p: 3 },
        },
        { sql: `SELECT COUNT(*) FROM ${table} WHERE p = ?`, parameters: { p: "p" } },
      ];
      for (const statement of statements)
        for (const body of listCombinations(context, { limit: limits }))
          await requestAllPages(context, "runSqlQuery", path, { ...statement, ...body });
      await context.call("listSqlTables", { path });
      await context.call("getSqlTableSchema", { path: { ...path, tableName: table } });
    },
  },
);
