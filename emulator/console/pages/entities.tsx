import { parse, stringify } from "lossless-json";
import { Empty, Table } from "../components.js";
import type { ConsoleApp, ConsoleContext } from "../environment.js";
import { Action, Choice, Delete, Field, FoldedForm, Form } from "../form.js";
import { errorPage, Link } from "../page.js";
import { fieldsNamed, mistakeIn, type Refusal, refusalOf } from "../refusal.js";
import type { Schemas } from "../visit.js";
import {
  type DatabaseVisit,
  jsonMistake,
  NextPage,
  objectText,
  onDatabase,
  shortened,
  showDatabasePage,
} from "./database.js";

interface EntityPage {
  readonly entities: readonly { readonly id: string; readonly data: unknown; readonly updatedAt: string }[];
  readonly nextCursor: string | null;
}

/** Repositories of a database, their schemas and entities. */
export function mountEntities(app: ConsoleApp): void {
  const base = "/data/:organizationId/:databaseId/repositories";
  app.get(base, onDatabase(listRepositories));

  app.post(
    base,
    onDatabase(async (c, of) => {
      const { name = "", entityName = "", schema = "" } = c.get("fields");
      const mistake = jsonMistake(schema);
      if (mistake !== undefined) return listRepositories(c, of, mistakeIn("schema", mistake));
      const reply = await of.ask("POST", managementPath(of), objectText({ name, entityName }, { schema }));
      if (!reply.isOk) return listRepositories(c, of, refusalOf(reply));
      return c.redirect(of.link("/repositories", { done: "created" }), 303);
    }),
  );

  app.get(`${base}/:repositoryId`, onDatabase(showRepository));

  app.post(
    `${base}/:repositoryId/delete`,
    onDatabase(async (c, of) => {
      await of.ask("DELETE", `${managementPath(of)}/${repositoryIn(c)}`);
      return c.redirect(of.link("/repositories", { done: "deleted" }), 303);
    }),
  );

  app.get(
    `${base}/:repositoryId/entity`,
    onDatabase((c, of) => showEntity(c, of)),
  );

  app.post(
    `${base}/:repositoryId/entity`,
    onDatabase(async (c, of) => {
      const { id = "", data = "", deed } = c.get("fields");
      const path = `/api/v1/repositories/${repositoryIn(c)}`;
      const entity = `${path}/${encodeURIComponent(id)}`;
      const back = `/repositories/${repositoryIn(c)}`;
      if (deed === "delete") {
        await of.ask("DELETE", entity);
        return c.redirect(of.link(back, { done: "deleted" }), 303);
      }
      const mistake = data === "" ? "is empty" : jsonMistake(data);
      if (mistake !== undefined) return showEntity(c, of, mistakeIn("data", mistake));
      const [method, to] = id === "" ? ["POST", path] : ["PUT", entity];
      const reply = await of.ask(method, to, objectText({}, { data }));
      if (!reply.isOk) return showEntity(c, of, refusalOf(reply));
      return c.redirect(of.link(back, { done: "saved" }), 303);
    }),
  );
}

/** The id of the repository in the address, as a part of a path. */
function repositoryIn(c: ConsoleContext): string {
  return encodeURIComponent(c.req.param("repositoryId") ?? "");
}

function managementPath({ id }: DatabaseVisit): string {
  return `/api/v1/management/databases/${id}/repositories`;
}

function missing(c: ConsoleContext) {
  return errorPage(
    c,
    "Not here",
    "There is no such repository or entity, it was deleted, or a fault rule makes the service fail.",
  );
}

async function listRepositories(c: ConsoleContext, of: DatabaseVisit, refusal?: Refusal): Promise<Response> {
  const reply = await of.ask("GET", managementPath(of));
  const repositories = reply.isOk ? (reply.body as Schemas["RepositoryPage"]).repositories : [];
  return showDatabasePage(
    c,
    of,
    { tab: "/repositories", refusal: refusal ?? (reply.isOk ? undefined : refusalOf(reply)) },
    <>
      <Table
        label="Repositories"
        head={["Name", "Entity", ["Entities", "number"], ["Fields", "muted"], ["", "actions"]]}
        rows={repositories.map(({ repositoryId, name, entityName, itemCount, schema }) => [
          <>
            <Link to={`/repositories/${encodeURIComponent(repositoryId)}`}>{name}</Link>{" "}
            <span class="muted key">{repositoryId}</span>
          </>,
          entityName,
          itemCount,
          Object.keys(schema).join(", ") || "no schema",
          <Delete
            to={`/repositories/${encodeURIComponent(repositoryId)}/delete`}
            of={name}
            question={`Delete the repository ${name} with all its entities?`}
          />,
        ])}
        empty={
          <Empty title="No repositories yet">
            A repository holds entities of one kind, checked against a schema. Create one below.
          </Empty>
        }
      />
      <FoldedForm
        label="Create a repository"
        to="/repositories"
        isOpen={repositories.length === 0}
        submit="Create"
      >
        <div class="pair">
          <Field label="Name" name="name" />
          <Field label="Entity name" name="entityName" />
        </div>
        <Field
          label="Schema"
          name="schema"
          lines={6}
          hint='JSON, as {"title":{"type":"string","required":true}}; empty for none.'
        />
      </FoldedForm>
    </>,
  );
}

async function showRepository(c: ConsoleContext, of: DatabaseVisit): Promise<Response> {
  const { filter = "", values = "", sortBy = "", sortOrder = "asc", cursor } = c.req.query();
  const described = await of.ask("GET", `${managementPath(of)}/${repositoryIn(c)}`);
  if (!described.isOk) return missing(c);
  const { name, entityName, schema } = described.body as Schemas["Repository"];
  const mistake = jsonMistake(values);
  const sorted = sortBy === "" ? {} : { sortBy, sortOrder };
  const body = objectText(
    { limit: 50, filter: filter || undefined, ...sorted, cursor },
    { filterValues: mistake === undefined ? values : "" },
  );
  const reply = await of.ask("POST", `/api/v1/repositories/${repositoryIn(c)}/query`, body);
  const { entities, nextCursor } = reply.isOk
    ? (parse(reply.text) as EntityPage)
    : { entities: [], nextCursor: null };
  const below = `/repositories/${repositoryIn(c)}`;
  const query = { filter, values, sortBy, sortOrder };
  return showDatabasePage(
    c,
    of,
    {
      tab: "/repositories",
      title: name,
      refusal: reply.isOk ? undefined : refusalOf(reply, fieldsNamed({ filterValues: "values" })),
    },
    <>
      <details>
        <summary>Schema of {entityName}</summary>
        <pre tabindex={0}>{JSON.stringify(schema, undefined, 2)}</pre>
      </details>
      <Form to={below} isSearch label="Find entities" values={query}>
        <Field label="Filter" name="filter" placeholder="price > :least" />
        <Field label="Values" name="values" placeholder='{":least":20}' problem={mistake} />
        <Field label="Sort by" name="sortBy" />
        <Choice label="Order" name="sortOrder" options={["asc", "desc"]} />
        <button class="main">Find</button>
        <Link to={`${below}/entity`} isButton>
          Add an entity
        </Link>
      </Form>
      <Table
        label="Entities"
        head={[
          ["Id", "key"],
          ["Data", "data"],
          ["Changed", "nowrap muted"],
        ]}
        rows={entities.map(({ id, data, updatedAt }) => [
          <Link to={`${below}/entity`} query={{ id }}>
            {id}
          </Link>,
          shortened(stringify(data) ?? ""),
          updatedAt.slice(0, 19).replace("T", " "),
        ])}
        empty={<Empty title="No entities found">Add one, or ask for less.</Empty>}
      />
      <NextPage
        to={below}
        query={{ ...query, cursor: nextCursor ?? undefined }}
        isThere={nextCursor !== null}
      />
    </>,
  );
}

async function showEntity(c: ConsoleContext, of: DatabaseVisit, refusal?: Refusal): Promise<Response> {
  const id = c.get("fields").id ?? c.req.query("id") ?? "";
  const below = `/repositories/${repositoryIn(c)}`;
  let data = "{\n  \n}";
  if (refusal === undefined && id !== "") {
    const reply = await of.ask("GET", `/api/v1/repositories/${repositoryIn(c)}/${encodeURIComponent(id)}`);
    if (!reply.isOk) return missing(c);
    data = stringify((parse(reply.text) as { data: unknown }).data, undefined, 2) ?? "";
  }
  const form = `${below}/entity`;
  return showDatabasePage(
    c,
    of,
    { tab: "/repositories", title: id === "" ? "New entity" : id, refusal },
    <>
      <Form
        to={form}
        label="Entity"
        hidden={{ id }}
        values={{ data }}
        submit="Save"
        back={[below, "Back to the entities"]}
      >
        <Field label="Data" name="data" lines={14} hint="A JSON object." />
      </Form>
      {id === "" ? null : (
        <Action
          to={form}
          label="Delete this entity"
          kind="danger"
          fields={{ id, deed: "delete" }}
          question="Delete this entity?"
        />
      )}
    </>,
  );
}
