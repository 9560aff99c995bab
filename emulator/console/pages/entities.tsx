import { parse } from "lossless-json";
import { EmptyState, truncateText, formatShortTime, Table } from "../../../openapi/html/components.js";
import { indentJson } from "../indent-json.js";
import { buildBody } from "../contract.js";
import { attemptOrShowRefusal } from "../environment.js";
import { ActionButton, DeleteButton, Form } from "../form.js";
import { Link } from "../page.js";
import { createDatabasePage, NextPageLink } from "./database.js";

/** The repositories of a database. */
export const repositoriesPage = createDatabasePage(
  "/repositories",
  async (_c, visit, { as, databaseId, base }) => {
    const params = { databaseId };
    const { cursor } = visit.query;
    const query = { limit: visit.getPageSize(100), cursor };
    const found = await visit.read("listRepositories", { params, as, query });
    return {
      content: (
        <>
          <Table
            label="Repositories"
            head={["Name", "Entity", ["Entities", "number"], ["Fields", "muted"], ["", "actions"]]}
            rows={found.repositories.map(({ repositoryId, name, entityName, itemCount, schema }) => [
              <>
                <Link to={`${base}/repositories/${encodeURIComponent(repositoryId)}`}>{name}</Link>{" "}
                <span class="muted key">{repositoryId}</span>
              </>,
              entityName,
              itemCount,
              Object.keys(schema).join(", ") || "no schema",
              <DeleteButton
                call={{ operation: "deleteRepository", params: { databaseId, repositoryId }, as }}
                of={name}
                question={`Delete the repository ${name} and all its entities?`}
              />,
            ])}
            empty={
              <EmptyState title={cursor === undefined ? "No repositories yet" : "No more repositories"}>
                A repository contains entities of one kind, and can validate them against a schema. Create a
                repository below.
              </EmptyState>
            }
          />
          <NextPageLink to={`${base}/repositories`} query={{}} cursor={found.nextCursor} />
          <Form
            label="Create a repository"
            call={{ operation: "createRepository", params, as, done: "created" }}
            fields={{
              name: "Name",
              entityName: "Entity name",
              schema: {
                label: "Schema",
                hint: 'JSON, for example {"title":{"type":"string","required":true}}. Leave empty for no schema.',
              },
            }}
            isFolded={found.repositories.length > 0}
            submit="Create"
          />
        </>
      ),
    };
  },
);

/** The entities of a repository: all, or those that match a filter. */
export const repositoryPage = createDatabasePage(
  "/repositories",
  async (c, visit, { as, databaseId, base }) => {
    const { repositoryId = "" } = c.req.param() as Record<string, string>;
    const { cursor, ...query } = visit.query;
    const params = { databaseId, repositoryId };
    const { name, entityName, schema } = await visit.read("getRepository", { params, as });
    const found = await attemptOrShowRefusal(c, () => {
      // A sort order is invalid without a field to sort by.
      const { sortOrder, ...rest } = query;
      const sorted = (query.sortBy ?? "") === "" ? rest : { ...rest, sortOrder };
      const limit = String(visit.getPageSize(50));
      const body = buildBody("queryEntities", visit.profile, { limit, ...sorted, cursor });
      return visit.read("queryEntities", { params, as, body });
    });
    const { entities, nextCursor } = found ?? { entities: [], nextCursor: null };
    const below = `${base}/repositories/${encodeURIComponent(repositoryId)}`;
    return {
      title: name,
      content: (
        <>
          <details>
            <summary>Schema of {entityName}</summary>
            <pre tabindex={0}>{JSON.stringify(schema, undefined, 2)}</pre>
          </details>
          <Form
            search={below}
            operation="queryEntities"
            label="Find entities"
            values={query}
            fields={{
              filter: { label: "Filter", placeholder: "price > :least" },
              filterValues: { label: "Values", placeholder: '{":least":20}' },
              sortBy: "Sort by",
              sortOrder: "Order",
            }}
            submit="Find"
          >
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
              truncateText(JSON.stringify(data)),
              formatShortTime(updatedAt),
            ])}
            empty={
              <EmptyState title="No entities found">
                Add an entity, or use a less restrictive filter.
              </EmptyState>
            }
          />
          <NextPageLink to={below} query={query} cursor={nextCursor} />
        </>
      ),
    };
  },
);

/** An entity, to view, edit and delete; a new one if the address has no id. */
export const entityPage = createDatabasePage("/repositories", async (c, visit, { as, base }) => {
  const { repositoryId = "" } = c.req.param() as Record<string, string>;
  const { id: entityId } = visit.query;
  const params = { repositoryId, entityId };
  const next = visit.link(`${base}/repositories/${encodeURIComponent(repositoryId)}`);
  let data = "{\n  \n}";
  if (entityId !== undefined) {
    const { text } = await visit.call("getEntity", { params, as });
    data = indentJson((parse(text) as { data: unknown }).data);
  }
  const operation = entityId === undefined ? "createEntity" : "updateEntity";
  const isMerged = entityId !== undefined && visit.profile["entity-put"] === "merge";
  return {
    title: entityId ?? "New entity",
    content: (
      <>
        <Form
          label="Entity"
          call={{ operation, params, as, done: "saved", next }}
          values={{ data }}
          fields={{
            data: { label: "Data", lines: 14, ...(isMerged ? { hint: <MergeHint /> } : {}) },
          }}
          submit="Save"
        />
        {entityId === undefined ? null : (
          <ActionButton
            call={{ operation: "deleteEntity", params, as, done: "deleted", next }}
            label="Delete this entity"
            kind="danger"
            question="Delete this entity?"
          />
        )}
      </>
    ),
  };
});

function MergeHint() {
  return (
    <>
      Fields at the top level that you remove here keep their values, because the profile answers the gap{" "}
      <code>entity-put</code> with <code>merge</code>.
    </>
  );
}
