import type { components } from "../../../openapi/generated/control-plane-types.js";
import { differencesByArea } from "../../../openapi/gaps/register.js";
import type { ConsoleApp } from "../console-app.js";
import { Action } from "../form.js";
import { Layout } from "../layout.js";
import { Copyable, DoneNotice, Empty, Table } from "../notices.js";
import type { Visit } from "../visit.js";

type State = components["schemas"]["EmulatorState"];

/** What is running, and how to begin with it. */
export function mountOverview(app: ConsoleApp): void {
  app.get("/", async (c) => {
    const visit = c.get("visit");
    const [state, namespaces] = await Promise.all([
      visit.ask("GET", "/_emulator"),
      visit.ask("GET", "/_emulator/namespaces"),
    ]);
    return c.html(
      <Overview
        visit={visit}
        state={state.body as State}
        namespaces={(namespaces.body as components["schemas"]["NamespaceList"]).namespaces.length}
        done={c.req.query("done")}
      />,
    );
  });

  app.post("/reset", async (c) => {
    const visit = c.get("visit");
    await visit.ask("POST", "/_emulator/reset", { body: {} });
    return c.redirect(visit.link("", { done: "reset" }), 303);
  });
}

function Overview({
  visit,
  state,
  namespaces,
  done,
}: {
  visit: Visit;
  state: State;
  namespaces: number;
  done: string | undefined;
}) {
  const { version, fixture, seed, clock, credentials } = state;
  const address = `${visit.origin}${visit.prefix}`;
  return (
    <Layout
      visit={visit}
      title="Overview"
      section=""
      clock={clock}
      lead={`Version ${version}, fixture ${fixture}, seed ${seed}. Everything here is in memory, and none of it is a real secret.`}
    >
      <DoneNotice done={done} />
      <div class="panel strip">
        <span class="muted">Base URL for your client</span>
        <Copyable id="base-url" text={address} />
      </div>
      <Counts visit={visit} state={state} />
      <Credentials visit={visit} credentials={credentials} />
      <div class="columns">
        <section>
          <h2>Links</h2>
          <ul class="links">
            <li>
              <a href={visit.link("/snapshots")}>
                {namespaces === 1 ? "One namespace" : `${namespaces} namespaces`}
              </a>{" "}
              and their snapshots
            </li>
            <li>
              <a href={visit.link("/traffic")}>Requests as they come in</a>
            </li>
            <li>
              <a href={visit.link("/errors")}>Kinds of errors</a>, and what to do about each
            </li>
            <li>
              <a href={`${visit.prefix}/openapi.json`}>OpenAPI document</a> of the service, for the profile in
              force
            </li>
            <li>
              <a href={`${visit.prefix}/_emulator/openapi.json`}>OpenAPI document</a> of the control plane
            </li>
          </ul>
        </section>
        <section>
          <h2>Begin again</h2>
          <p>A reset brings back the data, the ids and the clock that this namespace began with.</p>
          <Action
            action={visit.link("/reset")}
            label="Reset the namespace"
            kind="danger"
            question={`Reset the namespace ${visit.namespace}? Its data is lost unless a snapshot has it.`}
          />
        </section>
      </div>
      <Profile profile={state.profile} />
    </Layout>
  );
}

function Counts({ visit, state: { counts } }: { visit: Visit; state: State }) {
  const figures: readonly (readonly [string, number, string])[] = [
    ["Databases", counts.databases, "/data"],
    ["Items", counts.items, "/data"],
    ["Entities", counts.entities, "/data"],
    ["SQL rows", counts.sqlRows, "/data"],
    ["Users", counts.users, "/people"],
    ["Organizations", counts.organizations, "/people"],
    ["API keys", counts.apiKeys, "/people"],
  ];
  return (
    <ul class="tiles" aria-label="What is in the namespace">
      {figures.map(([name, count, path]) => (
        <li>
          <a href={visit.link(path)}>
            <strong>{count.toLocaleString("en-US")}</strong>
            <span>{name}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

function Credentials({ visit, credentials }: { visit: Visit; credentials: State["credentials"] }) {
  const { users, apiKeys } = credentials;
  if (users.length === 0 && apiKeys.length === 0)
    return (
      <Empty title="Nobody is here yet">
        <p>
          Make a user on the page <a href={visit.link("/people")}>People</a>, or start with the fixture{" "}
          <code>demo</code>: <code>data-service start --fixture demo</code>.
        </p>
      </Empty>
    );
  return (
    <>
      <section>
        <h2>Users</h2>
        <Table label="Seeded users" head={["E-mail", "Password", "Member of"]}>
          {users.map(({ email, password, memberships, userId }) => (
            <tr>
              <th scope="row" dir="auto">
                {email}
              </th>
              <td>
                <Copyable id={`password-${userId}`} text={password} />
              </td>
              <td class="muted">
                {memberships
                  .filter(({ organizationId }) => !organizationId.startsWith("org_personal_"))
                  .map(({ organizationId, role }) => `${role} of ${organizationId}`)
                  .join(", ") || "their own"}
              </td>
            </tr>
          ))}
        </Table>
      </section>
      <section>
        <h2>API keys</h2>
        <Table label="Seeded API keys" head={["Key", "Scopes"]}>
          {apiKeys.map(({ key, scopes, apiKeyId }) => (
            <tr>
              <th scope="row">
                <Copyable id={apiKeyId} text={key} />
              </th>
              <td class="muted">{scopes.join(", ")}</td>
            </tr>
          ))}
        </Table>
      </section>
    </>
  );
}

function Profile({ profile }: { profile: State["profile"] }) {
  const areas = differencesByArea(profile);
  const count = areas.reduce((sum, { answers }) => sum + answers.length, 0);
  return (
    <details>
      <summary>The profile in force: {count} answers that are not the default ones</summary>
      <Table label="Profile" head={["Area", "Gap", "Answer"]}>
        {areas.flatMap(({ area, answers }) =>
          answers.map(([gap, answer], index) => (
            <tr>
              <td>{index === 0 ? area : ""}</td>
              <th scope="row">{gap}</th>
              <td>
                <code>{typeof answer === "string" ? answer : JSON.stringify(answer)}</code>
              </td>
            </tr>
          )),
        )}
      </Table>
    </details>
  );
}
