import { parse, stringify } from "lossless-json";
import { EmptyState, Table } from "../../../openapi/html/components.js";
import { buildBody, type FieldValues } from "../contract.js";
import { attemptOrShowRefusal } from "../environment.js";
import { Form } from "../form.js";
import { Link } from "../page.js";
import type { Schemas, PageVisit } from "../page-visit.js";
import { quoteName } from "../../sqlite/quote-name.js";
import { RejectedRequestError } from "../rejected-request-error.js";
import { type DatabasePageContext, createDatabasePage, NextPageLink } from "./database.js";

/** The result of a statement: rows with their exact values, or a message. */
interface Result {
  readonly rows?: readonly Readonly<Record<string, unknown>>[];
  readonly columns?: readonly { readonly name: string; readonly type: string }[];
  readonly nextPageToken?: string | null;
  readonly message?: string;
}

/** An SQL editor. A statement that only reads is part of the address; any other is sent as a form. */
export const sqlPage = createDatabasePage("/sql", async (c, visit, of) => {
  const { sql: text = "", parameters = "", pageToken } = { ...visit.query, ...c.get("fields") };
  const statement = { sql: text, parameters };
  const to = `${of.base}/sql`;
  const isRead = /^\s*select\b/i.test(text);
  const isSent = c.req.method === "POST";
  if (isSent && isRead) return c.redirect(visit.link(to, statement), 303);
  const result =
    isSent || isRead
      ? await attemptOrShowRefusal(c, () => run(visit, of, { ...statement, pageToken }, isSent))
      : undefined;
  const tables = await listTables(visit, of);
  const { rows, columns = [], message } = result ?? {};
  return {
    content: (
      <>
        <Form
          operation="runSqlQuery"
          label="SQL"
          class="stack wide"
          values={{
            parameters,
            sql: text === "" ? `SELECT * FROM ${quoteName(tables[0]?.name ?? "table_name")}` : text,
          }}
          fields={{
            sql: {
              label: "Statement",
              lines: 5,
              hint: "A SELECT, INSERT, UPDATE or DELETE statement, or a statement that defines a table or an index.",
            },
            parameters: {
              label: "Parameters",
              lines: undefined,
              placeholder: '{"p1":"kitchen"}',
              hint: "A JSON object with a value for each ? in the statement, in the same order. Leave empty if the statement contains no ?.",
            },
          }}
          submit="Run"
        />
        {result === undefined || columns.length > 0 ? null : (
          <p class="notice good" role="status">
            {message ?? "Done."}
          </p>
        )}
        {columns.length === 0 ? null : (
          <Table
            label="Rows"
            head={columns.map(({ name, type }) => [`${name} ${type}`, "data"] as const)}
            rows={(rows ?? []).map((row) => columns.map(({ name }) => formatValue(row[name])))}
            empty={<EmptyState title="No rows">The statement is valid, but no rows match it.</EmptyState>}
          />
        )}
        <NextPageLink to={to} query={statement} name="pageToken" cursor={result?.nextPageToken ?? null} />
        <h2>Tables</h2>
        <Table
          label="Tables"
          head={["Table", ["Rows", "number"], "Columns (key columns first)"]}
          rows={tables.map(({ name, rowCount, columns }) => [
            <Link to={to} query={{ sql: `SELECT * FROM ${quoteName(name)}` }}>
              {name}
            </Link>,
            rowCount,
            columns,
          ])}
          empty={
            <EmptyState title="No tables yet">
              Run <code>CREATE TABLE notes (id TEXT, at TIMESTAMP, body TEXT, PRIMARY KEY (id, at))</code>.
            </EmptyState>
          }
        />
      </>
    ),
  };
});

async function run(
  visit: PageVisit,
  { as, databaseId }: DatabasePageContext,
  fields: FieldValues,
  isAction: boolean,
): Promise<Result> {
  const isDefinition = /^\s*(?:create|alter|drop)\b/i.test(fields.sql ?? "");
  const operation = isDefinition ? "executeSql" : "runSqlQuery";
  const limit = String(visit.getPageSize(50));
  const body = buildBody(operation, visit.profile, { limit, ...fields });
  const { text } = await visit.call(operation, { params: { databaseId }, as, body, isAction });
  if (text.length > maxResultCharacters)
    throw new RejectedRequestError(413, [
      `The result has ${text.length} characters. The console can show results of at most ${maxResultCharacters} characters.`,
      "Select fewer columns or shorter values, or send the statement with a client.",
    ]);
  return parse(text) as Result;
}

/** Maximum length of a result, which is read with every digit and shown as a page. */
const maxResultCharacters = 256 * 1024;

function formatValue(value: unknown): string {
  return typeof value === "string" ? value : (stringify(value) ?? "");
}

/** Maximum number of tables that are listed with their columns. */
const maxDescribed = 20;

async function listTables(visit: PageVisit, { as, databaseId }: DatabasePageContext) {
  const params = { databaseId };
  const { tables } = await visit.read("listSqlTables", { params, as });
  return Promise.all(
    tables.map(async ({ name, rowCount }, index) => {
      if (index >= maxDescribed) return { name, rowCount, columns: "" };
      const schema = await visit.read("getSqlTableSchema", { params: { ...params, tableName: name }, as });
      return { name, rowCount, columns: describeColumns(schema) };
    }),
  );
}

function describeColumns({ columns, primaryKey }: Schemas["SqlTableSchema"]): string {
  const keys = [...primaryKey.partitionKeys, ...primaryKey.clusteringKeys];
  const type = (key: string) => columns.find(({ name }) => name === key)?.type ?? "";
  return [
    ...keys.map((key) => `${key} ${type(key)} key`),
    ...columns.filter(({ name }) => !keys.includes(name)).map(({ name, type: of }) => `${name} ${of}`),
  ].join(", ");
}
