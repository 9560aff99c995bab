import { Badge, EmptyState, Table } from "../../../openapi/html/components.js";
import { DeleteButton, Form } from "../form.js";
import { Link } from "../page.js";
import { getDatabasePath, NextPageLink } from "./database.js";
import { createOrganizationPage } from "./organization-page.js";

/** The databases of an organization. */
export const databasesPage = createOrganizationPage(
  {
    title: "Data",
    section: "/data",
    lead: "An organization's databases, with their items, repositories and SQL tables.",
  },
  async (visit, { organizationId }) => {
    const as = organizationId;
    const { cursor } = visit.query;
    const found = await visit.read("listDatabases", { as, query: { limit: visit.getPageSize(100), cursor } });
    return (
      <>
        <Table
          label="Databases"
          head={["Name", "Status", "Region", ["Items", "number"], ["Bytes", "number"], ["", "actions"]]}
          rows={found.databases.map(({ databaseId, name, status, region, usage }) => [
            <>
              <Link to={getDatabasePath({ organizationId, databaseId })}>{name}</Link>{" "}
              <span class="muted key">{databaseId}</span>
            </>,
            <Badge state={status} />,
            region,
            usage.itemCount,
            usage.storageBytes,
            <DeleteButton
              call={{ operation: "deleteDatabase", params: { databaseId }, as }}
              of={name}
              question={`Delete the database ${name} and everything in it?`}
            />,
          ])}
          empty={
            <EmptyState
              title={cursor === undefined ? "This organization has no databases" : "No more databases"}
            >
              Create a database below. It needs only a name and a region.
            </EmptyState>
          }
        />
        <NextPageLink to="/data" query={{ organization: organizationId }} cursor={found.nextCursor} />
        <Form
          label="Create a database"
          call={{ operation: "createDatabase", as, done: "created" }}
          fields={{ name: "Name", region: "Region" }}
          values={{ region: "eu-west-1" }}
          isFolded={found.databases.length > 0}
          submit="Create"
        />
      </>
    );
  },
);
