import { changeBody, type AnyJson, type InterceptedRequest, type Interceptor } from "./intercept.js";
import { foldText } from "../generators/sql.js";
import { type Variant, createVariantBuilder } from "./mutant.js";
import { insertEmptyPages } from "./paged-lists.js";
import {
  changeSqlResponse,
  changeSqlValues,
  toNumber,
  fakeSqlResponse,
  createSqlErrorResponse,
  type Row,
  sendSql,
  getSqlText,
} from "./sql.js";

const buildMs = 250;

/** An index is usable only after a delay; until then, WHERE on its column is refused or finds only older rows. */
const buildIndexesLater =
  (isRefused: boolean): Interceptor =>
  (request) => {
    const sql = getSqlText(request);
    const [, table, column] = /^CREATE (?:UNIQUE )?INDEX \S+ ON (\S+) \(([^)]*)\)/i.exec(sql) ?? [];
    if (column !== undefined) request.memory.set([table, column], Date.now() + buildMs);
    const [, from, where = ""] = /^SELECT .* FROM (\S+) WHERE (.*)$/is.exec(sql) ?? [];
    const isBuilding = [...where.matchAll(/\b(\w+) =/g)].some(
      ([, by]) => Date.now() < request.memory.get([from, by]),
    );
    if (!isBuilding) return request.send();
    if (isRefused) return createSqlErrorResponse("SQL_EXECUTION_ERROR");
    return changeBody(request.send(), (body) =>
      Object.assign(body, { rows: [], rowCount: 0, nextPageToken: null }),
    );
  };

/** A table with the name of a dropped table cannot be created for a while. */
const reserveDroppedNames: Interceptor = async (request) => {
  const [, verb = "", table = ""] = /^(CREATE|DROP)\s+TABLE\s+(\w+)/i.exec(getSqlText(request)) ?? [];
  const name = [request.path, table.toLowerCase()];
  if (/create/i.test(verb) && request.memory.get(name) === true) return createSqlErrorResponse();
  const response = await request.send();
  if (/drop/i.test(verb) && response.status === 200) request.memory.set(name, true);
  return response;
};

/** Limits of some types in stores with different definitions. */
const narrowRanges: readonly (readonly [type: RegExp, fits: (text: string) => boolean])[] = [
  [/^(TINYINT|BYTE)$/, (text) => !text.startsWith("-")],
  [
    /^(DECIMAL|NUMERIC)$/,
    (text) => text.replace(/\D/g, "").length <= 16 + Number(text.includes(".")) && !/\.\d{9}/.test(text),
  ],
  [/^DATE$/, (text) => text >= "1900" && text < "2080"],
  [/^(TIMESTAMP|DATETIME)$/, (text) => text >= "1970" && text < "2038-01-19"],
];

/**
 * Whether values are beyond the limits of their type, texts have more than 255 characters, a key differs from an
 * earlier one only in case, accents or spaces, or an index is on a column of another type than texts and integers.
 */
function isBeyondNarrowTypes(request: InterceptedRequest): boolean {
  const sql = getSqlText(request);
  const [, created, elements = ""] = /^CREATE TABLE (\w+) \((.*)\)$/s.exec(sql) ?? [];
  for (const [, column, type] of elements.matchAll(/(\w+) (\w+)(?=,|$)/g))
    request.memory.set([created, column], type);
  const [, key] = /PRIMARY KEY \((.*)\)$/s.exec(elements) ?? [];
  if (key !== undefined) request.memory.set([created], key.match(/\w+/g));
  const [, table, names = ""] = /^INSERT INTO (\w+) \(([^)]*)\)/.exec(sql) ?? [];
  const given = Object.values<AnyJson>(request.body?.parameters ?? {});
  const isOutside = names.split(", ").some((column, index) => {
    const value = given[index]?.value ?? given[index] ?? null;
    const [, fits] =
      narrowRanges.find(([type]) => type.test(request.memory.get([table, column]) ?? "")) ?? [];
    return value !== null && fits?.(String(value)) === false;
  });
  const keys: readonly string[] = request.memory.get([table]) ?? [];
  const row = JSON.stringify(given.filter((_, index) => keys.includes(names.split(", ")[index] ?? "")));
  const isTaken = table !== undefined && request.memory.keepFirst([table, foldText(row)], row) !== row;
  const [, owner, indexed] = /^CREATE INDEX \w+ ON (\w+) \((\w+)\)/.exec(sql) ?? [];
  const isOnOtherType = !/^(VARCHAR|INT|INTEGER)$/.test(request.memory.get([owner, indexed]) ?? "INT");
  return (
    isOnOtherType ||
    isTaken ||
    isOutside ||
    given.some((value) => typeof value === "string" && value.length > 255)
  );
}

/** Lists the indexes of the key, which every table has. */
function listKeyIndexes(body: AnyJson): void {
  const { partitionKeys, clusteringKeys } = body.primaryKey;
  const columns = [...partitionKeys, ...clusteringKeys];
  body.indexes.unshift({ name: "PRIMARY", columns, isUnique: true });
  body.indexes.push({ name: "PARTITION", columns: partitionKeys, isUnique: false });
}

const letters = /^[A-Za-z]+$/;

/** Returns an alternative name of a type, in different case and spacing. */
function renameType(type: string): string {
  return type
    .toLowerCase()
    .replace(/\bvarchar\b/g, "text")
    .replace(/\bint\b/g, "Integer")
    .replace(/\bblob\b/g, "binary")
    .replace(/\bdecimal\b/g, "decimal(38, 18)")
    .replace(/, /g, ",");
}

const variant = createVariantBuilder({
  changeSqlResponse,
  changeSqlValues,
  fakeSqlResponse,
});

/** Harmless differences in the SQL interface. */
export const sqlVariants: readonly Variant[] = [
  ...([true, false] as const).map((isRefused) =>
    variant(`sql/indexes-${isRefused ? "refuse" : "are-empty"}-at-first`, ["executeSql", "runSqlQuery"]).by(
      buildIndexesLater(isRefused),
    ),
  ),
  // Keywords may be names, so a statement without a table name refers to a missing table.
  variant("sql/keywords-are-names", ["runSqlQuery", "executeSql"]).fakeSqlResponse(
    /^(?:DELETE FROM WHERE|ALTER TABLE DROP)\b/i,
    createSqlErrorResponse("TABLE_NOT_FOUND"),
  ),
  variant("sql/plain-tables", "executeSql").respondToRequest((request) => {
    const sql = getSqlText(request);
    const [, table = "x"] = /^CREATE\s+TABLE\s+([^\s(]+)/i.exec(sql) ?? [];
    const [, columns = "", key = ""] = /^CREATE TABLE \w+ \((.*), PRIMARY KEY \((.*)\)\)$/s.exec(sql) ?? [];
    const types = new Map(
      [...columns.matchAll(/(\w+) (\w+)/g)].map(([, name = "", type = ""]) => [name, type]),
    );
    const isOfKeys = (name: string) => /^(?:VARCHAR|INT|INTEGER)$/.test(types.get(name) ?? "INT");
    const isPlain = !/PRIMARY KEY \(\(|NOT NULL|DEFAULT|UNIQUE|INDEX .*, /.test(sql);
    return !isPlain || !letters.test(table) || !(key.match(/\w+/g) ?? []).every(isOfKeys);
  }, createSqlErrorResponse()),
  variant("sql/tables-with-indexes-stay", ["executeSql", "getSqlTableSchema"], {
    alsoIn: ["sequences"],
  }).by(async (request) => {
    if (request.operationId === "getSqlTableSchema") return changeBody(request.send(), listKeyIndexes);
    const [, table = ""] = /^DROP TABLE (\w+)$/.exec(getSqlText(request)) ?? [];
    const { databaseId = "" } = request.path;
    const schema = await request.ask("GET", `/databases/${databaseId}/sql/tables/${table}/schema`);
    return schema.body?.indexes?.length > 0 ? createSqlErrorResponse() : request.send();
  }),
  variant("sql/names-rest", "executeSql", { alsoIn: ["sequences"] }).by(reserveDroppedNames),
  variant("sql/narrow-types", ["executeSql", "runSqlQuery"]).respondToRequest(
    isBeyondNarrowTypes,
    createSqlErrorResponse(),
  ),
  variant("sql/no-rows-affected", "executeSql").replaceField("affectedRows", -1),
  variant("sql/no-rows-counted", "runSqlQuery").changeResponseBody((body) => {
    if (body.columns.length === 0) body.rowCount = 0;
  }),
  variant("sql/key-among-indexes", "getSqlTableSchema").changeResponseBody(listKeyIndexes),
  variant("sql/defaults-as-expressions", "getSqlTableSchema").changeResponseBody((body) => {
    for (const column of body.columns)
      column.defaultValue =
        column.defaultValue === null
          ? "NULL"
          : `'${String(column.defaultValue).replaceAll("'", "''")}'::text`;
  }),
  variant("sql/types-by-other-names", ["runSqlQuery", "getSqlTableSchema"]).replaceField(
    "columns.*.type",
    (old) => renameType(old),
  ),
  variant("sql/nulls-left-out", "runSqlQuery").changeSqlResponse(/^SELECT (?!COUNT)/, (body) => {
    body.rows = body.rows.map((row: Row) => ({
      ...Object.fromEntries(
        Object.entries(row)
          .filter(([, value]) => value !== null)
          .reverse(),
      ),
      "@etag": "1",
    }));
  }),
  variant("sql/empty-pages", "runSqlQuery").by(insertEmptyPages("rows", "nextPageToken")),
  variant("sql/lists-reversed", ["listSqlTables", "getSqlTableSchema"]).changeResponseBody((body) => {
    body.tables?.reverse();
    body.columns?.reverse();
    body.indexes?.reverse();
  }),
  variant("sql/rows-reversed", "runSqlQuery").changeSqlResponse(/^SELECT (?!.*ORDER BY)/s, (body) => {
    body.rows.reverse();
    body.columns.reverse();
  }),
  variant("sql/count-by-another-name", "runSqlQuery").changeSqlResponse(/^SELECT COUNT/, (body) => {
    body.rows = body.rows.map((row: Row) => ({ "COUNT(*)": String(Object.values(row)[0]) }));
    for (const column of body.columns) column.name = "COUNT(*)";
  }),
  variant("sql/values-in-other-forms", "runSqlQuery").changeSqlValues(/^/, (value, type) => {
    const forms: readonly [RegExp, (value: AnyJson) => AnyJson][] = [
      [/^TIMESTAMP$/, (text: string) => text.replace(/\.(\d{3})Z$/, ".$1000Z")],
      [/^DATE$/, (text: string) => `${text}T00:00:00Z`],
      [/^TIME$/, (text: string) => (text.includes(".") ? text.padEnd(18, "0") : `${text}.000`)],
      [/UUID$/, (text: string) => text.toUpperCase()],
      [/^FLOAT$/, (float) => Number(toNumber(float).toPrecision(9))],
      [/^SET</, (items: AnyJson[]) => [...items].reverse()],
      [/^(BIGINT|DECIMAL)$/, (number) => String(number)],
      [/^BLOB$/, (text: string) => text.replace(/=+$/, "")],
    ];
    const [, form] = forms.find(([pattern]) => pattern.test(type)) ?? [];
    return form === undefined ? value : form(value);
  }),
  ...(
    [
      ["indexes-dropped-on-tables", /^(DROP INDEX \w+) ON \w+$/, "$1", /^DROP INDEX/],
      ["alter-without-column", /^(ALTER TABLE \w+ (?:ADD|DROP)) (?!COLUMN )/, "$1 COLUMN ", / COLUMN /],
    ] as const
  ).map(([name, own, usual, refused]) =>
    variant(`sql/${name}`, "executeSql").by((request) => {
      const sql = getSqlText(request);
      if (own.test(sql)) return sendSql(request, sql.replace(own, usual));
      return refused.test(sql) ? createSqlErrorResponse("SQL_SYNTAX_ERROR") : request.send();
    }),
  ),
  variant("sql/writes-by-whole-key", "runSqlQuery").fakeSqlResponse(
    /^(UPDATE|DELETE) .* WHERE .*[<>]/s,
    createSqlErrorResponse(),
  ),
];
