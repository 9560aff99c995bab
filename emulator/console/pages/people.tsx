import { allRoles, scopes } from "../../../openapi/schemas/roles.js";
import { Copyable, Empty, Table } from "../components.js";
import type { ConsoleApp, ConsoleContext } from "../environment.js";
import { Action, Choice, Delete, Field, FoldedForm, Form, GroupProblem, Option } from "../form.js";
import { showPage } from "../page.js";
import { type Refusal, refusalOf } from "../refusal.js";
import { filledIn, pathOf, takeForms } from "../take-forms.js";
import type { Organization, Schemas } from "../visit.js";
import { OrganizationChoice } from "./organization-page.js";

type User = Schemas["User"];

/** The password of those who become users by an invitation that is accepted here. */
const invitedPassword = "demo-password";

/** Users, organizations, members, invitations and keys. */
export function mountPeople(app: ConsoleApp): void {
  app.get("/people", (c) => show(c));
  const form = takeForms(app, "/people", show);
  form("/people/users", "created", (visit, { email, password, name }) =>
    visit.ask("POST", "/_emulator/users", { body: { email, password, ...filledIn({ name }) } }),
  );
  form("/people/users/delete", "deleted", (visit, { userId }) =>
    visit.ask("DELETE", pathOf`/_emulator/users/${userId}`),
  );
  app.post("/people/users/log-in", async (c) => {
    const { userId = "", sessionOrganization: organizationId } = c.get("fields");
    const body = { userId, ...filledIn({ organizationId }) };
    const reply = await c.get("visit").ask("POST", "/_emulator/sessions", { body });
    if (!reply.isOk) return show(c, refusalOf(reply));
    // it lives an hour and is worth an hour: an address would keep it for longer
    return show(c, undefined, { ...(reply.body as Schemas["SessionCreated"]), userId });
  });
  form("/people/members", "invited", (visit, { organizationId = "", email, role }) =>
    visit.askAs(organizationId, "POST", membersPath(organizationId), { email, role }),
  );
  form("/people/members/role", "saved", (visit, { organizationId = "", memberId, role }) =>
    visit.askAs(organizationId, "PUT", memberPath(organizationId, memberId), { role }),
  );
  form("/people/members/remove", "deleted", (visit, { organizationId = "", memberId }) =>
    visit.askAs(organizationId, "DELETE", memberPath(organizationId, memberId)),
  );
  form("/people/invitations", "accepted", (visit, { organizationId, email }) => {
    // for a person who is no user yet
    const body = { organizationId, email, password: invitedPassword };
    return visit.ask("POST", "/_emulator/invitations/accept", { body });
  });
  form("/people/keys", "created", (visit, { organizationId, name, scopes: chosen, expiresAt }) => {
    const body = { organizationId, name, scopes: chosen?.split(",") ?? [], ...filledIn({ expiresAt }) };
    return visit.ask("POST", "/_emulator/api-keys", { body });
  });
  form("/people/keys/delete", "deleted", (visit, { apiKeyId }) =>
    visit.ask("DELETE", pathOf`/_emulator/api-keys/${apiKeyId}`),
  );
}

function membersPath(organizationId: string): string {
  return pathOf`/api/v1/organizations/${organizationId}/members`;
}

function memberPath(organizationId: string, memberId: string | undefined): string {
  return membersPath(organizationId) + pathOf`/${memberId}`;
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
    { title: "People", section: "/people", lead: "Users, roles and credentials.", refusal },
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
            <Delete
              to="/people/users/delete"
              of={email}
              fields={{ userId }}
              question={`Delete ${email} and everything that they alone own?`}
            />
          </>,
        ])}
        empty={
          <Empty title="No users yet">Create a user below, together with a personal organization.</Empty>
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
          <Delete
            to="/people/keys/delete"
            of={called}
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
