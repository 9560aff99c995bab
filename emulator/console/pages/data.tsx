import type { Context } from "hono";
import type { components } from "../../../openapi/generated/service-types.js";
import type { ConsoleApp, ConsoleEnvironment } from "../console-app.js";
import { type Refusal, refusalOf } from "../field-problems.js";
import { Action, Field, Form } from "../form.js";
import { Layout } from "../layout.js";
import { DoneNotice, Empty, RefusalNotice, Table } from "../notices.js";
import { OrganizationChoice } from "../organization-choice.js";
import { mountEntities } from "./entities.js";
import { mountItems } from "./items.js";
import { mountSql } from "./sql.js";

type Database = components["schemas"]["Database"];

/** Databases and what is in them. */
export function mountData(app: ConsoleApp): void {
  app.get("/data", (c) => show(c, c.req.query("organization")));

  app.post("/data/:organizationId/databases", async (c) => {
    const visit = c.get("visit");
    const organizationId = c.req.param("organizationId");
    const { name = "", region = "" } = c.get("fields");
    const token = await visit.session(organizationId);
    const reply = await visit.ask("POST", "/api/v1/management/databases", { token, body: { name, region } });
    if (!reply.isOk)
      return show(
        c,
        organizationId,
        refusalOf(reply, (pointer) => pointer.split("/")[1]),
      );
    return c.redirect(visit.link("/data", { organization: organizationId, done: "created" }), 303);
  });

  app.post("/data/:organizationId/:databaseId/delete", async (c) => {
    const visit = c.get("visit");
    const { organizationId, databaseId } = c.req.param();
    const token = await visit.session(organizationId);
    const path = `/api/v1/management/databases/${encodeURIComponent(databaseId)}`;
    const reply = await visit.ask("DELETE", path, { token });
    if (!reply.isOk)
      return show(
        c,
        organizationId,
        refusalOf(reply, () => undefined),
      );
    return c.redirect(visit.link("/data", { organization: organizationId, done: "deleted" }), 303);
  });

  mountItems(app);
  mountEntities(app);
  mountSql(app);
}

async function show(
  c: Context<ConsoleEnvironment>,
  asked: string | undefined,
  refusal?: Refusal,
): Promise<Response> {
  const visit = c.get("visit");
  const organizations = await visit.organizations();
  const chosen =
    organizations.find(({ organizationId }) => organizationId === asked) ??
    organizations.find(({ databases }) => databases > 0) ??
    organizations[0];
  if (chosen === undefined)
    return c.html(
      <Layout visit={visit} title="Data" section="/data">
        <Empty title="There is no organization yet">
          <p>
            Databases belong to organizations, and every user has one.{" "}
            <a href={visit.link("/people")}>Make a user</a>.
          </p>
        </Empty>
      </Layout>,
    );
  const { organizationId } = chosen;
  const token = await visit.session(organizationId);
  const reply = await visit.ask("GET", "/api/v1/management/databases?limit=100", { token });
  const seen = reply.isOk ? undefined : refusalOf(reply, () => undefined);
  const databases = reply.isOk ? (reply.body as components["schemas"]["DatabasePage"]).databases : [];
  if (refusal !== undefined) c.status(400);
  return c.html(
    <Layout visit={visit} title="Data" section="/data" lead="Databases with items, repositories and tables.">
      <DoneNotice done={c.req.query("done")} />
      <RefusalNotice refusal={refusal ?? seen} />
      <OrganizationChoice
        visit={visit}
        action={visit.link("/data")}
        organizations={organizations}
        chosen={organizationId}
      />
      {databases.length === 0 ? (
        <Empty title="This organization has no database">
          <p>Create one below; a name and any region will do.</p>
        </Empty>
      ) : (
        <Table label="Databases" head={["Name", "Status", "Region", "Items", "Bytes", ""]}>
          {databases.map((database) => (
            <DatabaseRow
              database={database}
              link={(path) => visit.link(`/data/${encodeURIComponent(organizationId)}${path}`)}
            />
          ))}
        </Table>
      )}
      <details {...(refusal === undefined && databases.length > 0 ? {} : { open: true })}>
        <summary>Create a database</summary>
        <Form
          action={visit.link(`/data/${encodeURIComponent(organizationId)}/databases`)}
          label="Create a database"
        >
          <Field
            label="Name"
            name="name"
            value={c.get("fields").name}
            hint="Lowercase letters, digits and hyphens; begins with a letter; 3 to 63."
            problem={refusal?.fields.name}
          />
          <Field
            label="Region"
            name="region"
            value={c.get("fields").region ?? "eu-west-1"}
            problem={refusal?.fields.region}
          />
          <div class="buttons">
            <button class="main">Create</button>
          </div>
        </Form>
      </details>
    </Layout>,
  );
}

function DatabaseRow({ database, link }: { database: Database; link: (path: string) => string }) {
  const { databaseId, name, status, region, usage } = database;
  const id = encodeURIComponent(databaseId);
  return (
    <tr>
      <th scope="row">
        <a href={link(`/${id}`)}>{name}</a> <span class="muted key">{databaseId}</span>
      </th>
      <td>
        <span class={`badge ${status}`}>{status}</span>
      </td>
      <td>{region}</td>
      <td class="number">{usage.itemCount}</td>
      <td class="number">{usage.storageBytes}</td>
      <td class="actions">
        <Action
          action={link(`/${id}/delete`)}
          label="Delete"
          of={name}
          kind="danger"
          question={`Delete the database ${name} with everything in it?`}
        />
      </td>
    </tr>
  );
}
