import { allRoles, scopes } from "../../../openapi/schemas/roles.js";
import { Copyable, Empty, Table } from "../components.js";
import type { ConsoleApp, ConsoleContext } from "../environment.js";
import { Action, Choice, Field, FoldedForm, Form, GroupProblem, Option } from "../form.js";
import { settle, showPage } from "../page.js";
import { type Refusal, refusalOf } from "../refusal.js";
import type { Organization, Reply, Schemas } from "../visit.js";
import { OrganizationChoice } from "./organization-page.js";

type User = Schemas["User"];

/** Users, organizations, members, invitations and keys. */
export function mountPeople(app: ConsoleApp): void {
  app.get("/people", (c) => show(c));
  mountUserForms(app);
  mountMemberForms(app);

  app.post("/people/keys", async (c) => {
    const { organizationId = "", name = "", scopes: chosen = "", expiresAt = "" } = c.get("fields");
    const body = {
      organizationId,
      name,
      scopes: chosen === "" ? [] : chosen.split(","),
      ...(expiresAt === "" ? {} : { expiresAt }),
    };
    return leadOn(c, await c.get("visit").ask("POST", "/_emulator/api-keys", { body }), "created");
  });

  app.post("/people/keys/delete", async (c) => {
    const path = `/_emulator/api-keys/${encodeURIComponent(c.get("fields").apiKeyId ?? "")}`;
    return leadOn(c, await c.get("visit").ask("DELETE", path), "deleted");
  });
}

function mountUserForms(app: ConsoleApp): void {
  app.post("/people/users", async (c) => {
    const { email = "", password = "", name = "" } = c.get("fields");
    const body = { email, password, ...(name === "" ? {} : { name }) };
    return leadOn(c, await c.get("visit").ask("POST", "/_emulator/users", { body }), "created");
  });

  app.post("/people/users/delete", async (c) => {
    const path = `/_emulator/users/${encodeURIComponent(c.get("fields").userId ?? "")}`;
    return leadOn(c, await c.get("visit").ask("DELETE", path), "deleted");
  });

  app.post("/people/users/log-in", async (c) => {
    const { userId = "", sessionOrganization = "" } = c.get("fields");
    const body = { userId, ...(sessionOrganization === "" ? {} : { organizationId: sessionOrganization }) };
    const reply = await c.get("visit").ask("POST", "/_emulator/sessions", { body });
    if (!reply.isOk) return show(c, refusalOf(reply));
    // it lives an hour and is worth an hour: an address would keep it for longer
    return show(c, undefined, { ...(reply.body as Schemas["SessionCreated"]), userId });
  });
}

function mountMemberForms(app: ConsoleApp): void {
  app.post("/people/members", async (c) => {
    const { organizationId = "", email = "", role = "" } = c.get("fields");
    const body = { email, role };
    const reply = await c.get("visit").askAs(organizationId, "POST", membersPath(organizationId), body);
    return leadOn(c, reply, "invited");
  });

  app.post("/people/members/:deed{role|remove}", async (c) => {
    const { organizationId = "", memberId = "", role = "" } = c.get("fields");
    const path = `${membersPath(organizationId)}/${encodeURIComponent(memberId)}`;
    const visit = c.get("visit");
    return c.req.param("deed") === "role"
      ? leadOn(c, await visit.askAs(organizationId, "PUT", path, { role }), "saved")
      : leadOn(c, await visit.askAs(organizationId, "DELETE", path), "deleted");
  });

  app.post("/people/invitations", async (c) => {
    const { organizationId = "", email = "" } = c.get("fields");
    // for a person who is no user yet
    const body = { organizationId, email, password: invitedPassword };
    return leadOn(c, await c.get("visit").ask("POST", "/_emulator/invitations/accept", { body }), "accepted");
  });
}

/** The password of those who become users by an invitation that is accepted here. */
const invitedPassword = "demo-password";

function membersPath(organizationId: string): string {
  return `/api/v1/organizations/${encodeURIComponent(organizationId)}/members`;
}

function leadOn(c: ConsoleContext, reply: Reply, done: string) {
  const { organizationId: organization } = c.get("fields");
  return settle(c, reply, show, c.get("visit").link("/people", { organization, done }));
}

type Session = Schemas["SessionCreated"] & { readonly userId: string };

async function show(c: ConsoleContext, refusal?: Refusal, session?: Session): Promise<Response> {
  const visit = c.get("visit");
  const [organizations, userList, keyList] = await Promise.all([
    visit.organizations(),
    visit.ask("GET", "/_emulator/users"),
    visit.ask("GET", "/_emulator/api-keys"),
  ]);
  const { users } = userList.body as Schemas["UserList"];
  const { apiKeys } = keyList.body as Schemas["ApiKeyList"];
  const chosen = await visit.organization(c.get("fields").organizationId ?? c.req.query("organization"));
  const id = chosen?.organizationId ?? "";
  const members = chosen && (await visit.askAs(id, "GET", membersPath(id)));
  return showPage(
    c,
    { title: "People", section: "/people", lead: "Who may do what, and with which credential.", refusal },
    <>
      {session === undefined ? null : <LoggedIn session={session} users={users} />}
      <Users users={users} />
      {chosen === undefined ? null : (
        <>
          <h2 id="organization">Organization</h2>
          <OrganizationChoice to="/people" organizations={organizations} chosen={chosen} />
          <Members
            organization={chosen}
            members={members?.isOk === true ? (members.body as Schemas["MemberList"]).members : []}
          />
          <Keys
            organization={chosen}
            keys={apiKeys.filter(({ organizationId }) => organizationId === chosen.organizationId)}
          />
        </>
      )}
    </>,
  );
}

function LoggedIn({ session, users }: { session: Session; users: readonly User[] }) {
  const { accessToken, organizationId, expiresAt, userId } = session;
  const name = users.find((user) => user.userId === userId)?.email ?? userId;
  return (
    <div class="notice good" role="status">
      <p>
        <strong>Logged in</strong> as <span dir="auto">{name}</span> for {organizationId}, until {expiresAt}.
        The access token:
      </p>
      <Copyable id="access-token" text={accessToken} />
    </div>
  );
}

function Users({ users }: { users: readonly User[] }) {
  return (
    <section>
      <h2>Users</h2>
      <Table
        label="Users"
        head={["E-mail", "Name", "", ["", "actions"]]}
        rows={users.map(({ userId, email, name, emailVerified, mfaRequired }) => [
          <>
            {email} <span class="muted key">{userId}</span>
          </>,
          name,
          <>
            {emailVerified ? null : <span class="badge warn">not verified</span>}{" "}
            {mfaRequired ? <span class="badge warn">second factor</span> : null}
          </>,
          <>
            <Action to="/people/users/log-in" label="Log in as" of={email} fields={{ userId }} />{" "}
            <Action
              to="/people/users/delete"
              label="Delete"
              of={email}
              kind="danger"
              fields={{ userId }}
              question={`Delete ${email} and everything that they alone own?`}
            />
          </>,
        ])}
        empty={
          <Empty title="Nobody is here yet">
            Make a user below: the personal organization comes with them.
          </Empty>
        }
      />
      <FoldedForm
        label="Make a user"
        to="/people/users"
        scope="user-"
        values={{ password: invitedPassword }}
        submit="Make the user"
      >
        <div class="pair">
          <Field label="E-mail" name="email" />
          <Field label="Name" name="name" />
          <Field label="Password" name="password" />
        </div>
      </FoldedForm>
    </section>
  );
}

interface MembersProps {
  readonly organization: Organization;
  readonly members: readonly Schemas["Member"][];
}

function Members({ organization: { organizationId, name }, members }: MembersProps) {
  return (
    <section>
      <h3>
        Members of <span dir="auto">{name}</span>
      </h3>
      <Table
        label="Members"
        head={["E-mail", ["Role", "actions"], "Status", ["Log in", "actions"], ["", "actions"]]}
        rows={members.map(({ userId, email, role, status }) => {
          // a pending member has no user id yet, and goes by the address
          const memberId = userId ?? email;
          return [
            email,
            <Form to="/people/members/role" class="inline" hidden={{ organizationId, memberId }}>
              <span class="copyable">
                <select name="role" aria-label={`Role of ${email}`}>
                  {allRoles.map((one) => (
                    <option {...(one === role ? { selected: true } : {})}>{one}</option>
                  ))}
                </select>
                <button>
                  Change<span class="unseen"> the role of {email}</span>
                </button>
              </span>
            </Form>,
            <span class={`badge ${status}`}>{status}</span>,
            status === "pending" ? (
              <Action
                to="/people/invitations"
                label="Accept the invitation"
                of={`of ${email}`}
                fields={{ organizationId, email }}
              />
            ) : (
              <Action
                to="/people/users/log-in"
                label="Log in here"
                of={`as ${email}`}
                fields={{ userId: memberId, sessionOrganization: organizationId, organizationId }}
              />
            ),
            <Action
              to="/people/members/remove"
              label="Remove"
              of={email}
              kind="danger"
              fields={{ organizationId, memberId }}
              question={`Remove ${email} from the organization?`}
            />,
          ];
        })}
      />
      <FoldedForm
        label="Invite somebody"
        to="/people/members"
        scope="member-"
        hidden={{ organizationId }}
        values={{ role: "member" }}
        submit="Invite"
      >
        <div class="pair">
          <Field label="E-mail" name="email" />
          <Choice label="Role" name="role" options={allRoles} />
        </div>
      </FoldedForm>
    </section>
  );
}

interface KeysProps {
  readonly organization: Organization;
  readonly keys: readonly Schemas["ApiKey"][];
}

function Keys({ organization: { organizationId, name }, keys }: KeysProps) {
  return (
    <section>
      <h3>
        API keys of <span dir="auto">{name}</span>
      </h3>
      <Table
        label="API keys"
        head={["Name", "Key", ["Scopes", "muted"], ["Expires", "nowrap"], ["", "actions"]]}
        rows={keys.map(({ apiKeyId, key, name: called, scopes: held, expiresAt }) => [
          called,
          <Copyable id={apiKeyId} text={key} />,
          held.join(", "),
          expiresAt?.slice(0, 10) ?? "never",
          <Action
            to="/people/keys/delete"
            label="Delete"
            of={called}
            kind="danger"
            fields={{ apiKeyId, organizationId }}
            question={`Delete the key ${called}? It is refused from then on.`}
          />,
        ])}
        empty={<Empty title="No API keys">Programs use keys where people use tokens. Make one below.</Empty>}
      />
      <FoldedForm
        label="Make an API key"
        to="/people/keys"
        scope="key-"
        hidden={{ organizationId }}
        submit="Make the key"
      >
        <div class="pair">
          <Field label="Name" name="name" />
          <Field
            label="Expires"
            name="expiresAt"
            placeholder="2030-06-01T00:00:00Z"
            hint="Empty for never."
          />
        </div>
        <fieldset>
          <legend>Scopes</legend>
          <div class="options">
            {scopes.map((scope) => (
              <Option name="scopes" value={scope}>
                {scope}
              </Option>
            ))}
          </div>
          <GroupProblem name="scopes" />
        </fieldset>
      </FoldedForm>
    </section>
  );
}
