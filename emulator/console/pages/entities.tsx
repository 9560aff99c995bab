import type { Context } from "hono";
import { parse, stringify } from "lossless-json";
import type { components } from "../../../openapi/generated/service-types.js";
import type { ConsoleApp, ConsoleEnvironment } from "../console-app.js";
import { DatabaseFrame, type DatabaseVisit, visitDatabase } from "../database-frame.js";
import { errorPage } from "../error-page.js";
import { type Refusal, refusalOf } from "../field-problems.js";
import { Action, Choice, Field, Form } from "../form.js";
import { DoneNotice, Empty, RefusalNotice, Table } from "../notices.js";
import { jsonMistake, shortened } from "./items.js";

type Repository = components["schemas"]["Repository"];

interface EntityPage {
  readonly entities: readonly { readonly id: string; readonly data: unknown; readonly updatedAt: string }[];
  readonly nextCursor: string | null;
}

/** Repositories of a database, their schemas and entities. */
export function mountEntities(app: ConsoleApp): void {
  app.get("/data/:organizationId/:databaseId/repositories", (c) => listRepositories(c));

  app.post("/data/:organizationId/:databaseId/repositories", async (c) => {
    const of = await databaseOf(c);
    if (of === undefined) return missing(c);
    const { name = "", entityName = "", schema = "" } = c.get("fields");
    const mistake = schema.trim() === "" ? undefined : jsonMistake(schema);
    if (mistake !== undefined)
      return listRepositories(c, { status: 400, general: [], fields: { schema: { text: mistake } } });
    const members = [
      `"name":${JSON.stringify(name)}`,
      `"entityName":${JSON.stringify(entityName)}`,
      ...(schema.trim() === "" ? [] : [`"schema":${schema}`]),
    ];
    const reply = await of.visit.ask("POST", managementPath(of), {
      token: of.token,
      body: `{${members.join(",")}}`,
    });
    if (!reply.isOk)
      return listRepositories(
        c,
        refusalOf(reply, (pointer) => pointer.split("/")[1]),
      );
    return c.redirect(of.link("/repositories", { done: "created" }), 303);
  });

  app.get("/data/:organizationId/:databaseId/repositories/:repositoryId", (c) => showRepository(c));

  app.post("/data/:organizationId/:databaseId/repositories/:repositoryId/delete", async (c) => {
    const of = await databaseOf(c);
    if (of === undefined) return missing(c);
    const id = encodeURIComponent(c.req.param("repositoryId"));
    await of.visit.ask("DELETE", `${managementPath(of)}/${id}`, { token: of.token });
    return c.redirect(of.link("/repositories", { done: "deleted" }), 303);
  });

  app.get("/data/:organizationId/:databaseId/repositories/:repositoryId/entity", (c) => showEntity(c));

  app.post("/data/:organizationId/:databaseId/repositories/:repositoryId/entity", async (c) => {
    const of = await databaseOf(c);
    if (of === undefined) return missing(c);
    const repositoryId = c.req.param("repositoryId");
    const { id = "", data = "", deed } = c.get("fields");
    const path = `/api/v1/repositories/${encodeURIComponent(repositoryId)}`;
    const back = `/repositories/${encodeURIComponent(repositoryId)}`;
    if (deed === "delete") {
      await of.visit.ask("DELETE", `${path}/${encodeURIComponent(id)}`, { token: of.token });
      return c.redirect(of.link(back, { done: "deleted" }), 303);
    }
    const mistake = jsonMistake(data);
    if (mistake !== undefined)
      return showEntity(c, { status: 400, general: [], fields: { data: { text: mistake } } });
    const reply = await of.visit.ask(
      id === "" ? "POST" : "PUT",
      id === "" ? path : `${path}/${encodeURIComponent(id)}`,
      {
        token: of.token,
        body: `{"data":${data}}`,
      },
    );
    if (!reply.isOk)
      return showEntity(
        c,
        refusalOf(reply, (pointer) => (pointer.startsWith("/data") ? "data" : undefined)),
      );
    return c.redirect(of.link(back, { done: "saved" }), 303);
  });
}

function databaseOf(c: Context<ConsoleEnvironment>): Promise<DatabaseVisit | undefined> {
  const { organizationId = "", databaseId = "" } = c.req.param() as Partial<Record<string, string>>;
  return visitDatabase(c, organizationId, databaseId);
}

function managementPath({ databaseId }: DatabaseVisit): string {
  return `/api/v1/management/databases/${encodeURIComponent(databaseId)}/repositories`;
}

function missing(c: Context<ConsoleEnvironment>): Response | Promise<Response> {
  return errorPage(
    c,
    404,
    "Not here",
    "There is no such database or repository, it is gone, or a fault rule keeps the service from showing it.",
  );
}

async function listRepositories(c: Context<ConsoleEnvironment>, refusal?: Refusal): Promise<Response> {
  const of = await databaseOf(c);
  if (of === undefined) return missing(c);
  const reply = await of.visit.ask("GET", managementPath(of), { token: of.token });
  const repositories = reply.isOk ? (reply.body as components["schemas"]["RepositoryPage"]).repositories : [];
  const fields = c.get("fields");
  if (refusal !== undefined) c.status(400);
  return c.html(
    <DatabaseFrame of={of} tab="/repositories">
      <DoneNotice done={c.req.query("done")} />
      <RefusalNotice refusal={refusal ?? (reply.isOk ? undefined : refusalOf(reply, () => undefined))} />
      {repositories.length === 0 ? (
        <Empty title="No repositories yet">
          <p>A repository holds entities of one kind, checked against a schema. Create one below.</p>
        </Empty>
      ) : (
        <Table label="Repositories" head={["Name", "Entity", "Entities", "Fields", ""]}>
          {repositories.map(({ repositoryId, name, entityName, itemCount, schema }) => (
            <tr>
              <th scope="row">
                <a href={of.link(`/repositories/${encodeURIComponent(repositoryId)}`)} dir="auto">
                  {name}
                </a>{" "}
                <span class="muted key">{repositoryId}</span>
              </th>
              <td dir="auto">{entityName}</td>
              <td class="number">{itemCount}</td>
              <td class="muted">{Object.keys(schema).join(", ") || "no schema"}</td>
              <td class="actions">
                <Action
                  action={of.link(`/repositories/${encodeURIComponent(repositoryId)}/delete`)}
                  label="Delete"
                  of={name}
                  kind="danger"
                  question={`Delete the repository ${name} with all its entities?`}
                />
              </td>
            </tr>
          ))}
        </Table>
      )}
      <details {...(refusal === undefined && repositories.length > 0 ? {} : { open: true })}>
        <summary>Create a repository</summary>
        <Form action={of.link("/repositories")} label="Create a repository">
          <div class="pair">
            <Field label="Name" name="name" value={fields.name} problem={refusal?.fields.name} />
            <Field
              label="Entity name"
              name="entityName"
              value={fields.entityName}
              problem={refusal?.fields.entityName}
            />
          </div>
          <Field
            label="Schema"
            name="schema"
            value={fields.schema}
            lines={6}
            hint='JSON, as {"title":{"type":"string","required":true}}; empty for none.'
            problem={refusal?.fields.schema}
          />
          <div class="buttons">
            <button class="main">Create</button>
          </div>
        </Form>
      </details>
    </DatabaseFrame>,
  );
}

async function showRepository(c: Context<ConsoleEnvironment>): Promise<Response> {
  const of = await databaseOf(c);
  if (of === undefined) return missing(c);
  const repositoryId = c.req.param("repositoryId") ?? "";
  const { filter = "", values = "", sortBy = "", sortOrder = "asc", cursor } = c.req.query();
  const described = await of.visit.ask("GET", `${managementPath(of)}/${encodeURIComponent(repositoryId)}`, {
    token: of.token,
  });
  if (!described.isOk) return missing(c);
  const repository = described.body as Repository;
  const mistake = values === "" ? undefined : jsonMistake(values);
  const members = [
    '"limit":50',
    ...(filter === "" ? [] : [`"filter":${JSON.stringify(filter)}`]),
    ...(values === "" || mistake !== undefined ? [] : [`"filterValues":${values}`]),
    ...(sortBy === ""
      ? []
      : [`"sortBy":${JSON.stringify(sortBy)}`, `"sortOrder":${JSON.stringify(sortOrder)}`]),
    ...(cursor === undefined ? [] : [`"cursor":${JSON.stringify(cursor)}`]),
  ];
  const reply = await of.visit.ask("POST", `/api/v1/repositories/${encodeURIComponent(repositoryId)}/query`, {
    token: of.token,
    body: `{${members.join(",")}}`,
  });
  const names: Readonly<Record<string, string>> = {
    filter: "filter",
    filterValues: "values",
    sortBy: "sortBy",
  };
  const refusal = reply.isOk ? undefined : refusalOf(reply, (pointer) => names[pointer.split("/")[1] ?? ""]);
  const page = reply.isOk ? (parse(reply.text) as EntityPage) : undefined;
  const below = `/repositories/${encodeURIComponent(repositoryId)}`;
  const query = { filter, values, sortBy, sortOrder };
  return c.html(
    <DatabaseFrame of={of} tab="/repositories" title={repository.name}>
      <DoneNotice done={c.req.query("done")} />
      <details>
        <summary>Schema of {repository.entityName}</summary>
        <pre tabindex={0}>{JSON.stringify(repository.schema, undefined, 2)}</pre>
      </details>
      <form method="get" action={of.link(below)} class="row" aria-label="Find entities">
        <Field
          label="Filter"
          name="filter"
          value={filter}
          placeholder="price > :least"
          problem={refusal?.fields.filter}
        />
        <Field
          label="Values"
          name="values"
          value={values}
          placeholder='{":least":20}'
          problem={mistake === undefined ? refusal?.fields.values : { text: mistake }}
        />
        <Field label="Sort by" name="sortBy" value={sortBy} problem={refusal?.fields.sortBy} />
        <Choice label="Order" name="sortOrder" value={sortOrder} options={["asc", "desc"]} />
        <button class="main">Find</button>
        <a class="button" href={of.link(`${below}/entity`)}>
          Add an entity
        </a>
      </form>
      <RefusalNotice refusal={refusal} />
      {page === undefined ? null : page.entities.length === 0 ? (
        <Empty title="No entities found">
          <p>Add one, or ask for less.</p>
        </Empty>
      ) : (
        <Table label="Entities" head={["Id", "Data", "Changed"]}>
          {page.entities.map(({ id, data, updatedAt }) => (
            <tr>
              <th scope="row" class="key">
                <a href={of.link(`${below}/entity`, { id })}>{id}</a>
              </th>
              <td class="data" dir="auto">
                {shortened(stringify(data) ?? "")}
              </td>
              <td class="nowrap muted">{updatedAt.slice(0, 19).replace("T", " ")}</td>
            </tr>
          ))}
        </Table>
      )}
      {page === undefined || page.nextCursor === null ? null : (
        <a class="button" href={of.link(below, { ...query, cursor: page.nextCursor })}>
          Next page
        </a>
      )}
    </DatabaseFrame>,
  );
}

async function showEntity(c: Context<ConsoleEnvironment>, refusal?: Refusal): Promise<Response> {
  const of = await databaseOf(c);
  if (of === undefined) return missing(c);
  const repositoryId = c.req.param("repositoryId") ?? "";
  const fields = c.get("fields");
  const id = fields.id ?? c.req.query("id") ?? "";
  let data = fields.data ?? "{\n  \n}";
  if (fields.data === undefined && id !== "") {
    const path = `/api/v1/repositories/${encodeURIComponent(repositoryId)}/${encodeURIComponent(id)}`;
    const reply = await of.visit.ask("GET", path, { token: of.token });
    if (!reply.isOk) return missing(c);
    data = stringify((parse(reply.text) as { data: unknown }).data, undefined, 2) ?? "";
  }
  if (refusal !== undefined) c.status(400);
  const below = `/repositories/${encodeURIComponent(repositoryId)}`;
  return c.html(
    <DatabaseFrame of={of} tab="/repositories" title={id === "" ? "New entity" : id}>
      <RefusalNotice refusal={refusal} />
      <Form action={of.link(`${below}/entity`)} label="Entity">
        <input type="hidden" name="id" value={id} />
        <Field
          label="Data"
          name="data"
          value={data}
          lines={14}
          hint="A JSON object."
          problem={refusal?.fields.data}
        />
        <div class="buttons">
          <button class="main">Save</button>
          <a class="button" href={of.link(below)}>
            Back to the entities
          </a>
        </div>
      </Form>
      {id === "" ? null : (
        <Action
          action={of.link(`${below}/entity`)}
          label="Delete this entity"
          kind="danger"
          fields={{ id, deed: "delete" }}
          question="Delete this entity?"
        />
      )}
    </DatabaseFrame>,
  );
}
