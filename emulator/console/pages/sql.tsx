import type { Context } from "hono";
import { parse, stringify } from "lossless-json";
import type { components } from "../../../openapi/generated/service-types.js";
import type { ConsoleApp, ConsoleEnvironment } from "../console-app.js";
import { DatabaseFrame, type DatabaseVisit, visitDatabase } from "../database-frame.js";
import { noDatabase } from "../no-database.js";
import { type Refusal, refusalOf } from "../field-problems.js";
import { Field, Form } from "../form.js";
import { Empty, RefusalNotice, Table } from "../notices.js";
import { routeOf } from "../route-of.js";
import { jsonMistake } from "./items.js";

interface Result {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly nextPageToken: string | null;
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
  app.get("/data/:organizationId/:databaseId/sql", async (c) => {
    const { organizationId, databaseId } = c.req.param();
    const of = await visitDatabase(c, organizationId, databaseId);
    if (of === undefined) return noDatabase(c);
    const { sql = "", parameters = "", pageToken } = c.req.query();
    const outcome = reads(sql) ? await run(of, sql, parameters, pageToken) : {};
    return show(c, of, { sql, parameters }, outcome);
  });

  app.post("/data/:organizationId/:databaseId/sql", async (c) => {
    const { organizationId, databaseId } = c.req.param();
    const of = await visitDatabase(c, organizationId, databaseId);
    if (of === undefined) return noDatabase(c);
    const { sql = "", parameters = "" } = c.get("fields");
    if (reads(sql)) return c.redirect(of.link("/sql", { sql, parameters }), 303);
    return show(c, of, { sql, parameters }, await run(of, sql, parameters, undefined));
  });
}

function reads(sql: string): boolean {
  return /^\s*select\b/i.test(sql);
}

async function run(of: DatabaseVisit, sql: string, parameters: string, pageToken?: string): Promise<Outcome> {
  const mistake = parameters.trim() === "" ? undefined : jsonMistake(parameters);
  if (mistake !== undefined)
    return { refusal: { status: 400, general: [], fields: { parameters: { text: mistake } } } };
  const isDefinition = /^\s*(?:create|alter|drop)\b/i.test(sql);
  const members = [
    `"sql":${JSON.stringify(sql)}`,
    ...(isDefinition ? [] : ['"limit":50']),
    ...(parameters.trim() === "" || isDefinition ? [] : [`"parameters":${parameters}`]),
    ...(pageToken === undefined ? [] : [`"pageToken":${JSON.stringify(pageToken)}`]),
  ];
  const path = `/databases/${encodeURIComponent(of.databaseId)}/sql/${isDefinition ? "execute" : "query"}`;
  const reply = await of.visit.ask("POST", path, { token: of.token, body: `{${members.join(",")}}` });
  if (!reply.isOk) return { refusal: refusalOf(reply, (pointer) => pointer.split("/")[1]) };
  if (isDefinition) return { message: (reply.body as components["schemas"]["SqlExecuteResponse"]).message };
  const result = parse(reply.text) as Result;
  return result.columns.length === 0 ? { message: "Done." } : { result };
}

async function show(
  c: Context<ConsoleEnvironment>,
  of: DatabaseVisit,
  { sql, parameters }: { readonly sql: string; readonly parameters: string },
  { refusal, result, message }: Outcome,
): Promise<Response> {
  const tables = await tablesOf(of);
  if (refusal !== undefined && c.req.method === "POST") c.status(400);
  return c.html(
    <DatabaseFrame of={of} tab="/sql">
      <Form action={of.link("/sql")} label="SQL" class="stack wide">
        <Field
          label="Statement"
          name="sql"
          value={sql === "" ? `SELECT * FROM ${tables[0]?.name ?? "table_name"}` : sql}
          lines={5}
          problem={refusal?.fields.sql}
        />
        <Field
          label="Parameters"
          name="parameters"
          value={parameters}
          placeholder='{"p1":"kitchen"}'
          hint="JSON object with the values of ?, in their order; empty for none."
          problem={refusal?.fields.parameters}
        />
        <div class="buttons">
          <button class="main">Run</button>
        </div>
      </Form>
      <RefusalNotice refusal={refusal} />
      {message === undefined ? null : (
        <p class="notice good" role="status">
          {message}
        </p>
      )}
      {result === undefined ? null : (
        <Rows result={result} next={(pageToken) => of.link("/sql", { sql, parameters, pageToken })} />
      )}
      <h2>Tables</h2>
      {tables.length === 0 ? (
        <Empty title="No tables yet">
          <p>
            Run <code>CREATE TABLE notes (id TEXT, at TIMESTAMP, body TEXT, PRIMARY KEY (id, at))</code>.
          </p>
        </Empty>
      ) : (
        <Table label="Tables" head={["Table", "Rows", "Columns, keys first"]}>
          {tables.map(({ name, rowCount, columns }) => (
            <tr>
              <th scope="row">
                <a href={of.link("/sql", { sql: `SELECT * FROM ${name}` })}>{name}</a>
              </th>
              <td class="number">{rowCount}</td>
              <td>{columns}</td>
            </tr>
          ))}
        </Table>
      )}
    </DatabaseFrame>,
  );
}

function Rows({ result, next }: { result: Result; next: (pageToken: string) => string }) {
  const { rows, columns, nextPageToken } = result;
  if (rows.length === 0)
    return (
      <Empty title="No rows">
        <p>The statement is fine, and nothing fits it.</p>
      </Empty>
    );
  return (
    <>
      <Table label="Rows" head={columns.map(({ name, type }) => `${name} ${type}`)}>
        {rows.map((row) => (
          <tr>
            {columns.map(({ name }) => (
              <td class="data" dir="auto">
                {textOf(row[name])}
              </td>
            ))}
          </tr>
        ))}
      </Table>
      {nextPageToken === null ? null : (
        <a class="button" href={next(nextPageToken)}>
          Next page
        </a>
      )}
    </>
  );
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : (stringify(value) ?? "");
}

interface ShownTable {
  readonly name: string;
  readonly rowCount: number;
  readonly columns: string;
}

/** How many tables are described; more of them are only named. */
const mostDescribed = 20;

async function tablesOf(of: DatabaseVisit): Promise<readonly ShownTable[]> {
  const { method, path } = await routeOf(of.visit, "listSqlTables", { databaseId: of.databaseId });
  const list = await of.visit.ask(method, path, {
    token: of.token,
    ...(method === "POST" ? { body: {} } : {}),
  });
  if (!list.isOk) return [];
  const { tables } = list.body as components["schemas"]["SqlTableList"];
  return Promise.all(
    tables.map(async ({ name, rowCount }, index) => {
      if (index >= mostDescribed) return { name, rowCount, columns: "" };
      const schemaPath = `/databases/${encodeURIComponent(of.databaseId)}/sql/tables/${encodeURIComponent(name)}/schema`;
      const { isOk, body } = await of.visit.ask("GET", schemaPath, { token: of.token });
      return {
        name,
        rowCount,
        columns: isOk ? describe(body as components["schemas"]["SqlTableSchema"]) : "",
      };
    }),
  );
}

function describe({ columns, primaryKey }: components["schemas"]["SqlTableSchema"]): string {
  const keys = [...primaryKey.partitionKeys, ...primaryKey.clusteringKeys];
  const rest = columns.filter(({ name }) => !keys.includes(name));
  const type = (key: string) => columns.find(({ name }) => name === key)?.type ?? "";
  return [
    ...keys.map((key) => `${key} ${type(key)} key`),
    ...rest.map(({ name, type: of }) => `${name} ${of}`),
  ].join(", ");
}
