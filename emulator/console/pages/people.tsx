import type { Context } from "hono";
import { allRoles, scopes } from "../../../openapi/schemas/roles.js";
import type { components as Control } from "../../../openapi/generated/control-plane-types.js";
import type { components as Service } from "../../../openapi/generated/service-types.js";
import type { ConsoleApp, ConsoleEnvironment } from "../console-app.js";
import { type Refusal, refusalOf } from "../field-problems.js";
import { Action, Choice, Field, Form } from "../form.js";
import { Layout } from "../layout.js";
import { Copyable, DoneNotice, Empty, RefusalNotice, Table } from "../notices.js";
import { OrganizationChoice } from "../organization-choice.js";
import type { Reply, Visit } from "../visit.js";

type User = Control["schemas"]["User"];
type Organization = Control["schemas"]["OrganizationEntry"];
type ApiKey = Control["schemas"]["ApiKey"];
type Member = Service["schemas"]["Member"];

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
    return settle(c, await c.get("visit").ask("POST", "/_emulator/api-keys", { body }), "created", "key");
  });

  app.post("/people/keys/delete", async (c) => {
    const path = `/_emulator/api-keys/${encodeURIComponent(c.get("fields").apiKeyId ?? "")}`;
    return settle(c, await c.get("visit").ask("DELETE", path), "deleted");
  });
}

function mountUserForms(app: ConsoleApp): void {
  app.post("/people/users", async (c) => {
    const { email = "", password = "", name = "" } = c.get("fields");
    const body = { email, password, ...(name === "" ? {} : { name }) };
    return settle(c, await c.get("visit").ask("POST", "/_emulator/users", { body }), "created", "user");
  });

  app.post("/people/users/delete", async (c) => {
    const path = `/_emulator/users/${encodeURIComponent(c.get("fields").userId ?? "")}`;
    return settle(c, await c.get("visit").ask("DELETE", path), "deleted");
  });

  app.post("/people/users/log-in", async (c) => {
    const { userId = "", sessionOrganization = "" } = c.get("fields");
    const body = { userId, ...(sessionOrganization === "" ? {} : { organizationId: sessionOrganization }) };
    const reply = await c.get("visit").ask("POST", "/_emulator/sessions", { body });
    if (!reply.isOk) return show(c, { form: "", refusal: refusalOf(reply, () => undefined) });
    // it lives an hour and is worth an hour: an address would keep it for longer
    return show(c, { session: { ...(reply.body as Control["schemas"]["SessionCreated"]), userId } });
  });
}

function mountMemberForms(app: ConsoleApp): void {
  const members = (organizationId: string) =>
    `/api/v1/organizations/${encodeURIComponent(organizationId)}/members`;

  app.post("/people/members", async (c) => {
    const visit = c.get("visit");
    const { organizationId = "", email = "", role = "" } = c.get("fields");
    const token = await visit.session(organizationId);
    const reply = await visit.ask("POST", members(organizationId), { token, body: { email, role } });
    return settle(c, reply, "invited", "member");
  });

  app.post("/people/members/role", async (c) => {
    const visit = c.get("visit");
    const { organizationId = "", memberId = "", role = "" } = c.get("fields");
    const token = await visit.session(organizationId);
    const path = `${members(organizationId)}/${encodeURIComponent(memberId)}`;
    return settle(c, await visit.ask("PUT", path, { token, body: { role } }), "saved");
  });

  app.post("/people/members/remove", async (c) => {
    const visit = c.get("visit");
    const { organizationId = "", memberId = "" } = c.get("fields");
    const token = await visit.session(organizationId);
    const path = `${members(organizationId)}/${encodeURIComponent(memberId)}`;
    return settle(c, await visit.ask("DELETE", path, { token }), "deleted");
  });

  app.post("/people/invitations", async (c) => {
    const { organizationId = "", email = "" } = c.get("fields");
    // for a person who is no user yet
    const body = { organizationId, email, password: invitedPassword };
    return settle(c, await c.get("visit").ask("POST", "/_emulator/invitations/accept", { body }), "accepted");
  });
}

/** The password of those who become users by an invitation that is accepted here. */
const invitedPassword = "demo-password";

/** Which of the page's forms was refused, and how. */
interface Said {
  readonly form?: string;
  readonly refusal?: Refusal;
  readonly session?: Control["schemas"]["SessionCreated"] & { readonly userId: string };
}

async function settle(
  c: Context<ConsoleEnvironment>,
  reply: Reply,
  done: string,
  form = "",
): Promise<Response> {
  if (!reply.isOk) return show(c, { form, refusal: refusalOf(reply, (pointer) => pointer.split("/")[1]) });
  const { organizationId } = c.get("fields");
  return c.redirect(c.get("visit").link("/people", { organization: organizationId, done }), 303);
}

async function show(c: Context<ConsoleEnvironment>, said: Said = {}): Promise<Response> {
  const visit = c.get("visit");
  const [organizations, userList, keyList] = await Promise.all([
    visit.organizations(),
    visit.ask("GET", "/_emulator/users"),
    visit.ask("GET", "/_emulator/api-keys"),
  ]);
  const { users } = userList.body as Control["schemas"]["UserList"];
  const { apiKeys } = keyList.body as Control["schemas"]["ApiKeyList"];
  const asked = c.get("fields").organizationId ?? c.req.query("organization");
  const chosen =
    organizations.find(({ organizationId }) => organizationId === asked) ??
    organizations.find(({ isPersonal, databases }) => !isPersonal && databases > 0) ??
    organizations.find(({ isPersonal }) => !isPersonal) ??
    organizations[0];
  if (said.refusal !== undefined) c.status(400);
  return c.html(
    <Layout visit={visit} title="People" section="/people" lead="Who may do what, and with which credential.">
      <DoneNotice done={c.req.query("done")} />
      <RefusalNotice refusal={said.refusal} />
      <Session session={said.session} users={users} />
      <Users visit={visit} users={users} />
      <NewUser
        visit={visit}
        fields={c.get("fields")}
        refusal={said.form === "user" ? said.refusal : undefined}
      />
      {chosen === undefined ? null : (
        <>
          <h2 id="organization">Organization</h2>
          <OrganizationChoice
            visit={visit}
            action={visit.link("/people")}
            organizations={organizations}
            chosen={chosen.organizationId}
          />
          <Members
            visit={visit}
            organization={chosen}
            members={await membersOf(visit, chosen)}
            fields={c.get("fields")}
            refusal={said.form === "member" ? said.refusal : undefined}
          />
          <Keys
            visit={visit}
            organization={chosen}
            keys={apiKeys.filter(({ organizationId }) => organizationId === chosen.organizationId)}
            fields={c.get("fields")}
            refusal={said.form === "key" ? said.refusal : undefined}
          />
        </>
      )}
    </Layout>,
  );
}

async function membersOf(visit: Visit, { organizationId }: Organization): Promise<readonly Member[]> {
  const token = await visit.session(organizationId);
  const path = `/api/v1/organizations/${encodeURIComponent(organizationId)}/members`;
  const { isOk, body } = await visit.ask("GET", path, { token });
  return isOk ? (body as Service["schemas"]["MemberList"]).members : [];
}

function Session({ session, users }: { session: Said["session"]; users: readonly User[] }) {
  if (session === undefined) return null;
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

function Users({ visit, users }: { visit: Visit; users: readonly User[] }) {
  return (
    <section>
      <h2>Users</h2>
      {users.length === 0 ? (
        <Empty title="Nobody is here yet">
          <p>Make a user below: the personal organization comes with them.</p>
        </Empty>
      ) : (
        <Table label="Users" head={["E-mail", "Name", "", ""]}>
          {users.map(({ userId, email, name, emailVerified, mfaRequired }) => (
            <tr>
              <th scope="row">
                <span dir="auto">{email}</span> <span class="muted key">{userId}</span>
              </th>
              <td dir="auto">{name}</td>
              <td>
                {emailVerified ? null : <span class="badge warn">not verified</span>}{" "}
                {mfaRequired ? <span class="badge warn">second factor</span> : null}
              </td>
              <td class="actions">
                <Action
                  action={visit.link("/people/users/log-in")}
                  label="Log in as"
                  of={email}
                  fields={{ userId }}
                />{" "}
                <Action
                  action={visit.link("/people/users/delete")}
                  label="Delete"
                  of={email}
                  kind="danger"
                  fields={{ userId }}
                  question={`Delete ${email} and everything that they alone own?`}
                />
              </td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  );
}

type Fields = Readonly<Partial<Record<string, string>>>;

function NewUser({ visit, fields, refusal }: { visit: Visit; fields: Fields; refusal: Refusal | undefined }) {
  const value = refusal === undefined ? {} : fields;
  return (
    <details {...(refusal === undefined ? {} : { open: true })}>
      <summary>Make a user</summary>
      <Form action={visit.link("/people/users")} label="Make a user">
        <div class="pair">
          <Field
            label="E-mail"
            name="email"
            scope="user-"
            value={value.email}
            problem={refusal?.fields.email}
          />
          <Field label="Name" name="name" scope="user-" value={value.name} problem={refusal?.fields.name} />
          <Field
            label="Password"
            name="password"
            scope="user-"
            value={value.password ?? "demo-password"}
            problem={refusal?.fields.password}
          />
        </div>
        <div class="buttons">
          <button class="main">Make the user</button>
        </div>
      </Form>
    </details>
  );
}

interface MembersProps {
  readonly visit: Visit;
  readonly organization: Organization;
  readonly members: readonly Member[];
  readonly fields: Fields;
  readonly refusal: Refusal | undefined;
}

function Members({ visit, organization, members, fields, refusal }: MembersProps) {
  const { organizationId, name } = organization;
  return (
    <section>
      <h3>
        Members of <span dir="auto">{name}</span>
      </h3>
      <Table label="Members" head={["E-mail", "Role", "Status", "Log in", ""]}>
        {members.map((member) => (
          <MemberRow visit={visit} organizationId={organizationId} member={member} />
        ))}
      </Table>
      <details {...(refusal === undefined ? {} : { open: true })}>
        <summary>Invite somebody</summary>
        <Form action={visit.link("/people/members")} label="Invite somebody">
          <input type="hidden" name="organizationId" value={organizationId} />
          <div class="pair">
            <Field
              label="E-mail"
              name="email"
              scope="member-"
              value={refusal === undefined ? "" : fields.email}
              problem={refusal?.fields.email}
            />
            <Choice label="Role" name="role" scope="member-" value="member" options={allRoles} />
          </div>
          <div class="buttons">
            <button class="main">Invite</button>
          </div>
        </Form>
      </details>
    </section>
  );
}

function MemberRow({
  visit,
  organizationId,
  member,
}: {
  visit: Visit;
  organizationId: string;
  member: Member;
}) {
  const { userId, email, role, status } = member;
  // a pending member has no user id yet, and goes by the address
  const memberId = userId ?? email;
  return (
    <tr>
      <th scope="row" dir="auto">
        {email}
      </th>
      <td class="actions">
        <Form action={visit.link("/people/members/role")} class="inline">
          <input type="hidden" name="organizationId" value={organizationId} />
          <input type="hidden" name="memberId" value={memberId} />
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
        </Form>
      </td>
      <td>
        <span class={`badge ${status}`}>{status}</span>
      </td>
      <td class="actions">
        {status === "pending" ? (
          <Action
            action={visit.link("/people/invitations")}
            label="Accept the invitation"
            of={`of ${email}`}
            fields={{ organizationId, email }}
          />
        ) : (
          <Action
            action={visit.link("/people/users/log-in")}
            label="Log in here"
            of={`as ${email}`}
            fields={{ userId, sessionOrganization: organizationId, organizationId }}
          />
        )}
      </td>
      <td class="actions">
        <Action
          action={visit.link("/people/members/remove")}
          label="Remove"
          of={email}
          kind="danger"
          fields={{ organizationId, memberId }}
          question={`Remove ${email} from the organization?`}
        />
      </td>
    </tr>
  );
}

interface KeysProps {
  readonly visit: Visit;
  readonly organization: Organization;
  readonly keys: readonly ApiKey[];
  readonly fields: Fields;
  readonly refusal: Refusal | undefined;
}

function Keys({ visit, organization, keys, fields, refusal }: KeysProps) {
  const { organizationId, name } = organization;
  const value = refusal === undefined ? {} : fields;
  return (
    <section>
      <h3>
        API keys of <span dir="auto">{name}</span>
      </h3>
      {keys.length === 0 ? (
        <Empty title="No API keys">
          <p>Programs use keys where people use tokens. Make one below.</p>
        </Empty>
      ) : (
        <Table label="API keys" head={["Name", "Key", "Scopes", "Expires", ""]}>
          {keys.map(({ apiKeyId, key, name: called, scopes: held, expiresAt }) => (
            <tr>
              <th scope="row" dir="auto">
                {called}
              </th>
              <td>
                <Copyable id={apiKeyId} text={key} />
              </td>
              <td class="muted">{held.join(", ")}</td>
              <td class="nowrap">{expiresAt?.slice(0, 10) ?? "never"}</td>
              <td class="actions">
                <Action
                  action={visit.link("/people/keys/delete")}
                  label="Delete"
                  of={called}
                  kind="danger"
                  fields={{ apiKeyId, organizationId }}
                  question={`Delete the key ${called}? It is refused from then on.`}
                />
              </td>
            </tr>
          ))}
        </Table>
      )}
      <details {...(refusal === undefined ? {} : { open: true })}>
        <summary>Make an API key</summary>
        <Form action={visit.link("/people/keys")} label="Make an API key">
          <input type="hidden" name="organizationId" value={organizationId} />
          <div class="pair">
            <Field label="Name" name="name" scope="key-" value={value.name} problem={refusal?.fields.name} />
            <Field
              label="Expires"
              name="expiresAt"
              scope="key-"
              value={value.expiresAt}
              placeholder="2030-06-01T00:00:00Z"
              hint="Empty for never."
              problem={refusal?.fields.expiresAt}
            />
          </div>
          <fieldset>
            <legend>Scopes</legend>
            <div class="options">
              {scopes.map((scope) => (
                <label class="option">
                  <input type="checkbox" name="scopes" value={scope} />
                  {scope}
                </label>
              ))}
            </div>
            {refusal?.fields.scopes === undefined ? null : (
              <p class="problem">{refusal.fields.scopes.text}</p>
            )}
          </fieldset>
          <div class="buttons">
            <button class="main">Make the key</button>
          </div>
        </Form>
      </details>
    </section>
  );
}
