import { allRoles } from "../../../openapi/schemas/roles.js";
import { Badge, CopyableText, EmptyState, formatShortTime, Table } from "../../../openapi/html/components.js";
import { attemptOrShowRefusal } from "../environment.js";
import { ActionButton, DeleteButton, Form } from "../form.js";
import { createPageHandler, usePage } from "../page.js";
import type { ConsoleOrganization, Schemas } from "../page-visit.js";
import { OrganizationPicker } from "./organization-page.js";

/** The password of users that are created when an invitation is accepted here. */
const invitedPassword = "demo-password";

/** Users, organizations, members, invitations and keys. */
export const peoplePage = createPageHandler(async (c, visit) => {
  const chosen = await visit.organization(visit.query.organization);
  const organizationId = chosen?.organizationId ?? "";
  const { users } = await visit.read("listUsers");
  const { apiKeys } = await visit.read("listApiKeys");
  const organizations = await visit.organizations();
  const found =
    chosen &&
    (await attemptOrShowRefusal(c, () =>
      visit.read("listMembers", { params: { organizationId }, as: organizationId }),
    ));
  const members = found?.members ?? [];
  const sent = c.get("sent");
  return {
    title: "People",
    section: "/people",
    lead: "Users, organizations, members and API keys.",
    content: (
      <>
        {sent && (
          <LoggedIn
            session={sent.reply.body as Schemas["SessionCreated"]}
            user={users.find(({ userId }) => userId === (sent.call.body as { userId?: string }).userId)}
          />
        )}
        <Users users={users} />
        {chosen && (
          <>
            <h2 id="organization">Organization</h2>
            <OrganizationPicker section="/people" organizations={organizations} chosen={chosen} />
            <Members organization={chosen} members={members} />
            <Keys
              organization={chosen}
              keys={apiKeys.filter((key) => key.organizationId === organizationId)}
            />
          </>
        )}
      </>
    ),
  };
});

interface LoggedInProps {
  readonly session: Schemas["SessionCreated"];
  readonly user: Schemas["User"] | undefined;
}

/** Shows the access token of a login. It is not part of the address, which the browser history would keep. */
function LoggedIn({ session, user }: LoggedInProps) {
  const { accessToken, organizationId, expiresAt } = session;
  return (
    <div class="notice good" role="status">
      <p>
        <strong>Logged in</strong> as <span dir="auto">{user?.email}</span> for {organizationId}, until{" "}
        {formatShortTime(expiresAt)}. Access token:
      </p>
      <CopyableText id="access-token" text={accessToken} />
    </div>
  );
}

/** Maximum number of users and of members that the page shows. */
const maxRows = 500;

function Users({ users }: { users: readonly Schemas["User"][] }) {
  return (
    <section>
      <h2>Users</h2>
      <Table
        label="Users"
        head={["Email", "Name", "", ["", "actions"]]}
        maxRows={maxRows}
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
            <ActionButton
              call={{ operation: "createSession", body: { userId } }}
              label="Log in as"
              of={email}
            />{" "}
            <DeleteButton
              call={{ operation: "deleteUser", params: { userId } }}
              of={email}
              question={`Delete ${email} and everything that only this user owns?`}
            />
          </>,
        ])}
        empty={
          <EmptyState title="No users yet">
            Create a user below. Every user has a personal organization.
          </EmptyState>
        }
      />
      <Form
        label="Create a user"
        call={{ operation: "createUser", done: "created" }}
        fields={{ email: "Email", name: "Name", password: "Password" }}
        values={{ password: invitedPassword }}
        isFolded
        submit="Create the user"
      />
    </section>
  );
}

interface MembersProps {
  readonly organization: ConsoleOrganization;
  /** Members, with an id of their own under some profiles (gap `member-id`). */
  readonly members: readonly (Schemas["Member"] & { readonly memberId?: string })[];
}

function Members({ organization: { organizationId, name }, members }: MembersProps) {
  const as = organizationId;
  const { profile } = usePage().visit;
  return (
    <section>
      <h3>
        Members of <span dir="auto">{name}</span>
      </h3>
      <Table
        label="Members"
        head={["Email", ["Role", "actions"], "Status", ["", "actions"]]}
        maxRows={maxRows}
        rows={members.map(({ userId, email, role, status, memberId: ownId }) => {
          // A pending member has no user id yet, so the address identifies them.
          const memberId = ownId ?? (profile["member-id"] === "email" ? email : (userId ?? email));
          const params = { organizationId, memberId };
          return [
            email,
            <Form call={{ operation: "updateMember", params, as, done: "saved" }} class="inline">
              <select name="role" aria-label={`Role of ${email}`}>
                {allRoles.map((one) => (
                  <option selected={one === role}>{one}</option>
                ))}
              </select>{" "}
              <button>
                Change<span class="unseen"> the role of {email}</span>
              </button>
            </Form>,
            <Badge state={status} />,
            <>
              {status === "pending" ? (
                <ActionButton
                  call={{
                    operation: "acceptInvitation",
                    body: { organizationId, email, password: invitedPassword },
                    done: "accepted",
                  }}
                  label="Accept the invitation"
                  of={`of ${email}`}
                />
              ) : (
                <ActionButton
                  call={{ operation: "createSession", body: { userId, organizationId } }}
                  label="Log in here"
                  of={`as ${email}`}
                />
              )}{" "}
              <ActionButton
                call={{ operation: "removeMember", params, as, done: "deleted" }}
                label="Remove"
                of={email}
                kind="danger"
                question={`Remove ${email} from the organization?`}
              />
            </>,
          ];
        })}
      />
      <Form
        label="Invite a user"
        call={{ operation: "inviteMember", params: { organizationId }, as, done: "invited" }}
        fields={{ email: "Email", role: "Role" }}
        isFolded
        submit="Invite"
      />
    </section>
  );
}

interface KeysProps {
  readonly organization: ConsoleOrganization;
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
        rows={keys.map(({ apiKeyId, key, name: called, scopes, expiresAt }) => [
          called,
          <CopyableText id={apiKeyId} text={key} />,
          scopes.join(", "),
          expiresAt === null ? "never" : formatShortTime(expiresAt),
          <DeleteButton
            call={{ operation: "deleteApiKey", params: { apiKeyId } }}
            of={called}
            question={`Delete the key ${called}? Requests that use this key will be rejected.`}
          />,
        ])}
        empty={
          <EmptyState title="No API keys">
            Programs authenticate with API keys; users authenticate with access tokens. Create an API key
            below.
          </EmptyState>
        }
      />
      <Form
        label="Create an API key"
        call={{ operation: "createApiKey", body: { organizationId }, done: "created" }}
        fields={{
          name: "Name",
          expiresAt: {
            label: "Expires",
            placeholder: "2030-06-01T00:00:00Z",
            hint: "ISO 8601 time with a time zone. Leave empty for a key that never expires.",
          },
          scopes: "Scopes",
        }}
        isFolded
        submit="Create the key"
      />
    </section>
  );
}
