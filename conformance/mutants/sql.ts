import { isLosslessNumber, LosslessNumber } from "lossless-json";
import type { ClauseId } from "../../openapi/clauses/register.js";
import type { OperationId } from "../../openapi/operations/register.js";
import {
  type AnyJson,
  type InterceptedResponse,
  type InterceptedRequest,
  omitFields,
  changeBody,
  copyJson,
} from "./intercept.js";
import { type Mutant, createMutantBuilder } from "./mutant.js";
import {
  type InterceptorFactory,
  createSuccessResponse,
  changeResponseBody,
  replaceField,
  replaceResponse,
  answerRequest,
  usesApiKey,
} from "./tampers.js";

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

export const getSqlText = (wire: InterceptedRequest): string => String(wire.body?.sql ?? "");
const listParameterValues = (wire: InterceptedRequest): AnyJson[] =>
  Object.values(wire.body?.parameters ?? {});

/** Sends the request with a different statement and different values for its markers. */
export function sendSql(
  wire: InterceptedRequest,
  sql: string,
  values: readonly AnyJson[] = listParameterValues(wire),
): Promise<InterceptedResponse> {
  const parameters = Object.fromEntries(
    values.map((value, index) => [`p${String(index).padStart(3, "0")}`, value]),
  );
  return wire.send({
    body: { ...omitFields(wire.body, "parameters"), sql, ...(values.length === 0 ? {} : { parameters }) },
  });
}

/** Sends other statements instead of matching statements. */
function rewriteStatement(
  pattern: RegExp,
  replacement: string | ((...matched: string[]) => string),
): InterceptorFactory {
  return answerRequest(
    (wire) => pattern.test(getSqlText(wire)),
    // The overloads of `replace` do not accept a union of text and function.
    (wire) => sendSql(wire, getSqlText(wire).replace(pattern, replacement as string)),
  );
}

/** Sends other statements instead of refused statements. */
function retryRefused(pattern: RegExp, replacement: string): InterceptorFactory {
  return replaceResponse(
    ({ status }, wire) => status === 400 && pattern.test(getSqlText(wire)),
    (wire) => sendSql(wire, getSqlText(wire).replace(pattern, replacement)),
  );
}

/** Changes the responses to matching statements. */
export function changeSqlResponse(
  pattern: RegExp,
  change: (body: AnyJson, wire: InterceptedRequest) => void,
): InterceptorFactory {
  return changeResponseBody((body, wire) => {
    if (pattern.test(getSqlText(wire))) change(body, wire);
  });
}

/** Answers matching statements without executing them. */
export function fakeSqlResponse(
  pattern: RegExp,
  response: InterceptedResponse,
  isAffected: (wire: InterceptedRequest) => boolean = () => true,
): InterceptorFactory {
  return answerRequest(
    (wire) => pattern.test(getSqlText(wire)) && isAffected(wire),
    () => response,
  );
}

/** Replaces refusals of matching statements that have the given code. */
function replaceSqlError(code: string, pattern: RegExp, response: InterceptedResponse): InterceptorFactory {
  return replaceResponse(
    ({ body }, wire) => body?.code === code && pattern.test(getSqlText(wire)),
    () => response,
  );
}

/** Binds other values instead of the given values. */
function changeSqlParameters(
  change: (values: AnyJson[], wire: InterceptedRequest) => readonly AnyJson[],
): InterceptorFactory {
  return () => (wire) => sendSql(wire, getSqlText(wire), change(listParameterValues(wire), wire));
}

/** Changes the values of columns of a type in the rows of SELECTs. */
export function changeSqlValues(
  type: RegExp,
  change: (value: AnyJson, type: string) => AnyJson,
): InterceptorFactory {
  return changeSqlResponse(/^SELECT/, (body) => {
    for (const { name, type: seen } of body.columns)
      if (type.test(seen))
        for (const row of body.rows) if (row[name] !== null) row[name] = change(row[name], seen);
  });
}

/** Omits the last comparison of a WHERE with several comparisons, with its value. */
function dropLastCondition(pattern: RegExp): InterceptorFactory {
  const last = / AND \w+ [<>=]+ \?$/;
  return answerRequest(
    (wire) => pattern.test(getSqlText(wire)) && last.test(getSqlText(wire)),
    (wire) => sendSql(wire, getSqlText(wire).replace(last, ""), listParameterValues(wire).slice(0, -1)),
  );
}

export const toNumber = (value: AnyJson): number =>
  isLosslessNumber(value) ? Number(value.value) : Number(value);

const findTableName = (sql: string): string =>
  / (?:FROM|INTO|UPDATE|TABLE|ON) (\w+)/.exec(` ${sql}`)?.[1] ?? "";

export type Row = Readonly<Record<string, AnyJson>>;

const mutant = createMutantBuilder({
  rewriteStatement,
  retryRefused,
  changeSqlResponse,
  fakeSqlResponse,
  replaceSqlError,
  changeSqlParameters,
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
  mutant("sql/no-delete", "SQL-04", "runSqlQuery").fakeSqlResponse(/^DELETE/, createSqlErrorResponse()),
  mutant("sql/query-pretends-alter", "SQL-05", "runSqlQuery").fakeSqlResponse(/^ALTER/, writeResponse),
  mutant("sql/no-drop-index", "SQL-06", "executeSql").fakeSqlResponse(
    /^DROP INDEX/,
    createSqlErrorResponse(),
  ),
  mutant("sql/execute-pretends-insert", "SQL-07", "executeSql").fakeSqlResponse(
    /^INSERT/,
    definitionResponse,
  ),
  mutant("sql/pasted", "SQL-09", "runSqlQuery").by(() => (wire) => {
    const values = listParameterValues(wire);
    if (!values.some((value) => typeof value === "string" && value.includes("'"))) return wire.send();
    const rest = values.filter((value) => typeof value !== "string");
    let at = 0;
    const pasted = getSqlText(wire).replace(/\?/g, () => {
      const value = values[at++];
      return typeof value === "string" ? `'${value}'` : "?";
    });
    return sendSql(wire, pasted, rest);
  }),
  mutant("sql/markers-beyond-ten-by-name", "SQL-09", "runSqlQuery").changeSqlParameters((values) =>
    Object.keys(values)
      .sort()
      .map((place) => values[Number(place)]),
  ),
  mutant("sql/insert-in-table-order", "SQL-10", "runSqlQuery").rewriteStatement(
    /^(INSERT INTO \w+) \(([^)]*)\)/,
    (_, head: string, names: string) => `${head} (${names.split(", ").sort().join(", ")})`,
  ),
  mutant("sql/update-too-wide", "SQL-11", "runSqlQuery").dropLastCondition(/^UPDATE/),
  mutant("sql/delete-too-wide", "SQL-12", "runSqlQuery").dropLastCondition(/^DELETE/),
  mutant("sql/delete-spares", "SQL-12", "runSqlQuery").rewriteStatement(/^(DELETE .*)>=/s, "$1>"),
  mutant("sql/less-or-equal", "SQL-13", "runSqlQuery").rewriteStatement(/^(SELECT .*)<=/s, "$1<"),
  mutant("sql/greater", "SQL-13", "runSqlQuery").rewriteStatement(/^(SELECT .*)>(?!=)/s, "$1>="),
  mutant("sql/index-stale", "SQL-14", "runSqlQuery").by(() => {
    const first = new Map<string, AnyJson>();
    return changeSqlResponse(/ WHERE \w+ = \?$/, (body, wire) => {
      const asked = JSON.stringify(wire.body);
      if (!first.has(asked)) first.set(asked, copyJson(body));
      Object.assign(body, first.get(asked));
    })();
  }),
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
  mutant("sql/count-ignores-where", "SQL-18", "runSqlQuery").by(
    () => (wire) =>
      getSqlText(wire).startsWith("SELECT COUNT")
        ? sendSql(wire, getSqlText(wire).replace(/ WHERE .*/s, ""), [])
        : wire.send(),
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
  mutant("sql/page-token-ignored", "SQL-25", "runSqlQuery").ignoreField("pageToken"),
  mutant("sql/limit-caps-count", "SQL-18", "runSqlQuery").changeResponseBody((body, wire) => {
    const { sql, limit } = wire.body;
    if (!/^SELECT COUNT/i.test(sql) || limit === undefined) return;
    for (const row of body.rows)
      for (const name of Object.keys(row)) row[name] = Math.min(row[name], Number(limit));
  }),
  mutant("sql/select-ends-after-60", "SQL-26", "runSqlQuery").endList("rows", "nextPageToken", 60),
  mutant("sql/page-begins-with-row-before", "SQL-26", "runSqlQuery").by(() => {
    const last = new Map<string, AnyJson>();
    return async (wire) =>
      changeBody(await wire.send(), (body) => {
        const before = last.get(String(wire.body.pageToken));
        if (typeof body.nextPageToken === "string") last.set(body.nextPageToken, body.rows.at(-1));
        if (before !== undefined && body.rows.length > 1) body.rows[0] = before;
      });
  }),
  mutant("sql/list-shows-other-databases", "SQL-27", "listSqlTables").accumulateList("tables", "name"),
  mutant("sql/table-row-count-never-falls", "SQL-28", "listSqlTables").by(() => {
    const most = new Map<string, number>();
    return replaceField("tables.*", (table) => {
      most.set(table.name, Math.max(table.rowCount, most.get(table.name) ?? 0));
      return { ...table, rowCount: most.get(table.name) };
    })();
  }),
  mutant("sql/all-columns-nullable", "SQL-30", "getSqlTableSchema").replaceField(
    "columns.*.isNullable",
    true,
  ),
  mutant("sql/clustering-keys-in-column-order", "SQL-31", "getSqlTableSchema").changeResponseBody((body) => {
    const place = (name: string) => body.columns.findIndex((column: Row) => column.name === name);
    body.primaryKey.clusteringKeys.sort((a: string, b: string) => place(a) - place(b));
  }),
  mutant("sql/index-columns-sorted", "SQL-32", "getSqlTableSchema").replaceField(
    "indexes.*.columns",
    (columns) => columns.sort(),
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
  mutant("sql/keys-do-not-count", "SQL-43", "runSqlQuery").fakeSqlResponse(
    /^SELECT COUNT/,
    createSqlErrorResponse("ACCESS_DENIED"),
    usesApiKey,
  ),

  mutant("sql/error-without-details", "SQL-46", "runSqlQuery").replaceResponse(
    ({ body }) => body?.code === "TABLE_NOT_FOUND",
    (_, response) => ({ ...response, body: omitFields(response.body, "details") }),
  ),
  mutant("sql/garbage-taken", "SQL-47", "runSqlQuery").retryRefused(/ \) (?!VALUES)/, " "),
  mutant("sql/refused-update-begun", "SQL-48", "runSqlQuery").runAfterResponse(400, (wire) =>
    wire.send({ body: { sql: getSqlText(wire).replace(/^(UPDATE .*), v = \?/, "$1") } }),
  ),
  mutant("sql/delete-from-no-table-accepted", "SQL-49", "runSqlQuery").replaceSqlError(
    "TABLE_NOT_FOUND",
    /^DELETE/,
    writeResponse,
  ),
  mutant("sql/no-database-has-no-tables", "SQL-50", "listSqlTables").replaceSqlError(
    "DATABASE_NOT_FOUND",
    /^/,
    createSuccessResponse({ tables: [] }),
  ),
  mutant("sql/schema-path-unknown", "SQL-51", "getSqlTableSchema").fakeSqlResponse(
    /^/,
    createSuccessResponse({ title: "Not found" }, 404),
  ),
  mutant("sql/drop-column-pretended", "SQL-52", "executeSql").fakeSqlResponse(
    / DROP COLUMN /,
    definitionResponse,
  ),
];

/** Declares columns with a wider type, but shows the declared type. */
function widenColumn(declared: RegExp, wider: string, shown: string): InterceptorFactory {
  return () => {
    const tables = new Set<string>();
    return async (wire) => {
      const isDeclared = wire.operationId === "executeSql" && declared.test(getSqlText(wire));
      if (isDeclared) tables.add(findTableName(getSqlText(wire)));
      const response = await (isDeclared
        ? sendSql(wire, getSqlText(wire).replace(declared, `v ${wider}`))
        : wire.send());
      return changeBody(response, (body) => {
        if (!tables.has(findTableName(getSqlText(wire)))) return;
        for (const column of body.columns ?? [])
          if (column.name === "v" && column.type === wider) column.type = shown;
      });
    };
  };
}
