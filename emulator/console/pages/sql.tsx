import { parse, stringify } from "lossless-json";
import { Empty, Table } from "../components.js";
import type { ConsoleApp, ConsoleContext } from "../environment.js";
import { Field, Form } from "../form.js";
import { Link } from "../page.js";
import { mistakeIn, type Refusal, refusalOf } from "../refusal.js";
import type { Schemas } from "../visit.js";
import {
  type DatabaseVisit,
  jsonMistake,
  NextPage,
  objectText,
  onDatabase,
  routeOf,
  showDatabasePage,
} from "./database.js";

interface Result {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly nextPageToken: string | null;
}

/** A statement as the form holds it. */
interface Statement {
  readonly sql: string;
  readonly parameters: string;
}

/** What a statement came to. */
interface Outcome {
  readonly refusal?: Refusal;
  readonly result?: Result;
  /** What was said of a statement without rows. */
  readonly message?: string;
}

/** An editor for SQL. What only reads has an address of its own; what writes is a form. */
export function mountSql(app: ConsoleApp): void {
  app.get(
    "/data/:organizationId/:databaseId/sql",
    onDatabase(async (c, of) => {
      const { sql = "", parameters = "", pageToken } = c.req.query();
      const statement = { sql, parameters };
      return show(c, of, statement, reads(sql) ? await run(of, statement, pageToken) : {});
    }),
  );

  app.post(
    "/data/:organizationId/:databaseId/sql",
    onDatabase(async (c, of) => {
      const { sql = "", parameters = "" } = c.get("fields");
      if (reads(sql)) return c.redirect(of.link("/sql", { sql, parameters }), 303);
      return show(c, of, { sql, parameters }, await run(of, { sql, parameters }));
    }),
  );
}

function reads(sql: string): boolean {
  return /^\s*select\b/i.test(sql);
}

async function run(of: DatabaseVisit, { sql, parameters }: Statement, pageToken?: string): Promise<Outcome> {
  const mistake = jsonMistake(parameters);
  if (mistake !== undefined) return { refusal: mistakeIn("parameters", mistake) };
  const isDefinition = /^\s*(?:create|alter|drop)\b/i.test(sql);
  const body = isDefinition ? { sql } : objectText({ sql, limit: 50, pageToken }, { parameters });
  const reply = await of.ask("POST", `/databases/${of.id}/sql/${isDefinition ? "execute" : "query"}`, body);
  if (!reply.isOk) return { refusal: refusalOf(reply) };
  if (isDefinition) return { message: (reply.body as Schemas["SqlExecuteResponse"]).message };
  const result = parse(reply.text) as Result;
  return result.columns.length === 0 ? { message: "Done." } : { result };
}

async function show(
  c: ConsoleContext,
  of: DatabaseVisit,
  { sql, parameters }: Statement,
  { refusal, result, message }: Outcome,
): Promise<Response> {
  const tables = await tablesOf(of);
  const usual = `SELECT * FROM ${tables[0]?.name ?? "table_name"}`;
  return showDatabasePage(
    c,
    of,
    { tab: "/sql", refusal },
    <>
      <Form
        to="/sql"
        label="SQL"
        class="stack wide"
        values={{ sql: sql === "" ? usual : sql, parameters }}
        submit="Run"
      >
        <Field label="Statement" name="sql" lines={5} />
        <Field
          label="Parameters"
          name="parameters"
          placeholder='{"p1":"kitchen"}'
          hint="JSON object with the values of the ? markers, in order; empty for none."
        />
      </Form>
      {message === undefined ? null : (
        <p class="notice good" role="status">
          {message}
        </p>
      )}
      {result === undefined ? null : <Rows result={result} statement={{ sql, parameters }} />}
      <h2>Tables</h2>
      <Table
        label="Tables"
        head={["Table", ["Rows", "number"], "Columns, keys first"]}
        rows={tables.map(({ name, rowCount, columns }) => [
          <Link to="/sql" query={{ sql: `SELECT * FROM ${name}` }}>
            {name}
          </Link>,
          rowCount,
          columns,
        ])}
        empty={
          <Empty title="No tables yet">
            Run <code>CREATE TABLE notes (id TEXT, at TIMESTAMP, body TEXT, PRIMARY KEY (id, at))</code>.
          </Empty>
        }
      />
    </>,
  );
}

function Rows({ result, statement }: { result: Result; statement: Statement }) {
  const { rows, columns, nextPageToken } = result;
  const textOf = (value: unknown) => (typeof value === "string" ? value : (stringify(value) ?? ""));
  return (
    <>
      <Table
        label="Rows"
        head={columns.map(({ name, type }) => [`${name} ${type}`, "data"] as const)}
        rows={rows.map((row) => columns.map(({ name }) => textOf(row[name])))}
        empty={<Empty title="No rows">The statement is fine, and nothing fits it.</Empty>}
      />
      <NextPage
        to="/sql"
        query={{ ...statement, pageToken: nextPageToken ?? undefined }}
        isThere={nextPageToken !== null}
      />
    </>
  );
}

interface ShownTable {
  readonly name: string;
  readonly rowCount: number;
  readonly columns: string;
}

/** How many tables are described; more of them are only named. */
const maxDescribed = 20;

async function tablesOf(of: DatabaseVisit): Promise<readonly ShownTable[]> {
  const { method, path } = await routeOf(of.visit, "listSqlTables", { databaseId: of.databaseId });
  const list = await of.ask(method, path, method === "POST" ? {} : undefined);
  if (!list.isOk) return [];
  const { tables } = list.body as Schemas["SqlTableList"];
  return Promise.all(
    tables.map(async ({ name, rowCount }, index) => {
      if (index >= maxDescribed) return { name, rowCount, columns: "" };
      const schemaPath = `/databases/${of.id}/sql/tables/${encodeURIComponent(name)}/schema`;
      const { isOk, body } = await of.ask("GET", schemaPath);
      return { name, rowCount, columns: isOk ? describe(body as Schemas["SqlTableSchema"]) : "" };
    }),
  );
}

function describe({ columns, primaryKey }: Schemas["SqlTableSchema"]): string {
  const keys = [...primaryKey.partitionKeys, ...primaryKey.clusteringKeys];
  const rest = columns.filter(({ name }) => !keys.includes(name));
  const type = (key: string) => columns.find(({ name }) => name === key)?.type ?? "";
  return [
    ...keys.map((key) => `${key} ${type(key)} key`),
    ...rest.map(({ name, type: of }) => `${name} ${of}`),
  ].join(", ");
}
