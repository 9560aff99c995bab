import { Empty, Table } from "../components.js";
import type { ConsoleApp, ConsoleContext } from "../environment.js";
import { Action, Field, FoldedForm } from "../form.js";
import { Link, settle } from "../page.js";
import { type Refusal, refusalOf } from "../refusal.js";
import type { Schemas } from "../visit.js";
import { mountEntities } from "./entities.js";
import { mountItems } from "./items.js";
import { showOrganizationPage } from "./organization-page.js";
import { mountSql } from "./sql.js";

/** Databases and what is in them. */
export function mountData(app: ConsoleApp): void {
  app.get("/data", (c) => show(c));

  app.post("/data/:organizationId/databases", async (c) => {
    const visit = c.get("visit");
    const organization = c.req.param("organizationId");
    const { name = "", region = "" } = c.get("fields");
    const reply = await visit.askAs(organization, "POST", "/api/v1/management/databases", { name, region });
    return settle(c, reply, show, visit.link("/data", { organization, done: "created" }));
  });

  app.post("/data/:organizationId/:databaseId/delete", async (c) => {
    const visit = c.get("visit");
    const { organizationId: organization, databaseId } = c.req.param();
    const path = `/api/v1/management/databases/${encodeURIComponent(databaseId)}`;
    const reply = await visit.askAs(organization, "DELETE", path);
    return settle(c, reply, show, visit.link("/data", { organization, done: "deleted" }));
  });

  mountItems(app);
  mountEntities(app);
  mountSql(app);
}

async function show(c: ConsoleContext, refusal?: Refusal): Promise<Response> {
  const visit = c.get("visit");
  const asked = c.req.param("organizationId") ?? c.req.query("organization");
  const chosen = await visit.organization(asked);
  const reply =
    chosen && (await visit.askAs(chosen.organizationId, "GET", "/api/v1/management/databases?limit=100"));
  const seen = reply === undefined || reply.isOk ? undefined : refusalOf(reply);
  const databases = reply?.isOk === true ? (reply.body as Schemas["DatabasePage"]).databases : [];
  const base = `/data/${encodeURIComponent(chosen?.organizationId ?? "")}`;
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
            <Link to={`${base}/${encodeURIComponent(databaseId)}`}>{name}</Link>{" "}
            <span class="muted key">{databaseId}</span>
          </>,
          <span class={`badge ${status}`}>{status}</span>,
          region,
          usage.itemCount,
          usage.storageBytes,
          <Action
            to={`${base}/${encodeURIComponent(databaseId)}/delete`}
            label="Delete"
            of={name}
            kind="danger"
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
        to={`${base}/databases`}
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
