import { Empty, Table } from "../components.js";
import type { ConsoleApp, ConsoleContext } from "../environment.js";
import { Delete, Field, FoldedForm } from "../form.js";
import { Link } from "../page.js";
import { type Refusal, refusalOf } from "../refusal.js";
import { pathOf, takeForms } from "../take-forms.js";
import type { Schemas } from "../visit.js";
import { mountEntities } from "./entities.js";
import { mountItems } from "./items.js";
import { showOrganizationPage } from "./organization-page.js";
import { mountSql } from "./sql.js";

/** Databases and what is in them. */
export function mountData(app: ConsoleApp): void {
  app.get("/data", (c) => show(c));

  const form = takeForms(app, "/data", show);
  form("/data/databases", "created", (visit, { organizationId = "", name, region }) =>
    visit.askAs(organizationId, "POST", "/api/v1/management/databases", { name, region }),
  );
  form("/data/databases/delete", "deleted", (visit, { organizationId = "", databaseId }) =>
    visit.askAs(organizationId, "DELETE", pathOf`/api/v1/management/databases/${databaseId}`),
  );
  mountItems(app);
  mountEntities(app);
  mountSql(app);
}

async function show(c: ConsoleContext, refusal?: Refusal): Promise<Response> {
  const visit = c.get("visit");
  const chosen = await visit.organization(c.get("fields").organizationId ?? c.req.query("organization"));
  const reply =
    chosen && (await visit.askAs(chosen.organizationId, "GET", "/api/v1/management/databases?limit=100"));
  const seen = reply === undefined || reply.isOk ? undefined : refusalOf(reply);
  const databases = reply?.isOk === true ? (reply.body as Schemas["DatabasePage"]).databases : [];
  const organizationId = chosen?.organizationId ?? "";
  return showOrganizationPage(
    c,
    {
      title: "Data",
      section: "/data",
      lead: "Databases with items, repositories and tables.",
      refusal: refusal ?? seen,
      nobody: "Databases belong to organizations, and every user has one.",
      chosen,
    },
    <>
      <Table
        label="Databases"
        head={["Name", "Status", "Region", ["Items", "number"], ["Bytes", "number"], ["", "actions"]]}
        rows={databases.map(({ databaseId, name, status, region, usage }) => [
          <>
            <Link to={pathOf`/data/${organizationId}/${databaseId}`}>{name}</Link>{" "}
            <span class="muted key">{databaseId}</span>
          </>,
          <span class={`badge ${status}`}>{status}</span>,
          region,
          usage.itemCount,
          usage.storageBytes,
          <Delete
            to="/data/databases/delete"
            fields={{ organizationId, databaseId }}
            of={name}
            question={`Delete the database ${name} with everything in it?`}
          />,
        ])}
        empty={
          <Empty title="This organization has no database">
            Create one below; a name and any region will do.
          </Empty>
        }
      />
      <FoldedForm
        label="Create a database"
        to="/data/databases"
        hidden={{ organizationId }}
        values={{ region: "eu-west-1" }}
        isOpen={databases.length === 0}
        submit="Create"
      >
        <Field
          label="Name"
          name="name"
          hint="Lowercase letters, digits and hyphens; begins with a letter; 3 to 63."
        />
        <Field label="Region" name="region" />
      </FoldedForm>
    </>,
  );
}
