import { scopes } from "../../openapi/schemas/roles.js";
import { gaps } from "../../openapi/gaps/register.js";
import type { sqlGaps } from "../../openapi/gaps/sql.js";
import { ownName } from "../checks/sql/rows-of.js";
import type { Answer, Call } from "../client/client.js";
import { eitherWay, fitting, largestAccepted, oneOf, seen } from "./makers.js";
import { objectsIn } from "./objects-in.js";
import type { ObserversOf } from "./observer.js";
import type { ObserverContext } from "./observer-context.js";
import { pagesCount } from "./page-counts.js";
import { routeAnswer } from "./route-answer.js";

const needed = ["database", "sql"] as const;

/** Sends a statement to `query`; parameters are JSON text, so that no digit is lost. */
async function query(
  context: ObserverContext,
  sql: string,
  parameters?: string,
  call: Call = {},
): Promise<Answer> {
  const members = [
    `"sql":${JSON.stringify(sql)}`,
    ...(parameters === undefined ? [] : [`"parameters":${parameters}`]),
  ];
  return context.provoke("runSqlQuery", {
    path: { databaseId: await context.database() },
    rawBody: `{${members.join(",")}}`,
    ...call,
  });
}

async function execute(context: ObserverContext, sql: string, call: Call = {}): Promise<Answer> {
  return context.provoke("executeSql", {
    path: { databaseId: await context.database() },
    body: { sql },
    ...call,
  });
}

/** Sends a statement that has to be run for anything to be seen. */
async function run(context: ObserverContext, sql: string, parameters?: string): Promise<Answer> {
  return context.succeeded(await query(context, sql, parameters), sql);
}

/** A table with a key `k` and a column `v` of a type. */
function table(context: ObserverContext, type = "INT"): Promise<string> {
  return context.resources.newTable(`k INT, v ${type}, PRIMARY KEY (k)`);
}

/** The value of `v` in the row with a key; nothing without such a row. */
async function valueAt(context: ObserverContext, name: string, k: number): Promise<unknown> {
  const [row] = rowsOf(await run(context, `SELECT v FROM ${name} WHERE k = ${k}`));
  return row?.v;
}

/** What is shown of a value that is given as JSON; that it is refused, where it is. */
async function through(context: ObserverContext, type: string, json: string): Promise<unknown> {
  const name = await table(context, type);
  const answer = await query(context, `INSERT INTO ${name} (k, v) VALUES (1, ?)`, `{"p1":${json}}`);
  return context.accepted(answer) ? valueAt(context, name, 1) : "refused";
}

/** The form in which a value is taken, and given back as it was. */
async function formOf<const Forms extends Readonly<Record<string, string>>>(
  context: ObserverContext,
  type: string,
  forms: Forms,
): Promise<keyof Forms> {
  const found: unknown[] = [];
  for (const [form, json] of Object.entries(forms)) {
    const shown = await through(context, type, json);
    if (JSON.stringify(shown) === json) return form;
    found.push(shown);
  }
  return context.other(found, `one of ${Object.values(forms).join(", ")} to come back as it was given`);
}

/** The rows of an answer, with names of columns in small letters: what becomes of letters is open. */
function rowsOf(answer: Answer): readonly Readonly<Record<string, unknown>>[] {
  return (answer.body.rows as readonly object[]).map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [ownName(name), value as unknown])),
  );
}

/** The name of the one column that a statement selects. */
async function onlyColumn(context: ObserverContext, sql: string): Promise<string> {
  const { columns } = (await run(context, sql)).body as { readonly columns: unknown };
  const [column, ...others] = objectsIn(context, columns, "the columns of a result");
  if (column === undefined || others.length > 0) return context.other(columns, "one column");
  return String(column.name);
}

/** The code of a refusal; that it was accepted, where it was. */
function codeOf(context: ObserverContext, answer: Answer): string {
  return context.accepted(answer) ? "accepted" : String(answer.body?.code);
}

/** The code that all statements are refused with. */
async function oneCode<const Code extends string>(
  context: ObserverContext,
  codes: readonly Code[],
  answers: readonly Answer[],
): Promise<Code> {
  const found = [...new Set(answers.map((answer) => codeOf(context, answer)))];
  const code = codes.find((known) => found.length === 1 && found[0] === known);
  return Promise.resolve(code ?? context.other(found, `one of ${codes.join(", ")} for all`));
}

const validationOrSyntax = ["SQL_SYNTAX_ERROR", "SQL_VALIDATION_ERROR"] as const;

/** The spelling of the first value in the rows of an answer. */
function spelled(answer: Answer): string | undefined {
  return /"rows"\s*:\s*\[\s*\{\s*"[^"]*"\s*:\s*("[^"]*"|[^,}\s]*)/.exec(answer.text)?.[1];
}

/** Scopes of keys that may have a level; `*` has that of admin in any case. */
const levelScopes = scopes.filter((scope) => scope !== "*");

async function levelOf(
  context: ObserverContext,
  scope: (typeof levelScopes)[number],
  name: string,
  k: number,
): Promise<"read" | "write" | "admin" | undefined> {
  const as = await context.check.actors.key(scope);
  const parent = await context.database();
  const other = context.resources.tableName();
  const may = {
    read: context.accepted(await query(context, `SELECT v FROM ${name} WHERE k = 0`, undefined, { as })),
    write: context.accepted(
      await query(context, `INSERT INTO ${name} (k, v) VALUES (${k}, 1)`, undefined, { as }),
    ),
    admin: context.accepted(
      await context.resources.make({ kind: "table", name: other, parent }, undefined, () =>
        execute(context, `CREATE TABLE ${other} (k INT, PRIMARY KEY (k))`, { as }),
      ),
    ),
  };
  if ((may.admin && !may.write) || (may.write && !may.read))
    context.other({ scope, ...may }, "levels that include those below");
  return may.admin ? "admin" : may.write ? "write" : may.read ? "read" : undefined;
}

/** Rows at the first look; at each one after it there are twice as many. */
const fewRows = 32;

async function defaultLimit(context: ObserverContext): Promise<number> {
  const name = await table(context);
  const { entries } = context.bounds;
  for (let rows = 0, wanted = Math.min(fewRows, entries); ; wanted = Math.min(2 * wanted, entries)) {
    // one by one: a statement that inserts several rows is not shown
    for (; rows < wanted; rows++) await run(context, `INSERT INTO ${name} (k, v) VALUES (${rows}, 1)`);
    const answer = await run(context, `SELECT k FROM ${name}`);
    const { length } = rowsOf(answer);
    if (answer.body.nextPageToken !== null) return length;
    if (rows >= entries)
      return context.undecided(
        `a page holds all ${length} rows that the bounds of the target allow to be made`,
      );
  }
}

/** Digits that no rounding leaves as they are. */
function digits(count: number): string {
  return "123456789".repeat(Math.ceil(count / 9)).slice(0, count);
}

async function decimalDigits(context: ObserverContext): Promise<number | "all"> {
  const name = await table(context, "DECIMAL");
  let k = 0;
  // numbers in the statement keep their digits, whatever becomes of those in parameters
  const isKept = async (number: string) => {
    const answer = await query(context, `INSERT INTO ${name} (k, v) VALUES (${++k}, ${number})`);
    if (!context.accepted(answer)) return false;
    const shown = spelled(await run(context, `SELECT v FROM ${name} WHERE k = ${k}`))?.replaceAll('"', "");
    return shown === number
      ? true
      : context.other(`${number} comes back as ${String(shown)}`, "the same, or a refusal");
  };
  const { minimum, maximum } = gaps["sql-decimal-digits"].range;
  if (await isKept(`${digits(maximum)}.${digits(maximum)}`)) return "all";
  return largestAccepted(context, { from: minimum, to: maximum + 1 }, (count) => isKept(digits(count)));
}

export const sqlObservers = {
  "list-tables-route": seen(needed, async (context) =>
    routeAnswer(context, "list-tables-route", "listSqlTables", {
      path: { databaseId: await context.database() },
    }),
  ),
  "sql-insert-existing": seen(needed, async (context) => {
    const name = await table(context);
    await run(context, `INSERT INTO ${name} (k, v) VALUES (1, 1)`);
    const code = codeOf(context, await query(context, `INSERT INTO ${name} (k, v) VALUES (1, 2)`));
    const value = await valueAt(context, name, 1);
    const answers = { SQL_VALIDATION_ERROR: ["SQL_VALIDATION_ERROR", 1], overwrite: ["accepted", 2] };
    return fitting(context, answers, [code, value]);
  }),
  "sql-filtering": seen(needed, async (context) => {
    const name = await table(context);
    const select = `SELECT k FROM ${name} WHERE v = 1`;
    const [plainly, allowed] = [
      await query(context, select),
      await query(context, `${select} ALLOW FILTERING`),
    ];
    if (context.accepted(plainly)) return "always";
    return context.accepted(allowed)
      ? "with-allow-filtering"
      : context.other(allowed.text, "a statement that ends in ALLOW FILTERING to be taken");
  }),
  "sql-parameter-order": seen(needed, async (context) => {
    const name = await context.resources.newTable("p INT, c INT, PRIMARY KEY (p, c)");
    await run(context, `INSERT INTO ${name} (p, c) VALUES (1, 2)`);
    const find = async (parameters: string) =>
      rowsOf(await run(context, `SELECT c FROM ${name} WHERE p = ? AND c = ?`, parameters)).length;
    const answers = { document: [1, 0, 1, 0], name: [0, 1, 0, 1] };
    return fitting(context, answers, [
      await find('{"b":1,"a":2}'),
      await find('{"b":2,"a":1}'),
      await find('{"p10":1,"p2":2}'),
      await find('{"p10":2,"p2":1}'),
    ]);
  }),
  "sql-unused-parameters": oneOf(
    needed,
    { refused: ["refused", "refused"], ignored: [["a"], ["a"]] },
    async (context) => {
      const name = await table(context, "TEXT");
      await run(context, `INSERT INTO ${name} (k, v) VALUES (1, 'a')`);
      await run(context, `INSERT INTO ${name} (k, v) VALUES (2, 'b')`);
      const find = async (key: string, parameters?: string) => {
        const answer = await query(context, `SELECT v FROM ${name} WHERE k = ${key}`, parameters);
        return context.accepted(answer) ? rowsOf(answer).map(({ v }) => v) : "refused";
      };
      const twins = [await find("?", '{"p1":1}'), await find("1")];
      if (JSON.stringify(twins) !== '[["a"],["a"]]')
        context.undecided("a row is not found where each marker has its value");
      return [await find("?", '{"p1":1,"p2":2}'), await find("1", '{"p1":2}')];
    },
  ),
  "sql-key-levels": seen(
    [...needed, ...levelScopes.map((scope) => `key ${scope}` as const)],
    async (context) => {
      const name = await table(context);
      const levels: string[] = [];
      // keys of another organization are refused whatever their scopes are
      await context.must("queryItems", {
        as: await context.check.actors.key("database:read"),
        path: { databaseId: await context.database() },
        body: { partitionKey: context.resources.name() },
      });
      for (const [k, scope] of levelScopes.entries()) {
        const level = await levelOf(context, scope, name, k);
        if (level !== undefined) levels.push(`${scope} ${level}`);
      }
      return levels;
    },
  ),
  "sql-index-level": eitherWay(
    needed,
    { accepted: "write", refused: "admin" },
    async (context) => {
      const levels = context.neededAnswerTo("sql-key-levels");
      const writer = levelScopes.find((scope) => levels.includes(`${scope} write`));
      if (writer === undefined) return context.undecided("no key has the level write");
      const as = await context.check.actors.key(writer);
      const name = await table(context);
      return execute(context, `CREATE INDEX ${name}_v ON ${name} (v)`, { as });
    },
    {
      hidden: [
        {
          by: "sql-key-levels",
          when: (other) => !(other as readonly string[]).some((entry) => entry.endsWith(" write")),
          because: "no key has the level write",
        },
      ],
    },
  ),
  "sql-readonly-user": eitherWay(
    [...needed, "readonly"],
    { accepted: "everything", refused: "select" },
    async (context) => {
      const name = await table(context);
      const as = await context.actor("readonly");
      return query(context, `INSERT INTO ${name} (k, v) VALUES (1, 1)`, undefined, { as });
    },
  ),
  "sql-number-form": seen(needed, async (context) => {
    const name = await context.resources.newTable("k INT, b BIGINT, d DECIMAL, PRIMARY KEY (k)");
    await run(context, `INSERT INTO ${name} (k, b, d) VALUES (1, 9007199254740993, 0.12345678901234567891)`);
    return fitting(
      context,
      {
        number: ["9007199254740993", "0.12345678901234567891"],
        string: ['"9007199254740993"', '"0.12345678901234567891"'],
      },
      [
        spelled(await run(context, `SELECT b FROM ${name} WHERE k = 1`)),
        spelled(await run(context, `SELECT d FROM ${name} WHERE k = 1`)),
      ],
    );
  }),
  "sql-parameter-numbers": seen(needed, async (context) => {
    const name = await table(context, "BIGINT");
    const shownAt = async (k: number) =>
      spelled(await run(context, `SELECT v FROM ${name} WHERE k = ${k}`))?.replaceAll('"', "");
    // numbers in a statement keep their digits: where they do not, it is not the parameters that lose them
    await run(context, `INSERT INTO ${name} (k, v) VALUES (0, 9007199254740993)`);
    if ((await shownAt(0)) !== "9007199254740993")
      context.undecided("numbers in statements lose digits as well");
    await run(context, `INSERT INTO ${name} (k, v) VALUES (1, ?)`, '{"p1":9007199254740993}');
    const shown = await shownAt(1);
    return fitting(context, { exact: "9007199254740993", double: "9007199254740992" }, shown);
  }),
  "sql-default-value-form": seen(needed, async (context) => {
    const name = await context.resources.newTable("k INT, v INT DEFAULT 7, PRIMARY KEY (k)");
    const path = { databaseId: await context.database(), tableName: name };
    const { columns } = (await context.must("getSqlTableSchema", { path })).body;
    const column = (columns as { name: string; defaultValue: unknown }[]).find(
      (one) => ownName(one.name) === "v",
    );
    return fitting(context, { value: 7, text: "7" }, column?.defaultValue);
  }),
  "sql-row-count": seen(needed, async (context) => {
    const name = await table(context);
    for (const k of [1, 2, 3, 4, 5]) await run(context, `INSERT INTO ${name} (k, v) VALUES (${k}, 1)`);
    const path = { databaseId: await context.database() };
    return pagesCount(
      context,
      async (pageToken) => {
        const body = {
          sql: `SELECT * FROM ${name}`,
          limit: 2,
          ...(pageToken === undefined ? {} : { pageToken }),
        };
        const answer = await context.must("runSqlQuery", { path, body });
        const { rowCount, nextPageToken } = answer.body;
        return { size: rowsOf(answer).length, count: rowCount, next: nextPageToken as string | null };
      },
      5,
    );
  }),
  "sql-write-row-count": oneOf(needed, { affected: [1, 1], zero: [0, 0] }, async (context) => {
    const name = await table(context);
    const inserted = await run(context, `INSERT INTO ${name} (k, v) VALUES (1, 1)`);
    const deleted = await run(context, `DELETE FROM ${name} WHERE k = 1`);
    return [inserted.body.rowCount, deleted.body.rowCount];
  }),
  "sql-update-missing": seen(needed, async (context) => {
    const name = await table(context);
    const code = codeOf(context, await query(context, `UPDATE ${name} SET v = 5 WHERE k = 9`));
    const value = (await valueAt(context, name, 9)) ?? null;
    return fitting(
      context,
      {
        nothing: ["accepted", null],
        upsert: ["accepted", 5],
        SQL_VALIDATION_ERROR: ["SQL_VALIDATION_ERROR", null],
      },
      [code, value],
    );
  }),
  "sql-value-error-code": seen(needed, async (context) => {
    const name = await table(context);
    return oneCode(
      context,
      ["SQL_VALIDATION_ERROR", "SQL_EXECUTION_ERROR"],
      [
        await query(context, `INSERT INTO ${name} (k, v) VALUES (1, 'x')`),
        await query(context, `INSERT INTO ${name} (k, v) VALUES (1, ?)`, '{"p1":"x"}'),
      ],
    );
  }),
  "sql-integer-overflow": seen(needed, async (context) => {
    const answers = { refuse: ["refused", "refused"], wrap: [44, -44], clamp: [127, -128] };
    const shown = [await through(context, "TINYINT", "300"), await through(context, "TINYINT", "-300")];
    return fitting(context, answers, shown);
  }),
  "sql-decimal-digits": seen(needed, decimalDigits),
  "sql-time-digits": seen(needed, async (context) => {
    const all = "123456789";
    const shown = String(await through(context, "TIMESTAMP", `"2030-01-01T10:20:30.${all}Z"`));
    const [, fraction = ""] =
      /^2030-01-01T10:20:30(?:\.(\d+))?(?:Z|\+00:00)$/.exec(shown) ??
      context.other(shown, "the instant, cut off");
    const kept = fraction.replace(/0+$/, "");
    return all.startsWith(kept) ? kept.length : context.other(shown, "digits that are cut off");
  }),
  "sql-date-time-form": seen(needed, (context) =>
    formOf(context, "DATE", { text: '"2024-02-29"', number: "19782" }),
  ),
  "sql-timestamp-form": seen(needed, async (context) => {
    const shown = String(await through(context, "TIMESTAMP", '"2030-01-01T10:20:30Z"'));
    const [, fraction = ""] =
      /^2030-01-01T10:20:30(?:\.(\d+))?(?:Z|\+00:00)$/.exec(shown) ?? context.other(shown, "the instant");
    return fitting(context, { three: "000", shortest: "" }, fraction);
  }),
  "sql-blob-form": seen(needed, (context) =>
    formOf(context, "BLOB", { base64: '"+/8A"', hex: '"fbff00"', "0x": '"0xfbff00"' }),
  ),
  "sql-uuid-case": seen(needed, async (context) => {
    const lower = "6ba7b810-9dad-11d1-80b4-00c04fd430c8";
    const shown = [
      await through(context, "UUID", JSON.stringify(lower)),
      await through(context, "UUID", JSON.stringify(lower.toUpperCase())),
    ];
    const upper = lower.toUpperCase();
    return fitting(context, { lower: [lower, lower], upper: [upper, upper] }, shown);
  }),
  "sql-map-form": seen(needed, (context) =>
    formOf(context, "MAP<VARCHAR, INT>", {
      object: '{"a":1}',
      pairs: '[["a",1]]',
      entries: '[{"key":"a","value":1}]',
    }),
  ),
  "sql-set-duplicates": seen(needed, async (context) => {
    const shown = await through(context, "SET<INT>", "[1,1]");
    return fitting(context, { merge: [1], refuse: "refused" }, shown);
  }),
  "sql-empty-collection": seen(needed, async (context) => {
    const shown = (await through(context, "LIST<INT>", "[]")) ?? null;
    return fitting(context, { kept: [], null: null }, shown);
  }),
  "sql-nested-collections": eitherWay(needed, { accepted: "taken", refused: "refused" }, async (context) => {
    const { resources } = context;
    const parent = await context.database();
    const name = resources.tableName();
    return resources.make({ kind: "table", name, parent }, undefined, () =>
      execute(context, `CREATE TABLE ${name} (k INT, v LIST<SET<INT>>, PRIMARY KEY (k))`),
    );
  }),
  "sql-type-names": seen(needed, async (context) => {
    const name = await context.resources.newTable("k INT, v TEXT, b BIGINT, PRIMARY KEY (k)");
    const { columns } = (await run(context, `SELECT k, v, b FROM ${name}`)).body;
    const answers = { first: ["INT", "VARCHAR", "BIGINT"], last: ["INTEGER", "STRING", "LONG"] };
    return fitting(
      context,
      answers,
      (columns as { type: string }[]).map(({ type }) => type),
    );
  }),
  "sql-count-column": seen(needed, async (context) => {
    const name = await table(context);
    const column = await onlyColumn(context, `SELECT COUNT(*) FROM ${name}`);
    return fitting(context, { count: "count", expression: "count(*)" }, column.toLowerCase());
  }),
  "sql-default-limit": seen(needed, defaultLimit),
  "sql-identifier-case": seen(needed, async (context) => {
    const name = await context.resources.newTable("k INT, MiXed INT, PRIMARY KEY (k)");
    const column = await onlyColumn(context, `SELECT MiXed FROM ${name}`);
    return fitting(context, { lower: "mixed", upper: "MIXED", exact: "MiXed" }, column);
  }),
  "sql-unsupported-code": seen(needed, async (context) => {
    const name = await table(context);
    return oneCode(context, validationOrSyntax, [
      await query(context, `SELECT * FROM ${name} JOIN ${name}`),
      await query(context, `SELECT k FROM ${name} GROUP BY k`),
      await query(context, `SELECT SUM(v) FROM ${name}`),
    ]);
  }),
  "sql-wrong-endpoint": eitherWay(needed, { accepted: "run", refused: "refuse" }, async (context) => {
    const name = await table(context);
    return [
      await query(context, `CREATE INDEX ${name}_v ON ${name} (v)`),
      await execute(context, `INSERT INTO ${name} (k, v) VALUES (1, 1)`),
    ];
  }),
  "sql-wrong-endpoint-code": seen(
    needed,
    async (context) => {
      const name = await table(context);
      return oneCode(
        context,
        ["SQL_VALIDATION_ERROR", "SQL_SYNTAX_ERROR"],
        [
          await query(context, `CREATE INDEX ${name}_v ON ${name} (v)`),
          await execute(context, `INSERT INTO ${name} (k, v) VALUES (1, 1)`),
        ],
      );
    },
    {
      hidden: [
        { by: "sql-wrong-endpoint", when: (other) => other === "run", because: "such statements are run" },
      ],
    },
  ),
  "sql-length-max": seen(needed, async (context) => {
    const { minimum, maximum } = gaps["sql-length-max"].range;
    const name = await table(context);
    const select = `SELECT k FROM ${name}`;
    return largestAccepted(context, { from: minimum, to: maximum + 1 }, async (length) =>
      context.accepted(await query(context, select.padEnd(length))),
    );
  }),
} as const satisfies ObserversOf<typeof sqlGaps>;
