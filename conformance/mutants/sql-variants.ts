import { changeBody, type AnyJson, type Interceptor } from "./intercept.js";
import { type Variant, defineVariantInAreas, createVariantBuilder } from "./mutant.js";
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
  (isRefused: boolean): (() => Interceptor) =>
  () => {
    const building = new Map<string, number>();
    return async (wire) => {
      const sql = getSqlText(wire);
      const [, table = "", column = ""] =
        /^CREATE (?:UNIQUE )?INDEX \S+ ON (\S+) \(([^)]*)\)/i.exec(sql) ?? [];
      if (column !== "") building.set(`${table} ${column}`, Date.now() + buildMs);
      const [, from = "", where = ""] = /^SELECT .* FROM (\S+) WHERE (.*)$/is.exec(sql) ?? [];
      const isBuilding = [...building].some(([name, until]) => {
        const [of = "", by = ""] = name.split(" ");
        return of === from && Date.now() < until && new RegExp(`\\b${by} =`).test(where);
      });
      if (!isBuilding) return wire.send();
      if (isRefused) return createSqlErrorResponse("SQL_EXECUTION_ERROR");
      return changeBody(await wire.send(), (body) => {
        Object.assign(body, { rows: [], rowCount: 0, nextPageToken: null });
      });
    };
  };

/** A table with the name of a dropped table cannot be created for a while. */
const reserveDroppedNames: () => Interceptor = () => {
  const dropped = new Set<string>();
  return async (wire) => {
    const [, verb = "", table = ""] = /^(CREATE|DROP)\s+TABLE\s+(\w+)/i.exec(getSqlText(wire)) ?? [];
    const name = `${wire.path.databaseId} ${table.toLowerCase()}`;
    if (/create/i.test(verb) && dropped.has(name)) return createSqlErrorResponse();
    const response = await wire.send();
    if (/drop/i.test(verb) && response.status === 200) dropped.add(name);
    return response;
  };
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

/** Refuses to insert values beyond the limits of their type, and texts of more than 255 characters. */
const narrowTypes = (): Interceptor => {
  const columns = new Map<string, string>();
  return (wire) => {
    const sql = getSqlText(wire);
    const [, created = "", elements = ""] = /^CREATE TABLE (\w+) \((.*)\)$/s.exec(sql) ?? [];
    for (const [, column = "", name = ""] of elements.matchAll(/(\w+) (\w+)(?=,|$)/g))
      columns.set(`${created}.${column}`, name);
    const [, table = "", names = ""] = /^INSERT INTO (\w+) \(([^)]*)\)/.exec(sql) ?? [];
    const given = Object.values<AnyJson>(wire.body?.parameters ?? {});
    const isOutside = names.split(", ").some((column, index) => {
      const value = given[index]?.value ?? given[index] ?? null;
      const [, fits] =
        narrowRanges.find(([type]) => type.test(columns.get(`${table}.${column}`) ?? "")) ?? [];
      return value !== null && fits?.(String(value)) === false;
    });
    const isLong = given.some((value) => typeof value === "string" && value.length > 255);
    return isOutside || isLong ? Promise.resolve(createSqlErrorResponse()) : wire.send();
  };
};

const letters = /^[A-Za-z]+$/;

/** Returns an alternative name of a type, in different case and spacing. */
function renameType(type: string): string {
  return type
    .toLowerCase()
    .replace(/\bvarchar\b/g, "text")
    .replace(/\bint\b/g, "Integer")
    .replace(/\bblob\b/g, "binary")
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
  variant("sql/plain-tables", "executeSql").by(() => async (wire) => {
    const sql = getSqlText(wire);
    const [, table = "x"] = /^CREATE\s+TABLE\s+([^\s(]+)/i.exec(sql) ?? [];
    const [, columns = "", key = ""] = /^CREATE TABLE \w+ \((.*), PRIMARY KEY \((.*)\)\)$/s.exec(sql) ?? [];
    const types = new Map(
      [...columns.matchAll(/(\w+) (\w+)/g)].map(([, name = "", type = ""]) => [name, type]),
    );
    const isOfKeys = (name: string) =>
      /^(?:VARCHAR|TEXT|STRING|INT|INTEGER)$/.test(types.get(name) ?? "TEXT");
    const isPlain = !/PRIMARY KEY \(\(|NOT NULL|DEFAULT|UNIQUE|INDEX .*, /.test(sql);
    return isPlain && letters.test(table) && (key.match(/\w+/g) ?? []).every(isOfKeys)
      ? wire.send()
      : createSqlErrorResponse();
  }),
  ...defineVariantInAreas(["sql", "sequences"], "names-rest", "executeSql").by(reserveDroppedNames),
  variant("sql/narrow-types", ["executeSql", "runSqlQuery"]).by(narrowTypes),
  variant("sql/no-rows-affected", "executeSql").replaceField("affectedRows", -1),
  variant("sql/key-among-indexes", "getSqlTableSchema").changeResponseBody((body) => {
    const columns = [...body.primaryKey.partitionKeys, ...body.primaryKey.clusteringKeys];
    body.indexes.unshift({ name: "PRIMARY", columns, isUnique: true });
  }),
  variant("sql/null-by-name", "getSqlTableSchema").changeResponseBody((body) => {
    for (const column of body.columns) column.defaultValue ??= "NULL";
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
  variant("sql/empty-first-page", "runSqlQuery").by(() => async (wire) => {
    const { pageToken, ...rest } = wire.body;
    if (!/^SELECT (?!COUNT)/.test(getSqlText(wire))) return wire.send();
    return changeBody(await wire.send({ body: pageToken === "begin" ? rest : wire.body }), (body) => {
      if (pageToken === undefined && body.rows.length > 0)
        Object.assign(body, { rows: [], rowCount: 0, nextPageToken: "begin" });
    });
  }),
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
      [/^TIME$/, (text: string) => (text.includes(".") ? text.padEnd(18, "0") : `${text}.000`)],
      [/UUID$/, (text: string) => text.toUpperCase()],
      [/^FLOAT$/, (float) => Number(toNumber(float).toPrecision(9))],
      [/^SET</, (items: AnyJson[]) => [...items].reverse()],
      [/^BLOB$/, (text: string) => text.replace(/=+$/, "")],
    ];
    const [, form] = forms.find(([pattern]) => pattern.test(type)) ?? [];
    return form === undefined ? value : form(value);
  }),
  variant("sql/indexes-dropped-on-tables", "executeSql").by(() => (wire) => {
    const [, drop = ""] = /^(DROP INDEX \w+) ON \w+$/.exec(getSqlText(wire)) ?? [];
    if (drop !== "") return sendSql(wire, drop);
    return getSqlText(wire).startsWith("DROP INDEX")
      ? Promise.resolve(createSqlErrorResponse("SQL_SYNTAX_ERROR"))
      : wire.send();
  }),
  variant("sql/alter-without-column", "executeSql").by(
    () => (wire) =>
      getSqlText(wire).includes(" COLUMN ")
        ? Promise.resolve(createSqlErrorResponse("SQL_SYNTAX_ERROR"))
        : sendSql(wire, getSqlText(wire).replace(/^(ALTER TABLE \w+ (?:ADD|DROP)) /, "$1 COLUMN ")),
  ),
  variant("sql/writes-by-whole-key", "runSqlQuery").fakeSqlResponse(
    /^(UPDATE|DELETE) .* WHERE .*[<>]/s,
    createSqlErrorResponse(),
  ),
];
