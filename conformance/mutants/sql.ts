import { isLosslessNumber, LosslessNumber } from "lossless-json";
import type { ClauseId } from "../../openapi/clauses/register.js";
import type { OperationId } from "../../openapi/operations/register.js";
import { changed, type Json, type Tamper, type Wire, type WireAnswer } from "./intercept.js";
import { mutant, type Mutant, variant, type Variant } from "./mutant.js";

const query: readonly OperationId[] = ["runSqlQuery"];
const execute: readonly OperationId[] = ["executeSql"];
const both: readonly OperationId[] = ["runSqlQuery", "executeSql"];

/** A refusal of the SQL interface. */
function refusal(code: string): WireAnswer {
  const body = { code, message: "refused", details: "refused" };
  return { status: 400, headers: { "content-type": "application/json" }, body };
}

/** What a write answers. */
const written: WireAnswer = {
  status: 200,
  headers: { "content-type": "application/json" },
  body: { rows: [], rowCount: 1, columns: [], nextPageToken: null, executionTimeMs: 0 },
};
const defined: WireAnswer = {
  status: 200,
  headers: { "content-type": "application/json" },
  body: { success: true, message: "done", affectedRows: 0 },
};

const textOf = (wire: Wire): string => String(wire.body?.sql ?? "");
const valuesOf = (wire: Wire): Json[] => Object.values(wire.body?.parameters ?? {});

/** An object without one of its members. */
function without(body: Json, name: string): Json {
  return Object.fromEntries(Object.entries(body).filter(([member]) => member !== name));
}

/** Sends the request with another statement, and other values for its markers. */
function sendAs(wire: Wire, sql: string, values: readonly Json[] = valuesOf(wire)): Promise<WireAnswer> {
  const parameters = Object.fromEntries(
    values.map((value, index) => [`p${String(index).padStart(3, "0")}`, value]),
  );
  return wire.send({
    body: { ...without(wire.body, "parameters"), sql, ...(values.length === 0 ? {} : { parameters }) },
  });
}

/** Sends other statements in place of those that match. */
const rewriting =
  (pattern: RegExp, replacement: string): Tamper =>
  (wire) =>
    pattern.test(textOf(wire)) ? sendAs(wire, textOf(wire).replace(pattern, replacement)) : wire.send();

/** Sends other statements only in place of those that were refused. */
const forgiving =
  (pattern: RegExp, replacement: string): Tamper =>
  async (wire) => {
    const answer = await wire.send();
    return answer.status === 400 && pattern.test(textOf(wire))
      ? sendAs(wire, textOf(wire).replace(pattern, replacement))
      : answer;
  };

/** Changes the answers to statements that match. */
const answering =
  (pattern: RegExp, change: (body: Json, wire: Wire) => void): Tamper =>
  async (wire) => {
    const answer = await wire.send();
    return pattern.test(textOf(wire)) ? changed(answer, (body) => change(body, wire)) : answer;
  };

/** Refuses statements that match. */
const refusing =
  (pattern: RegExp, code = "SQL_VALIDATION_ERROR"): Tamper =>
  (wire) =>
    pattern.test(textOf(wire)) ? Promise.resolve(refusal(code)) : wire.send();

/** Gives refusals of statements that match another code. */
const recoding =
  (pattern: RegExp, from: string, to: string): Tamper =>
  async (wire) => {
    const answer = await wire.send();
    return answer.status === 400 && answer.body.code === from && pattern.test(textOf(wire))
      ? refusal(to)
      : answer;
  };

/** Changes the values of columns of a type in the rows of SELECTs. */
const changingValues = (type: RegExp, change: (value: Json) => Json): Tamper =>
  answering(/^SELECT/, (body) => {
    for (const { name, type: seen } of body.columns)
      if (type.test(seen)) for (const row of body.rows) if (row[name] !== null) row[name] = change(row[name]);
  });

/** Where a WHERE has several comparisons, leaves out the last, with its value. */
const withoutLastCondition =
  (pattern: RegExp): Tamper =>
  (wire) => {
    const sql = textOf(wire);
    return pattern.test(sql) && / AND \w+ [<>=]+ \?$/.test(sql)
      ? sendAs(wire, sql.replace(/ AND \w+ [<>=]+ \?$/, ""), valuesOf(wire).slice(0, -1))
      : wire.send();
  };

/** Lets a caller do what the service denies, with the credential of a user who was seen before. */
const elevating = (operation: OperationId, pattern: RegExp, answer?: WireAnswer): (() => Tamper) => {
  return () => {
    let user: string | undefined;
    return async (wire) => {
      // a JWT has two dots
      if (wire.credential?.split(".").length === 3) user ??= wire.credential;
      const first = await wire.send();
      if (
        wire.operationId !== operation ||
        first.body?.code !== "ACCESS_DENIED" ||
        !pattern.test(textOf(wire))
      )
        return first;
      const second = await wire.send({ credential: user ?? "" });
      return answer ?? second;
    };
  };
};

const isKey = ({ credential = "" }: Wire): boolean => credential.split(".").length !== 3;

const number = (value: Json): number => (isLosslessNumber(value) ? Number(value.value) : Number(value));

/** Remembers something under the name of a table. */
const tableIn = (sql: string): string => / (?:FROM|INTO|UPDATE|TABLE|ON) (\w+)/.exec(` ${sql}`)?.[1] ?? "";

type Row = Readonly<Record<string, Json>>;

const sql = (
  name: string,
  clause: ClauseId,
  title: string,
  operations: readonly OperationId[],
  tamper: () => Tamper,
): Mutant => mutant(`sql/${name}`, clause, title, operations, tamper);

/** Faults of the SQL interface. */
export const sqlMutants: readonly Mutant[] = [
  sql("writes-untimed", "SQL-01", "writes say nothing of their time", query, () =>
    answering(/^INSERT/, (body) => delete body.executionTimeMs),
  ),
  sql("time-in-parts", "SQL-01", "executionTimeMs is no whole number", query, () =>
    answering(/^SELECT/, (body) => {
      body.executionTimeMs = new LosslessNumber("0.25");
    }),
  ),
  sql("row-count-capped", "SQL-02", "rowCount never says more than ten", query, () =>
    answering(/^SELECT/, (body) => {
      body.rowCount = Math.min(body.rowCount, 10);
    }),
  ),
  sql("row-count-from-one", "SQL-02", "rowCount of an empty result is one", query, () =>
    answering(/^SELECT/, (body) => {
      body.rowCount = Math.max(body.rowCount, 1);
    }),
  ),
  ...(
    [
      ["zero", (count: number) => count * 0],
      ["above", (count: number) => count + 1],
      ["fixed", () => 12345],
    ] as const
  ).map(([name, change]) =>
    sql(
      `row-count-${name}-before-end`,
      "SQL-02",
      `rowCount is wrong before the last page: ${name}`,
      query,
      () =>
        answering(/^SELECT/, (body) => {
          if (body.nextPageToken !== null) body.rowCount = change(body.rowCount);
        }),
    ),
  ),
  ...(
    [
      ["written-below-zero", "SQL-01", -7],
      ["written-fixed", "SQL-02", 12345],
    ] as const
  ).map(([name, clause, count]) =>
    sql(name, clause, `rowCount of a write is ${count}`, query, () =>
      answering(/^(?:UPDATE|DELETE|INSERT)/, (body) => (body.rowCount = count)),
    ),
  ),
  sql("written-above", "SQL-02", "rowCount of a DELETE is one more than the rows it removes", query, () =>
    answering(/^DELETE/, (body) => body.rowCount++),
  ),
  sql("affected-below-zero", "SQL-08", "affectedRows of a definition is -7", execute, () =>
    answering(/^/, (body) => (body.affectedRows = -7)),
  ),
  sql("column-forgotten", "SQL-03", "columns leave out the last of more than two", query, () =>
    answering(/^SELECT/, (body) => {
      if (body.columns.length > 2) body.columns.pop();
    }),
  ),
  sql("columns-widened", "SQL-03", "columns say SMALLINT of a TINYINT", query, () =>
    answering(/^SELECT/, (body) => {
      for (const column of body.columns) if (column.type === "TINYINT") column.type = "SMALLINT";
    }),
  ),
  sql("no-delete", "SQL-04", "`query` knows no DELETE", query, () => refusing(/^DELETE/)),
  sql(
    "query-alters-not",
    "SQL-05",
    "`query` takes ALTER TABLE and does nothing",
    query,
    () => async (wire) => (textOf(wire).startsWith("ALTER") ? written : wire.send()),
  ),
  sql("query-drops-unseen", "SQL-05", "`query` refuses DROP INDEX and does it", query, () => async (wire) => {
    if (textOf(wire).startsWith("DROP INDEX"))
      await wire.ask("POST", `/databases/${wire.path.databaseId}/sql/execute`, { sql: textOf(wire) });
    return wire.send();
  }),
  sql("no-drop-index", "SQL-06", "`execute` knows no DROP INDEX", execute, () => refusing(/^DROP INDEX/)),
  sql(
    "execute-deletes-unseen",
    "SQL-07",
    "`execute` refuses DELETE and does it",
    execute,
    () => async (wire) => {
      if (textOf(wire).startsWith("DELETE"))
        await wire.ask("POST", `/databases/${wire.path.databaseId}/sql/query`, { sql: textOf(wire) });
      return wire.send();
    },
  ),
  sql(
    "execute-inserts-not",
    "SQL-07",
    "`execute` takes INSERT and does nothing",
    execute,
    () => async (wire) => (textOf(wire).startsWith("INSERT") ? defined : wire.send()),
  ),
  sql("success-false", "SQL-08", "success is false for CREATE INDEX", execute, () =>
    answering(/^CREATE INDEX/, (body) => {
      body.success = false;
    }),
  ),
  sql("no-affected-rows", "SQL-08", "`execute` says nothing of affected rows after DROP", execute, () =>
    answering(/^DROP/, (body) => delete body.affectedRows),
  ),
  sql("pasted", "SQL-09", "bound texts are pasted into the statement", query, () => (wire) => {
    const values = valuesOf(wire);
    if (!values.some((value) => typeof value === "string" && value.includes("'"))) return wire.send();
    const rest = values.filter((value) => typeof value !== "string");
    let at = 0;
    const pasted = textOf(wire).replace(/\?/g, () => {
      const value = values[at++];
      return typeof value === "string" ? `'${value}'` : "?";
    });
    return sendAs(wire, pasted, rest);
  }),
  sql(
    "markers-by-name",
    "SQL-09",
    "beyond ten, markers take their values in the order of the texts of their places",
    query,
    () => (wire) => {
      const values = valuesOf(wire);
      if (values.length <= 10) return wire.send();
      const places = [...values.keys()].map((index) => `${index}`).sort();
      return sendAs(
        wire,
        textOf(wire),
        places.map((place) => values[Number(place)]),
      );
    },
  ),
  sql(
    "bound-trimmed",
    "SQL-09",
    "bound texts lose the spaces around them",
    query,
    () => (wire) =>
      sendAs(
        wire,
        textOf(wire),
        valuesOf(wire).map((value) => (typeof value === "string" ? value.trim() : value)),
      ),
  ),
  sql(
    "insert-in-table-order",
    "SQL-10",
    "INSERT takes its values in the order of the names of the columns",
    query,
    () => (wire) => {
      const [, head = "", names = "", tail = ""] =
        /^(INSERT INTO \w+) \(([^)]*)\)(.*)$/s.exec(textOf(wire)) ?? [];
      return head === ""
        ? wire.send()
        : sendAs(wire, `${head} (${names.split(", ").sort().join(", ")})${tail}`);
    },
  ),
  sql(
    "columns-swapped",
    "SQL-10",
    "a SELECT of three columns or more takes the first for the last",
    query,
    () =>
      answering(/^SELECT \w+, \w+, \w+/, (body) => {
        const [first, , last] = body.columns;
        for (const row of body.rows) [row[first.name], row[last.name]] = [row[last.name], row[first.name]];
      }),
  ),
  sql(
    "insert-over-half",
    "SQL-10",
    "INSERT over an existing key says that it was done, and was not",
    query,
    () => async (wire) => {
      const answer = await wire.send();
      return answer.status === 400 &&
        answer.body.code === "SQL_VALIDATION_ERROR" &&
        /exist|same/i.test(String(answer.body.message)) &&
        textOf(wire).startsWith("INSERT")
        ? written
        : answer;
    },
  ),
  sql("update-too-wide", "SQL-11", "UPDATE leaves out the last comparison", query, () =>
    withoutLastCondition(/^UPDATE/),
  ),
  sql("update-first-column", "SQL-11", "UPDATE sets the first column only", query, () => (wire) => {
    const [, head = "", sets = "", tail = ""] =
      /^(UPDATE \w+ SET )(.*?)( WHERE .*)$/s.exec(textOf(wire)) ?? [];
    const columns = sets.split(", ");
    if (columns.length < 2) return wire.send();
    const [first, ...others] = valuesOf(wire);
    return sendAs(wire, head + (columns[0] ?? "") + tail, [first, ...others.slice(columns.length - 1)]);
  }),
  sql(
    "update-makes-half-rows",
    "SQL-11",
    "UPDATE of a row that is not there makes one without its values",
    query,
    () => async (wire) => {
      const answer = await wire.send();
      const [, table = "", sets = "", where = ""] =
        /^UPDATE (\w+) SET (.*?) WHERE (.*)$/s.exec(textOf(wire)) ?? [];
      if (table === "" || answer.body.rowCount !== 0 || /[<>]/.test(where)) return answer;
      const columns = [...where.matchAll(/(\w+) = \?/g)].map(([, name]) => name);
      const count = sets.split(", ").length;
      const parameters = Object.fromEntries(Object.entries(wire.body.parameters ?? {}).slice(count));
      await wire.ask("POST", `/databases/${wire.path.databaseId}/sql/query`, {
        ...wire.body,
        parameters,
        sql: `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
      });
      return answer;
    },
  ),
  sql("delete-too-wide", "SQL-12", "DELETE leaves out the last comparison", query, () =>
    withoutLastCondition(/^DELETE/),
  ),
  sql("delete-spares", "SQL-12", "DELETE with `>=` spares the row at the edge", query, () =>
    rewriting(/^(DELETE .*)>=/s, "$1>"),
  ),
  sql("less-or-equal", "SQL-13", "`<=` of a SELECT means `<`", query, () =>
    rewriting(/^(SELECT .*)<=/s, "$1<"),
  ),
  sql("greater", "SQL-13", "`>` of a SELECT means `>=`", query, () =>
    rewriting(/^(SELECT .*)>(?!=)/s, "$1>="),
  ),
  sql("condition-swallowed", "SQL-13", "the last of three comparisons counts for nothing", query, () =>
    withoutLastCondition(/^SELECT .* AND .* AND /s),
  ),
  sql(
    "keys-folded",
    "SQL-13",
    "texts in conditions are small letters before they are compared",
    query,
    () => (wire) => {
      const values = valuesOf(wire);
      return /^SELECT .* AND .* = \?/s.test(textOf(wire))
        ? sendAs(
            wire,
            textOf(wire),
            values.map((value) =>
              typeof value === "string" && /^[\p{L}]+$/u.test(value) ? value.toLowerCase() : value,
            ),
          )
        : wire.send();
    },
  ),
  sql(
    "index-stale",
    "SQL-14",
    "what an index finds is remembered until a row is inserted",
    both,
    indexed((state, wire, key) => {
      const known = state.get(key);
      return known ?? wire.send().then((answer) => (state.set(key, answer), answer));
    }),
  ),
  sql(
    "index-short",
    "SQL-14",
    "an index finds three rows at most",
    both,
    indexed((_, wire) =>
      wire.send().then((answer) =>
        changed(answer, (body) => {
          body.rows = body.rows.slice(0, 3);
          body.rowCount = body.rows.length;
          body.nextPageToken = null;
        }),
      ),
    ),
  ),
  sql(
    "index-folds",
    "SQL-14",
    "an index does not tell composed from decomposed letters",
    both,
    indexed((_, wire) =>
      sendAs(
        wire,
        textOf(wire),
        valuesOf(wire).map((value) => (typeof value === "string" ? value.normalize("NFC") : value)),
      ),
    ),
  ),
  sql("descending-forgotten", "SQL-15", "DESC is ASC", query, () => rewriting(/ DESC/, " ASC")),
  sql("order-by-text", "SQL-15", "numbers are ordered as texts", query, () =>
    answering(/^SELECT .* ORDER BY (\w+) ASC$/s, (body, wire) => {
      const [, column = ""] = / ORDER BY (\w+)/.exec(textOf(wire)) ?? [];
      body.rows.sort((a: Row, b: Row) => (String(a[column]) < String(b[column]) ? -1 : 1));
    }),
  ),
  sql(
    "order-of-pages",
    "SQL-15",
    "each page is ordered the other way round from the eleventh row on",
    query,
    () =>
      answering(/ ORDER BY /, (body) => {
        body.rows = [...body.rows.slice(0, 10), ...body.rows.slice(10).reverse()];
      }),
  ),
  sql("any-order-taken", "SQL-16", "ORDER BY any column is taken, and does nothing", query, () =>
    forgiving(/ ORDER BY (\w+)( ASC| DESC)?(, \w+)?/, ""),
  ),
  sql(
    "limit-and-one",
    "SQL-17",
    "LIMIT takes one row more from ten on",
    query,
    () => (wire) =>
      sendAs(
        wire,
        textOf(wire).replace(
          / LIMIT (\d+)$/,
          (_, count: string) => ` LIMIT ${Number(count) + (Number(count) >= 10 ? 1 : 0)}`,
        ),
      ),
  ),
  sql(
    "limit-in-the-middle",
    "SQL-17",
    "LIMIT from 13 to 28 gives one row more",
    query,
    () => (wire) =>
      sendAs(
        wire,
        textOf(wire).replace(/ LIMIT (1[3-9]|2[0-8])$/, (_, count: string) => ` LIMIT ${Number(count) + 1}`),
      ),
  ),
  sql("limit-per-page", "SQL-17", "LIMIT counts anew on every page", query, () => (wire) => {
    const [, count] = / LIMIT (\d+)$/.exec(textOf(wire)) ?? [];
    if (count === undefined) return wire.send();
    const limit = Math.min(number(wire.body.limit ?? 1000), Number(count));
    return wire.send({ body: { ...wire.body, sql: textOf(wire).replace(/ LIMIT \d+$/, ""), limit } });
  }),
  sql(
    "count-everything",
    "SQL-18",
    "COUNT leaves WHERE aside",
    query,
    () => (wire) =>
      textOf(wire).startsWith("SELECT COUNT")
        ? sendAs(wire, textOf(wire).replace(/ WHERE .*/s, ""), [])
        : wire.send(),
  ),
  sql("count-a-page", "SQL-18", "COUNT stops at twenty", query, () =>
    answering(/^SELECT COUNT/, (body) => {
      for (const row of body.rows)
        for (const name of Object.keys(row)) row[name] = Math.min(number(row[name]), 20);
    }),
  ),
  sql("key-cut-off", "SQL-19", "of three key columns the last is none", execute, () =>
    rewriting(/PRIMARY KEY \((\w+), (\w+), \w+\)/, "PRIMARY KEY ($1, $2)"),
  ),
  sql("left-join-ignored", "SQL-20", "LEFT JOIN is taken, and does nothing", query, () =>
    forgiving(/ LEFT JOIN .*/s, ""),
  ),
  sql("tables-ignored", "SQL-20", "of two tables in FROM the second is left aside", query, () =>
    forgiving(/(FROM \w+), \w+/, "$1"),
  ),
  sql("subquery-ignored", "SQL-21", "a subquery in IN selects everything", query, () =>
    forgiving(/ WHERE \w+ IN \(SELECT .*/s, ""),
  ),
  sql("exists-ignored", "SQL-21", "EXISTS always holds", query, () => forgiving(/ WHERE EXISTS .*/s, "")),
  sql("group-ignored", "SQL-22", "GROUP BY without aggregate is taken, and does nothing", query, () =>
    forgiving(/^(SELECT \w+ .*) GROUP BY \w+/s, "$1"),
  ),
  sql("sums-in-select", "SQL-23", "a sum in SELECT is its first part", query, () =>
    forgiving(/SELECT (\w+) \+ \w+/, "SELECT $1"),
  ),
  sql("functions-in-select", "SQL-23", "a function in SELECT does nothing", query, () =>
    forgiving(/SELECT UPPER\((\w+)\)/, "SELECT $1"),
  ),
  sql("max-counts", "SQL-24", "MAX answers a number", query, () => forgiving(/MAX\((\w+)\)/i, "COUNT($1)")),
  sql("page-and-one", "SQL-25", "pages of nine and more have one row too many", query, () => (wire) => {
    const limit = number(wire.body.limit ?? 0);
    return limit >= 9 ? wire.send({ body: { ...wire.body, limit: limit + 1 } }) : wire.send();
  }),
  sql("token-ignored", "SQL-25", "pageToken leads to the first page", query, () => (wire) => {
    return wire.send({ body: without(wire.body, "pageToken") });
  }),
  sql("page-lost", "SQL-26", "a last page of one row is not announced", query, () => async (wire) => {
    const answer = await wire.send();
    if (answer.status !== 200 || typeof answer.body.nextPageToken !== "string") return answer;
    const target = `/databases/${wire.path.databaseId}/sql/query`;
    const next = await wire.ask("POST", target, { ...wire.body, pageToken: answer.body.nextPageToken });
    return changed(answer, (body) => {
      if (next.body.rows.length === 1 && next.body.nextPageToken === null) body.nextPageToken = null;
    });
  }),
  sql("row-twice", "SQL-26", "a page begins with the last row of the page before", query, () => {
    const last = new Map<string, Json>();
    return async (wire) => {
      const answer = await wire.send();
      return changed(answer, (body) => {
        const before = last.get(String(wire.body.pageToken));
        const row = body.rows.at(-1);
        if (typeof body.nextPageToken === "string") last.set(body.nextPageToken, row);
        if (before !== undefined && body.rows.length > 1) body.rows[0] = before;
      });
    };
  }),
  sql("row-skipped", "SQL-26", "descending pages of four skip a row", query, () =>
    answering(/ DESC/, (body, wire) => {
      if (wire.body.pageToken === undefined || number(wire.body.limit ?? 0) !== 4) return;
      body.rows.shift();
      body.rowCount = body.rows.length;
    }),
  ),
  sql(
    "list-of-ten",
    "SQL-27",
    "the list of tables ends after ten",
    ["listSqlTables"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        body.tables = body.tables.slice(0, 10);
      }),
  ),
  sql(
    "tables-of-all-databases",
    "SQL-27",
    "the list has the tables of other databases, too",
    ["executeSql", "listSqlTables"],
    () => {
      const databases = new Set<string>();
      return async (wire) => {
        const { databaseId = "" } = wire.path;
        const answer = await wire.send();
        if (wire.operationId === "executeSql") {
          databases.add(databaseId);
          return answer;
        }
        const others: Json[] = [];
        for (const other of databases)
          if (other !== databaseId)
            others.push(...((await wire.send({ path: { databaseId: other } })).body.tables ?? []));
        return changed(answer, (body) => {
          body.tables.push(...others);
        });
      };
    },
  ),
  sql(
    "created-just-now",
    "SQL-27",
    "a table is as old as its last write",
    ["listSqlTables"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        for (const table of body.tables)
          if (table.rowCount > 0)
            table.createdAt = new Date(Date.parse(table.createdAt) + table.rowCount * 1000).toISOString();
      }),
  ),
  sql("rows-ever", "SQL-28", "rowCount of a table never falls", ["listSqlTables"], () => {
    const most = new Map<string, number>();
    return async (wire) =>
      changed(await wire.send(), (body) => {
        for (const table of body.tables) {
          table.rowCount = Math.max(table.rowCount, most.get(table.name) ?? 0);
          most.set(table.name, table.rowCount);
        }
      });
  }),
  sql(
    "rows-to-ten",
    "SQL-28",
    "rowCount of a table stops at ten",
    ["listSqlTables"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        for (const table of body.tables) table.rowCount = Math.min(table.rowCount, 10);
      }),
  ),
  sql("name-in-quotes", "SQL-29", "tableName stands in quotes", ["getSqlTableSchema"], () =>
    schema((body) => {
      body.tableName = `"${body.tableName}"`;
    }),
  ),
  sql(
    "clustering-first",
    "SQL-30",
    "only the first clustering column says that it is one",
    ["getSqlTableSchema"],
    () =>
      schema((body) => {
        for (const column of body.columns)
          column.isClusteringKey &&= column.name === body.primaryKey.clusteringKeys[0];
      }),
  ),
  sql("all-nullable", "SQL-30", "every column is nullable", ["getSqlTableSchema"], () =>
    schema((body) => {
      for (const column of body.columns) column.isNullable = true;
    }),
  ),
  sql("no-defaults", "SQL-30", "defaultValue false where it is true", ["getSqlTableSchema"], () =>
    schema((body) => {
      for (const column of body.columns) if (column.defaultValue === true) column.defaultValue = false;
    }),
  ),
  sql("elements-forgotten", "SQL-30", "the elements of collections are texts", ["getSqlTableSchema"], () =>
    schema((body) => {
      for (const column of body.columns) column.type = column.type.replace(/<\w+>/, "<VARCHAR>");
    }),
  ),
  sql("keys-sorted", "SQL-31", "clusteringKeys are sorted by name", ["getSqlTableSchema"], () =>
    schema((body) => {
      body.primaryKey.clusteringKeys.sort();
    }),
  ),
  sql("keys-as-columns", "SQL-31", "keys stand in the order of the columns", ["getSqlTableSchema"], () =>
    schema((body) => {
      const place = (name: string) => body.columns.findIndex((column: Row) => column.name === name);
      body.primaryKey.clusteringKeys.sort((a: string, b: string) => place(a) - place(b));
    }),
  ),
  sql("index-sorted", "SQL-32", "the columns of an index are sorted", ["getSqlTableSchema"], () =>
    schema((body) => {
      for (const index of body.indexes) index.columns.sort();
    }),
  ),
  sql("never-unique", "SQL-32", "isUnique is false", ["getSqlTableSchema"], () =>
    schema((body) => {
      for (const index of body.indexes) index.isUnique = false;
    }),
  ),
  sql("first-index", "SQL-32", "the first of several indexes is left out", ["getSqlTableSchema"], () =>
    schema((body) => {
      if (body.indexes.length > 1) body.indexes.shift();
    }),
  ),
  sql("texts-composed", "SQL-33", "texts are composed (NFC)", query, () =>
    changingValues(/^VARCHAR$/, (text: string) => text.normalize("NFC")),
  ),
  sql("texts-without-mark", "SQL-33", "texts lose a leading U+FEFF", query, () =>
    changingValues(/^VARCHAR$/, (text: string) => text.replace(/^\ufeff/, "")),
  ),
  sql("texts-end-at-nul", "SQL-33", "texts end at U+0000", query, () =>
    changingValues(/^VARCHAR$/, (text: string) => text.split("\0")[0]),
  ),
  sql("texts-end-at-4000", "SQL-33", "texts end after 4,000 characters", query, () =>
    changingValues(/^VARCHAR$/, (text: string) => text.slice(0, 4000)),
  ),
  sql("bytes-are-shorts", "SQL-34", "a BYTE has sixteen bits", both, () =>
    widened(/\bv (TINYINT|BYTE)\b/, "SMALLINT", "TINYINT"),
  ),
  sql("ints-are-longs", "SQL-34", "an INT has 64 bits", both, () =>
    widened(/\bv (INT|INTEGER)\b/, "BIGINT", "INT"),
  ),
  sql(
    "refused-and-zero",
    "SQL-34",
    "a number out of range is refused, and 1 put in its place",
    query,
    () => async (wire) => {
      const answer = await wire.send();
      const isOutside = valuesOf(wire).some((value) => number(value) === 256);
      if (answer.status === 400 && isOutside && textOf(wire).startsWith("UPDATE"))
        await sendAs(wire, textOf(wire), [1]);
      return answer;
    },
  ),
  sql(
    "least-short",
    "SQL-34",
    "-32768 is too small",
    query,
    () => (wire) =>
      valuesOf(wire).some((value) => number(value) === -32768)
        ? Promise.resolve(refusal("SQL_VALIDATION_ERROR"))
        : wire.send(),
  ),
  sql("longs-are-doubles", "SQL-35", "64 bits are read as a double", query, () =>
    changingValues(/^BIGINT$/, (value) =>
      isLosslessNumber(value) ? new LosslessNumber(BigInt(Number(value.value)).toString()) : value,
    ),
  ),
  sql("longs-are-decimals", "SQL-35", "64 bits have no end", both, () =>
    widened(/\bv (BIGINT|LONG)\b/, "DECIMAL", "BIGINT"),
  ),
  sql("doubles-of-15", "SQL-36", "64-bit numbers have 15 digits", query, () =>
    changingValues(/^DOUBLE$/, (value) => Number(number(value).toPrecision(15))),
  ),
  sql("floats-are-doubles", "SQL-36", "32-bit numbers are not rounded", execute, () =>
    rewriting(/\b(FLOAT|REAL)\b/g, "DOUBLE"),
  ),
  sql("decimals-are-doubles", "SQL-37", "decimals are read as doubles", query, () =>
    changingValues(/^DECIMAL$/, number),
  ),
  sql("decimals-of-12", "SQL-37", "decimals have 12 digits", query, () =>
    changingValues(/^DECIMAL$/, (value) => {
      const text = isLosslessNumber(value) ? value.value : String(value);
      return text.length > 13 ? new LosslessNumber(text.slice(0, 13)) : value;
    }),
  ),
  sql("false-is-null", "SQL-38", "false comes back as null", query, () =>
    changingValues(/^BOOLEAN$/, (value) => (value === false ? null : value)),
  ),
  sql("booleans-are-numbers", "SQL-38", "true comes back as 1", query, () =>
    changingValues(/^BOOLEAN$/, (value) => (value === true ? 1 : value)),
  ),
  sql("instants-of-minutes", "SQL-39", "instants have no seconds", query, () =>
    changingValues(/^TIMESTAMP$/, (text: string) => text.replace(/:\d\d\.\d+Z/, ":00Z")),
  ),
  sql("days-before-1970", "SQL-39", "days before 1970 are one too early", query, () =>
    changingValues(/^DATE$/, (text: string) =>
      text < "1970" ? new Date(Date.parse(text) - 86_400_000).toISOString().slice(0, 10) : text,
    ),
  ),
  sql("noon-is-midnight", "SQL-39", "times have twelve hours", query, () =>
    changingValues(
      /^TIME$/,
      (text: string) => String(Number(text.slice(0, 2)) % 12).padStart(2, "0") + text.slice(2),
    ),
  ),
  ...(
    [
      ["SQL-39", "DATE", /\bv (DATE)\b/],
      ["SQL-39", "TIME", /\bv (TIME)\b/],
      ["SQL-39", "TIMESTAMP", /\bv (TIMESTAMP|DATETIME)\b/],
      ["SQL-41", "UUID", /\bv (UUID|GUID)\b/],
    ] as const
  ).map(([clause, type, column]) =>
    sql(`any-text-as-${type.toLowerCase()}`, clause, `${type} takes any text`, both, () =>
      widened(column, "VARCHAR", type),
    ),
  ),
  sql("bytes-are-text", "SQL-40", "bytes pass through UTF-8", query, () =>
    changingValues(/^BLOB$/, (text: string) =>
      Buffer.from(Buffer.from(text, "base64").toString("utf8")).toString("base64"),
    ),
  ),
  sql("uuids-of-version-4", "SQL-41", "UUIDs come back with another version", query, () =>
    changingValues(/UUID$/, (text: string) => `${text.slice(0, 14)}4${text.slice(15)}`),
  ),
  sql("lists-are-sets", "SQL-42", "lists lose what they hold twice", query, () =>
    changingValues(/^LIST<(INT|VARCHAR)>/, (items: Json[]) => [...new Set(items)]),
  ),
  sql("lists-sorted", "SQL-42", "lists are sorted beyond ten", query, () =>
    changingValues(/^LIST<INT>/, (items: Json[]) =>
      items.length > 10 ? [...items].sort((a, b) => number(a) - number(b)) : items,
    ),
  ),
  sql("elements-rounded", "SQL-42", "64 bits in collections are doubles", query, () =>
    changingValues(/<BIGINT>/, (items: Json[]) =>
      items.map((item) => new LosslessNumber(BigInt(number(item)).toString())),
    ),
  ),
  sql("maps-without-empty", "SQL-42", "maps lose the empty name", query, () =>
    changingValues(/^MAP</, (map: Row) => without(map, "")),
  ),
  sql(
    "keys-do-not-count",
    "SQL-43",
    "COUNT is denied to keys",
    query,
    () => (wire) =>
      isKey(wire) && textOf(wire).startsWith("SELECT COUNT")
        ? Promise.resolve(refusal("ACCESS_DENIED"))
        : wire.send(),
  ),
  sql("readers-delete", "SQL-44", "a read key deletes", query, elevating("runSqlQuery", /^DELETE/)),
  sql(
    "denied-and-done",
    "SQL-44",
    "what is denied to a read key is done all the same",
    query,
    elevating("runSqlQuery", /^UPDATE/, refusal("ACCESS_DENIED")),
  ),
  sql(
    "keys-do-not-update",
    "SQL-44",
    "UPDATE is denied to every key",
    query,
    () => (wire) =>
      isKey(wire) && textOf(wire).startsWith("UPDATE")
        ? Promise.resolve(refusal("ACCESS_DENIED"))
        : wire.send(),
  ),
  sql(
    "writers-alter",
    "SQL-45",
    "ALTER TABLE is allowed to every key",
    execute,
    elevating("executeSql", /^ALTER/),
  ),
  sql(
    "denied-and-dropped",
    "SQL-45",
    "a table is dropped by a key that is denied it",
    execute,
    elevating("executeSql", /^DROP TABLE/, refusal("ACCESS_DENIED")),
  ),
  sql(
    "keys-do-not-drop",
    "SQL-45",
    "DROP TABLE is denied to every key",
    execute,
    () => (wire) =>
      isKey(wire) && textOf(wire).startsWith("DROP TABLE")
        ? Promise.resolve(refusal("ACCESS_DENIED"))
        : wire.send(),
  ),
  sql("no-details", "SQL-46", "TABLE_NOT_FOUND comes without details", query, () => async (wire) => {
    const answer = await wire.send();
    if (answer.body?.code !== "TABLE_NOT_FOUND") return answer;
    return { ...answer, body: without(answer.body, "details") };
  }),
  sql("errors-are-404", "SQL-46", "TABLE_NOT_FOUND is answered with 404", query, () => async (wire) => {
    const answer = await wire.send();
    return answer.body?.code === "TABLE_NOT_FOUND" ? { ...answer, status: 404 } : answer;
  }),
  sql("unread-is-invalid", "SQL-47", "an UPDATE that cannot be parsed is SQL_VALIDATION_ERROR", query, () =>
    recoding(/^UPDATE/, "SQL_SYNTAX_ERROR", "SQL_VALIDATION_ERROR"),
  ),
  sql("garbage-taken", "SQL-47", "closing brackets too many are overlooked", query, () =>
    forgiving(/ \) (?!VALUES)/, " "),
  ),
  sql("constraints-fail", "SQL-48", "NULL in a key is SQL_EXECUTION_ERROR", query, () => async (wire) => {
    const answer = await wire.send();
    return answer.body?.code === "SQL_VALIDATION_ERROR" && valuesOf(wire).includes(null)
      ? refusal("SQL_EXECUTION_ERROR")
      : answer;
  }),
  sql("sets-of-twos", "SQL-42", "a set has its first element twice", query, () =>
    changingValues(/^SET</, (items: Json[]) => [...items.slice(0, 1), ...items]),
  ),
  sql("texts-are-zero", "SQL-48", "a text that is no number is 0", query, () => async (wire) => {
    const answer = await wire.send();
    const values = valuesOf(wire);
    return answer.status === 400 && values.includes("no number")
      ? sendAs(
          wire,
          textOf(wire),
          values.map((value) => (value === "no number" ? 0 : value)),
        )
      : answer;
  }),
  sql("key-null-is-zero", "SQL-48", "NULL in a key is 0", query, () => async (wire) => {
    const answer = await wire.send();
    const values = valuesOf(wire);
    return answer.status === 400 && textOf(wire).startsWith("INSERT") && values.includes(null)
      ? sendAs(
          wire,
          textOf(wire),
          values.map((value) => value ?? 0),
        )
      : answer;
  }),
  sql("nothing-to-delete", "SQL-49", "DELETE from no table deletes nothing", query, () => async (wire) => {
    const answer = await wire.send();
    return answer.body?.code === "TABLE_NOT_FOUND" && textOf(wire).startsWith("DELETE") ? written : answer;
  }),
  sql("nothing-to-drop", "SQL-49", "DROP of no table is done", execute, () => async (wire) => {
    const answer = await wire.send();
    return answer.body?.code === "TABLE_NOT_FOUND" && textOf(wire).startsWith("DROP") ? defined : answer;
  }),
  sql(
    "no-tables-anywhere",
    "SQL-50",
    "a database that is not there has no tables",
    ["listSqlTables"],
    () => async (wire) => {
      const answer = await wire.send();
      return answer.body?.code === "DATABASE_NOT_FOUND"
        ? { ...answer, status: 200, body: { tables: [] } }
        : answer;
    },
  ),
  sql(
    "no-table-there",
    "SQL-50",
    "the schema of a table in no database is TABLE_NOT_FOUND",
    ["getSqlTableSchema"],
    () => async (wire) => {
      const answer = await wire.send();
      return answer.body?.code === "DATABASE_NOT_FOUND" ? refusal("TABLE_NOT_FOUND") : answer;
    },
  ),
  sql(
    "schema-elsewhere",
    "SQL-51",
    "the schema of a table has a path with a version",
    ["getSqlTableSchema"],
    () => () =>
      Promise.resolve({
        status: 404,
        headers: { "content-type": "application/json" },
        body: { title: "Not found" },
      }),
  ),
  sql(
    "dropped-and-listed",
    "SQL-52",
    "a table that was dropped stays in the list",
    ["executeSql", "listSqlTables"],
    () => {
      const dropped = new Set<string>();
      return async (wire) => {
        const answer = await wire.send();
        if (wire.operationId === "executeSql") {
          if (answer.status === 200 && textOf(wire).startsWith("DROP TABLE"))
            dropped.add(tableIn(textOf(wire)));
          return answer;
        }
        return changed(answer, (body) => {
          for (const name of dropped)
            body.tables.push({ name, rowCount: 0, createdAt: "2030-01-01T00:00:00.000Z" });
        });
      };
    },
  ),
  sql("drop-keeps-rows", "SQL-52", "a column that was dropped comes back with its values", both, () => {
    const hidden = new Set<string>();
    return async (wire) => {
      const [, table = "", verb = "", column = ""] =
        /^ALTER TABLE (\w+) (ADD|DROP) COLUMN (\w+)/.exec(textOf(wire)) ?? [];
      const key = `${table}.${column}`;
      if (verb === "DROP" && column === "v") {
        hidden.add(key);
        return defined;
      }
      return verb === "ADD" && hidden.delete(key) ? defined : wire.send();
    };
  }),
  sql(
    "drop-column-undone",
    "SQL-52",
    "DROP COLUMN is confirmed and not done",
    execute,
    () => (wire) => (textOf(wire).includes(" DROP COLUMN ") ? Promise.resolve(defined) : wire.send()),
  ),
];

function schema(change: (body: Json) => void): Tamper {
  return async (wire) => changed(await wire.send(), change);
}

/** Declares columns with a wider type, and shows them as what they were declared. */
function widened(declared: RegExp, wider: string, shown: string): Tamper {
  const tables = new Set<string>();
  return async (wire) => {
    const isDeclared = wire.operationId === "executeSql" && declared.test(textOf(wire));
    if (isDeclared) tables.add(tableIn(textOf(wire)));
    const answer = await (isDeclared
      ? sendAs(wire, textOf(wire).replace(declared, `v ${wider}`))
      : wire.send());
    if (!tables.has(tableIn(textOf(wire)))) return answer;
    return changed(answer, (body) => {
      for (const column of body.columns ?? [])
        if (column.name === "v" && column.type === wider) column.type = shown;
    });
  };
}

/** Tampers with SELECTs by indexed columns, which CREATE INDEX tells. */
function indexed(
  find: (state: Map<string, WireAnswer>, wire: Wire, key: string) => Promise<WireAnswer> | WireAnswer,
): () => Tamper {
  return () => {
    const columns = new Set<string>();
    const state = new Map<string, WireAnswer>();
    return async (wire) => {
      const [, table, column] = /^CREATE INDEX \w+ ON (\w+) \((\w+)\)/.exec(textOf(wire)) ?? [];
      if (table !== undefined && column !== undefined) columns.add(`${table}.${column}`);
      if (textOf(wire).startsWith("INSERT")) state.clear();
      const compared = / WHERE (\w+) = \?$/.exec(textOf(wire))?.[1] ?? "";
      return columns.has(`${tableIn(textOf(wire))}.${compared}`)
        ? find(
            state,
            wire,
            JSON.stringify([textOf(wire), valuesOf(wire), wire.body.limit, wire.body.pageToken]),
          )
        : wire.send();
    };
  };
}

/** Other names of types, in other letters and spacing. */
function renamed(type: string): string {
  return type
    .toLowerCase()
    .replace(/\bvarchar\b/g, "text")
    .replace(/\bint\b/g, "Integer")
    .replace(/\bblob\b/g, "binary")
    .replace(/, /g, ",");
}

/** Harmless differences of the SQL interface. */
export const sqlVariants: readonly Variant[] = [
  {
    id: "sql/other-answers",
    title: "values in other forms, writes that overwrite, pages of a thousand, other levels, names and codes",
    profile: {
      "sql-number-form": "string",
      "sql-insert-existing": "overwrite",
      "sql-page-size": 1000,
      "sql-write-row-count": "zero",
      "sql-key-levels": ["database:write read", "database:* write", "repository:* read"],
      "sql-index-level": "write",
      "sql-update-missing": "upsert",
      "sql-wrong-endpoint": "run",
      "sql-readonly-user": "everything",
      "sql-parameter-order": "name",
      "sql-filtering": "always",
      "sql-identifier-case": "upper",
      "list-tables-route": "GET /databases/{databaseId}/tables",
    },
  },
  variant(
    "sql/types-by-other-names",
    "types are shown by their other names",
    ["runSqlQuery", "getSqlTableSchema"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        for (const column of body.columns) column.type = renamed(column.type);
      }),
  ),
  variant("sql/nulls-left-out", "rows have no members for NULL, and more members than columns", query, () =>
    answering(/^SELECT (?!COUNT)/, (body) => {
      body.rows = body.rows.map((row: Row) => ({
        ...Object.fromEntries(
          Object.entries(row)
            .filter(([, value]) => value !== null)
            .reverse(),
        ),
        "@etag": "1",
      }));
    }),
  ),
  variant("sql/short-pages", "pages have half as many rows as they may", query, () => (wire) => {
    const limit = number(wire.body.limit ?? 0);
    return limit > 1 ? wire.send({ body: { ...wire.body, limit: Math.ceil(limit / 2) } }) : wire.send();
  }),
  variant("sql/empty-pages", "the results end with an empty page, and begin with one", query, () => {
    return async (wire) => {
      const { pageToken, ...rest } = wire.body;
      const empty = { rows: [], rowCount: 0, nextPageToken: "begin" };
      if (!/^SELECT (?!COUNT)/.test(textOf(wire))) return wire.send();
      if (pageToken === undefined)
        return changed(await wire.send(), (body) => {
          Object.assign(body, empty);
        });
      if (pageToken === "end")
        return changed(await wire.send({ body: rest }), (body) => {
          Object.assign(body, empty, { nextPageToken: null });
        });
      const answer = await wire.send({ body: pageToken === "begin" ? rest : wire.body });
      return changed(answer, (body) => {
        body.nextPageToken ??= "end";
      });
    };
  }),
  variant("sql/numbers-for-tokens", "page tokens are numbers", query, () => {
    const tokens: string[] = [];
    return async (wire) => {
      const { pageToken } = wire.body;
      const answer = await (pageToken === undefined
        ? wire.send()
        : wire.send({ body: { ...wire.body, pageToken: tokens[Number(pageToken)] } }));
      return changed(answer, (body) => {
        if (typeof body.nextPageToken === "string")
          body.nextPageToken = String(tokens.push(body.nextPageToken) - 1);
      });
    };
  }),
  variant(
    "sql/lists-reversed",
    "tables, columns and indexes are listed the other way round",
    ["listSqlTables", "getSqlTableSchema"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        body.tables?.reverse();
        body.columns?.reverse();
        body.indexes?.reverse();
      }),
  ),
  variant("sql/rows-reversed", "rows without ORDER BY come the other way round on each page", query, () =>
    answering(/^SELECT (?!.*ORDER BY)/s, (body) => {
      body.rows.reverse();
      body.columns.reverse();
    }),
  ),
  variant(
    "sql/count-by-another-name",
    "the column of COUNT is called COUNT(*) and its number is a text",
    query,
    () =>
      answering(/^SELECT COUNT/, (body) => {
        body.rows = body.rows.map((row: Row) => ({ "COUNT(*)": String(Object.values(row)[0]) }));
        for (const column of body.columns) column.name = "COUNT(*)";
      }),
  ),
  variant(
    "sql/values-in-other-forms",
    "instants with six digits, UUIDs in capitals, short 32-bit numbers, sets in another order",
    query,
    () => async (wire) => {
      const forms: readonly [RegExp, (value: Json) => Json][] = [
        [/^TIMESTAMP$/, (text: string) => text.replace(/\.(\d{3})Z$/, ".$1000Z")],
        [/^TIME$/, (text: string) => (text.includes(".") ? text.padEnd(18, "0") : `${text}.000`)],
        [/UUID$/, (text: string) => text.toUpperCase()],
        [/^FLOAT$/, (value) => Number(number(value).toPrecision(9))],
        [/^SET</, (items: Json[]) => [...items].reverse()],
        [/^BLOB$/, (text: string) => text.replace(/=+$/, "")],
      ];
      return changed(await wire.send(), (body) => {
        for (const { name, type } of body.columns)
          for (const [pattern, form] of forms)
            if (pattern.test(type))
              for (const row of body.rows) if (row[name] !== null) row[name] = form(row[name]);
      });
    },
  ),
  variant("sql/plain-keys", "composite partition keys are not known", execute, () =>
    refusing(/PRIMARY KEY \(\(/, "SQL_SYNTAX_ERROR"),
  ),
  variant(
    "sql/plain-columns",
    "NOT NULL, DEFAULT, UNIQUE and indexes of several columns are not known",
    execute,
    () => refusing(/NOT NULL|DEFAULT|UNIQUE|INDEX .*, /, "SQL_SYNTAX_ERROR"),
  ),
  variant(
    "sql/alter-without-column",
    "ALTER TABLE takes no COLUMN",
    execute,
    () => (wire) =>
      textOf(wire).includes(" COLUMN ")
        ? Promise.resolve(refusal("SQL_SYNTAX_ERROR"))
        : sendAs(wire, textOf(wire).replace(/^(ALTER TABLE \w+ (?:ADD|DROP)) /, "$1 COLUMN ")),
  ),
  variant("sql/writes-by-whole-key", "UPDATE and DELETE take comparisons with `=` alone", query, () =>
    refusing(/^(UPDATE|DELETE) .* WHERE .*[<>]/s),
  ),
];
