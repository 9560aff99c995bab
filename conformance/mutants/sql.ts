import { isLosslessNumber, LosslessNumber } from "lossless-json";
import type { ClauseId } from "../../openapi/clauses/register.js";
import type { OperationId } from "../../openapi/operations/register.js";
import {
  type AnyJson,
  type InterceptedResponse,
  type InterceptedRequest,
  type Interceptor,
  omitFields,
  changeBody,
  createSuccessResponse,
  usesApiKey,
} from "./intercept.js";
import { type Mutant, createMutantBuilder } from "./mutant.js";
import { tampers } from "./tampers.js";

const endpoints: readonly OperationId[] = ["runSqlQuery", "executeSql"];

/** Creates a refusal by the SQL interface. */
export function createSqlErrorResponse(code = "SQL_VALIDATION_ERROR"): InterceptedResponse {
  return createSuccessResponse({ code, message: "refused", details: "refused" }, 400);
}

/** The response to a write. */
const writeResponse = createSuccessResponse({
  rows: [],
  rowCount: 1,
  columns: [],
  nextPageToken: null,
  executionTimeMs: 0,
});
const definitionResponse = createSuccessResponse({ success: true, message: "done", affectedRows: 0 });

export const getSqlText = (request: InterceptedRequest): string => String(request.body?.sql ?? "");
const listParameterValues = (request: InterceptedRequest): AnyJson[] =>
  Object.values(request.body?.parameters ?? {});

/** Sends the request with a different statement and different values for its markers. */
export function sendSql(
  request: InterceptedRequest,
  sql: string,
  values: readonly AnyJson[] = listParameterValues(request),
): Promise<InterceptedResponse> {
  const parameters = Object.fromEntries(
    values.map((value, index) => [`p${String(index).padStart(3, "0")}`, value]),
  );
  return request.send({
    body: { ...omitFields(request.body, "parameters"), sql, ...(values.length === 0 ? {} : { parameters }) },
  });
}

/** Sends other statements instead of refused statements. */
function retryRefused(pattern: RegExp, replacement: string): Interceptor {
  return tampers.replaceResponse(
    ({ status }, request) => status === 400 && pattern.test(getSqlText(request)),
    (request) => sendSql(request, getSqlText(request).replace(pattern, replacement)),
  );
}

/** Changes the responses to matching statements. */
export function changeSqlResponse(pattern: RegExp, change: (body: AnyJson) => unknown): Interceptor {
  return tampers.changeResponseBody((body, request) => {
    if (pattern.test(getSqlText(request))) change(body);
  });
}

/** Answers matching statements without executing them. */
export function fakeSqlResponse(pattern: RegExp, response: InterceptedResponse): Interceptor {
  return tampers.respondToRequest((request) => pattern.test(getSqlText(request)), response);
}

/** Changes the values of columns of a type in the rows of SELECTs. */
export function changeSqlValues(
  type: RegExp,
  change: (value: AnyJson, type: string) => AnyJson,
): Interceptor {
  return changeSqlResponse(/^SELECT/, (body) => {
    for (const { name, type: seen } of body.columns)
      if (type.test(seen))
        for (const row of body.rows) if (row[name] !== null) row[name] = change(row[name], seen);
  });
}

/** Omits the last comparison of a WHERE with several comparisons, with its value. */
function dropLastCondition(pattern: RegExp): Interceptor {
  const last = / AND \w+ [<>=]+ \?$/;
  return tampers.respondToRequest(
    (request) => pattern.test(getSqlText(request)) && last.test(getSqlText(request)),
    (request) =>
      sendSql(request, getSqlText(request).replace(last, ""), listParameterValues(request).slice(0, -1)),
  );
}

export const toNumber = (value: AnyJson): number =>
  isLosslessNumber(value) ? Number(value.value) : Number(value);

export type Row = Readonly<Record<string, AnyJson>>;

/** Sends other statements instead of matching statements. */
const rewriteStatement = (
  ...[pattern, replacement]: [RegExp, string | ((...matched: string[]) => string)]
): Interceptor => tampers.rewriteText("sql", pattern, replacement);

const mutant = createMutantBuilder({
  rewriteStatement,
  retryRefused,
  changeSqlResponse,
  fakeSqlResponse,
  changeSqlValues,
  dropLastCondition,
  widenColumn,
});

const roundToDouble = (value: AnyJson): LosslessNumber =>
  new LosslessNumber(BigInt(toNumber(value)).toString());

/** Ways in which values of some types are changed. */
const lossyConversions: readonly (readonly [
  name: string,
  ClauseId,
  type: RegExp,
  change: (value: AnyJson) => AnyJson,
])[] = [
  ["texts-composed", "SQL-33", /^VARCHAR$/, (text) => text.normalize("NFC")],
  ["longs-are-doubles", "SQL-35", /^BIGINT$/, roundToDouble],
  ["doubles-of-15", "SQL-36", /^DOUBLE$/, (value) => Number(toNumber(value).toPrecision(15))],
  ["decimals-are-doubles", "SQL-37", /^DECIMAL$/, toNumber],
  ["false-is-null", "SQL-38", /^BOOLEAN$/, (value) => (value === false ? null : value)],
  ["instants-skip-an-hour", "SQL-39", /^TIMESTAMP$/, (text) => text.replace("-10T02:", "-10T03:")],
  ["instants-of-minutes", "SQL-39", /^TIMESTAMP$/, (text) => text.replace(/:\d\d\.\d+Z/, ":00Z")],
  [
    "bytes-are-text",
    "SQL-40",
    /^BLOB$/,
    (text) => Buffer.from(Buffer.from(text, "base64").toString("utf8")).toString("base64"),
  ],
  ["uuids-of-version-4", "SQL-41", /UUID$/, (text) => `${text.slice(0, 14)}4${text.slice(15)}`],
  ["lists-are-sets", "SQL-42", /^LIST<(INT|VARCHAR)>/, (items) => [...new Set(items)]],
  ["elements-roundToDouble", "SQL-42", /<BIGINT>/, (items) => items.map(roundToDouble)],
  ["maps-without-empty", "SQL-42", /^MAP</, (map) => omitFields(map, "")],
];

/** Faults in the SQL interface. */
export const sqlMutants: readonly Mutant[] = [
  mutant("sql/row-count-at-least-one", "SQL-02", "runSqlQuery").changeSqlResponse(/^SELECT/, (body) => {
    body.rowCount = Math.max(body.rowCount, 1);
  }),
  mutant("sql/column-forgotten", "SQL-03", "runSqlQuery").changeSqlResponse(/^SELECT/, (body) => {
    if (body.columns.length > 2) body.columns.pop();
  }),
  mutant("sql/no-line-breaks", "SQL-04", "runSqlQuery").fakeSqlResponse(/.\n./, createSqlErrorResponse()),
  mutant("sql/no-comparison-without-blanks", "SQL-04", "runSqlQuery").fakeSqlResponse(
    /\w=['\d]/,
    createSqlErrorResponse(),
  ),
  mutant("sql/no-joins-in-texts", "SQL-04", "runSqlQuery").fakeSqlResponse(
    /\bjoin\b/i,
    createSqlErrorResponse(),
  ),
  mutant("sql/no-column-named-updated", "SQL-43", "runSqlQuery").respondToRequest(
    (request) => usesApiKey(request) && /^SELECT.*update/i.test(getSqlText(request)),
    createSqlErrorResponse("ACCESS_DENIED"),
  ),
  mutant("sql/no-delete", "SQL-04", "runSqlQuery").fakeSqlResponse(/^DELETE/, createSqlErrorResponse()),
  mutant("sql/query-pretends-alter", "SQL-05", "runSqlQuery").fakeSqlResponse(/^ALTER/, writeResponse),
  mutant("sql/no-drop-index", "SQL-06", "executeSql").fakeSqlResponse(
    /^DROP INDEX/,
    createSqlErrorResponse(),
  ),
  mutant("sql/runs-each-of-several-statements", "SQL-44", "runSqlQuery").by(async (request) => {
    const { credential, memory, path } = request;
    const [first = "", second = ""] = getSqlText(request).split("; ");
    if (second === "") {
      const response = await request.send();
      if (first.startsWith("INSERT") && response.status === 200) memory.set(path.databaseId, credential);
      return response;
    }
    const changes = { credential: memory.get(path.databaseId) as string };
    await request.send({ ...changes, body: { sql: second } });
    return request.send({ body: { sql: first } });
  }),
  ...(["runSqlQuery", "executeSql", "getSqlTableSchema"] as const).map((operation) =>
    mutant(`isolation/tables-of-any-database-in-${operation}`, "GEN-05", [operation, "executeSql"]).by(
      async (request) => {
        const { body, credential, memory, operationId, path } = request;
        const { tableName = getSqlText(request) } = path;
        const [qualified = "", databaseId, name = ""] = /"([^"]+)"\."([^"]+)"/.exec(tableName) ?? [];
        if (databaseId === undefined || operationId !== operation) {
          const response = await request.send();
          if (response.status === 200) memory.keepFirst(path.databaseId, credential);
          return response;
        }
        return request.send({
          path: { databaseId, tableName: name },
          credential: memory.get(databaseId) as string,
          ...(body !== undefined && { body: { sql: tableName.replace(qualified, name) } }),
        });
      },
    ),
  ),
  mutant("sql/execute-pretends-insert", "SQL-07", "executeSql").fakeSqlResponse(
    /^INSERT/,
    definitionResponse,
  ),
  mutant("sql/pasted", "SQL-09", "runSqlQuery").by((request) => {
    const values = listParameterValues(request);
    const others = values.filter((value) => typeof value !== "string");
    const pasted = getSqlText(request).replace(/\?/g, () => {
      const value = values.shift();
      return typeof value === "string" ? `'${value}'` : "?";
    });
    return sendSql(request, pasted, others);
  }),
  mutant("sql/markers-beyond-ten-by-name", "SQL-09", "runSqlQuery").by((request) => {
    const values = listParameterValues(request);
    const places = Object.keys(values).sort().map(Number);
    return sendSql(
      request,
      getSqlText(request),
      places.map((place) => values[place]),
    );
  }),
  mutant("sql/insert-in-table-order", "SQL-10", "runSqlQuery").rewriteStatement(
    /^(INSERT INTO \w+) \(([^)]*)\)/,
    (_, head: string, names: string) => `${head} (${names.split(", ").sort().join(", ")})`,
  ),
  ...(
    [
      ["INSERT", "SQL-10"],
      ["UPDATE", "SQL-11"],
    ] as const
  ).map(([verb, clause]) =>
    mutant(`sql/concurrent-${verb}-lost`, clause, "runSqlQuery").by(async (request) => {
      if (!getSqlText(request).startsWith(verb)) return request.send();
      if (request.memory.get() === true) return writeResponse;
      request.memory.set(undefined, true);
      return Promise.resolve(request.send()).finally(() => request.memory.set(undefined, false));
    }),
  ),
  mutant("sql/update-too-wide", "SQL-11", "runSqlQuery").dropLastCondition(/^UPDATE/),
  mutant("sql/delete-too-wide", "SQL-12", "runSqlQuery").dropLastCondition(/^DELETE/),
  mutant("sql/delete-spares", "SQL-12", "runSqlQuery").rewriteStatement(/^(DELETE .*)>=/s, "$1>"),
  mutant("sql/less-or-equal", "SQL-13", "runSqlQuery").rewriteStatement(/^(SELECT .*)<=/s, "$1<"),
  mutant("sql/greater", "SQL-13", "runSqlQuery").rewriteStatement(/^(SELECT .*)>(?!=)/s, "$1>="),
  mutant("sql/index-stale", "SQL-14", "runSqlQuery").cacheSuccess((request) =>
    / WHERE \w+ = \?$/.test(getSqlText(request)) ? request.body : undefined,
  ),
  mutant("sql/descending-forgotten", "SQL-15", "runSqlQuery").rewriteStatement(/ DESC/, " ASC"),
  mutant("sql/one-direction", "SQL-15", "runSqlQuery").rewriteStatement(/( ASC, \w+) DESC/, "$1 ASC"),
  mutant("sql/any-order-taken", "SQL-16", "runSqlQuery").retryRefused(
    / ORDER BY (\w+)( ASC| DESC)?(, \w+)?/,
    "",
  ),
  mutant("sql/limit-from-ten-plus-one", "SQL-17", "runSqlQuery").rewriteStatement(
    / LIMIT (\d{2,})$/,
    (_, count) => ` LIMIT ${Number(count) + 1}`,
  ),
  mutant("sql/count-ignores-where", "SQL-18", "runSqlQuery").respondToRequest(
    (request) => getSqlText(request).startsWith("SELECT COUNT"),
    (request) => sendSql(request, getSqlText(request).replace(/ WHERE .*/s, ""), []),
  ),
  mutant("sql/key-cut-off", "SQL-19", "executeSql").rewriteStatement(
    /PRIMARY KEY \((\w+), (\w+), \w+\)/,
    "PRIMARY KEY ($1, $2)",
  ),
  mutant("sql/left-join-ignored", "SQL-20", "runSqlQuery").retryRefused(/ LEFT JOIN .*/s, ""),
  mutant("sql/subquery-ignored", "SQL-21", "runSqlQuery").retryRefused(/ WHERE \w+ IN \(SELECT .*/s, ""),
  mutant("sql/group-ignored", "SQL-22", "runSqlQuery").retryRefused(/^(SELECT \w+ .*) GROUP BY \w+/s, "$1"),
  mutant("sql/sums-in-select", "SQL-23", "runSqlQuery").retryRefused(/SELECT (\w+) \+ \w+/, "SELECT $1"),
  mutant("sql/max-counts", "SQL-24", "runSqlQuery").retryRefused(/MAX\((\w+)\)/i, "COUNT($1)"),
  mutant("sql/page-token-ignored", "SQL-25", "runSqlQuery").ignoreFields(["pageToken"]),
  mutant("sql/limit-caps-count", "SQL-18", "runSqlQuery").replaceField("rows.*.*", (count, { body }) =>
    /^SELECT COUNT/i.test(body.sql) ? Math.min(count, body.limit ?? Infinity) : count,
  ),
  mutant("sql/select-ends-after-60", "SQL-26", "runSqlQuery").endList("rows", "nextPageToken", 60),
  mutant("sql/creation-times-unset", "GEN-01", "listSqlTables").replaceField(
    "tables.*.createdAt",
    "0001-01-01T00:00:00Z",
  ),
  mutant("sql/select-ends-at-megabyte", "SQL-26", "runSqlQuery").by(
    changeSqlResponse(/^SELECT \*/, (body) => {
      while (JSON.stringify(body.rows).length > 1e6) body.rows.pop();
      body.rowCount = body.rows.length;
    }),
  ),
  mutant("sql/page-begins-with-row-before", "SQL-26", "runSqlQuery").changeResponseBody((body, request) => {
    const before: unknown = request.memory.get(String(request.body.pageToken));
    if (typeof body.nextPageToken === "string") request.memory.set(body.nextPageToken, body.rows.at(-1));
    if (before !== undefined && body.rows.length > 1) body.rows[0] = before;
  }),
  mutant("sql/list-shows-other-databases", "SQL-27", "listSqlTables").accumulateList("tables", "name"),
  mutant("sql/table-row-count-never-falls", "SQL-28", "listSqlTables").neverLowerField(
    "tables.*.rowCount",
    (_, { name }) => name,
  ),
  mutant("sql/all-columns-nullable", "SQL-30", "getSqlTableSchema").replaceField(
    "columns.*.isNullable",
    true,
  ),
  mutant("sql/clustering-keys-sorted", "SQL-31", "getSqlTableSchema").replaceField(
    "primaryKey.clusteringKeys",
    (names) => names.sort(),
  ),
  mutant("sql/index-columns-sorted", "SQL-32", "getSqlTableSchema").replaceField(
    "indexes.*.columns",
    (names) => names.sort(),
  ),
  mutant("sql/bytes-are-shorts", "SQL-34", endpoints).widenColumn(
    /\bv (TINYINT|BYTE)\b/,
    "SMALLINT",
    "TINYINT",
  ),
  ...lossyConversions.map(([name, clause, type, change]) =>
    mutant(`sql/${name}`, clause, "runSqlQuery").changeSqlValues(type, change),
  ),
  mutant("sql/floats-are-doubles", "SQL-36", "executeSql").rewriteStatement(/\b(FLOAT|REAL)\b/g, "DOUBLE"),
  ...(
    [
      ["SQL-39", "DATE", /\bv (DATE)\b/],
      ["SQL-39", "TIME", /\bv (TIME)\b/],
      ["SQL-39", "TIMESTAMP", /\bv (TIMESTAMP|DATETIME)\b/],
      ["SQL-41", "UUID", /\bv (UUID|GUID)\b/],
    ] as const
  ).map(([clause, type, column]) =>
    mutant(`sql/any-text-as-${type.toLowerCase()}`, clause, endpoints).widenColumn(column, "VARCHAR", type),
  ),
  mutant("sql/keys-do-not-count", "SQL-43", "runSqlQuery").respondToRequest(
    (request) => getSqlText(request).startsWith("SELECT COUNT") && usesApiKey(request),
    createSqlErrorResponse("ACCESS_DENIED"),
  ),
  mutant("sql/error-without-details", "SQL-46", "runSqlQuery").replaceResponse(
    ({ body }) => body?.code === "TABLE_NOT_FOUND",
    (_, response) => ({ ...response, body: omitFields(response.body, "details") }),
  ),
  mutant("sql/garbage-taken", "SQL-47", "runSqlQuery").retryRefused(/ \) (?!VALUES)/, " "),
  mutant("sql/refused-update-begun", "SQL-48", "runSqlQuery").runAfterResponse(400, (request) =>
    request.send({ body: { sql: getSqlText(request).replace(/^(UPDATE .*), v = \?/, "$1") } }),
  ),
  mutant("sql/delete-from-no-table-accepted", "SQL-49", "runSqlQuery").replaceResponse(
    ({ body }, request) => body?.code === "TABLE_NOT_FOUND" && getSqlText(request).startsWith("DELETE"),
    () => writeResponse,
  ),
  mutant("sql/no-database-has-no-tables", "SQL-50", "listSqlTables").replaceResponse(
    ({ body }) => body?.code === "DATABASE_NOT_FOUND",
    () => createSuccessResponse({ tables: [] }),
  ),
  mutant("sql/schema-path-unknown", "SQL-51", "getSqlTableSchema").rejectRequests(() => true, 404),
  mutant("sql/doubled-quotes-refused", "SQL-04", "runSqlQuery").fakeSqlResponse(
    /^INSERT .*''/,
    createSqlErrorResponse("SQL_SYNTAX_ERROR"),
  ),
  mutant("sql/drop-empties-longer-names", "SQL-28", "executeSql").by(async (request) => {
    const [, verb, name = ""] = /^(CREATE|DROP) TABLE (\w+)/.exec(getSqlText(request)) ?? [];
    const created: Map<string, string> = request.memory.keepFirst("created", new Map());
    if (verb === "CREATE") created.set(name, getSqlText(request));
    if (verb === "DROP")
      for (const [longer, statement] of created)
        if (longer !== name && longer.startsWith(name)) {
          await sendSql(request, `DROP TABLE ${longer}`);
          await sendSql(request, statement);
        }
    return request.send();
  }),
  mutant("sql/drop-column-pretended", "SQL-52", "executeSql").fakeSqlResponse(
    / DROP COLUMN /,
    definitionResponse,
  ),
];

/** Declares columns with a wider type, but shows the declared type. */
function widenColumn(declared: RegExp, wider: string, shown: string): Interceptor {
  return (request) =>
    changeBody(sendSql(request, getSqlText(request).replace(declared, `v ${wider}`)), ({ columns = [] }) => {
      for (const column of columns) if (column.name === "v" && column.type === wider) column.type = shown;
    });
}
