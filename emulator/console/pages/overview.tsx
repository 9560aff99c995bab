import { groupNonDefaultAnswersByArea } from "../../../openapi/gaps/register.js";
import { CopyableText, EmptyState, Table } from "../../../openapi/html/components.js";
import { buildExampleCurlArguments } from "../../access/build-example-curl-arguments.js";
import { ActionButton } from "../form.js";
import { Link, createPageHandler } from "../page.js";
import type { Schemas } from "../page-visit.js";

type State = Schemas["EmulatorState"];

/** What is running, and how to use it. */
export const overviewPage = createPageHandler(async (_c, visit) => {
  const { version, fixture, seed, credentials, profile, counts } = await visit.read("getEmulator");
  const { databases } = await visit.read("listAllDatabases");
  const shared = (await visit.organizations()).filter(({ isPersonal }) => !isPersonal);
  const baseUrl = `${visit.origin}${visit.prefix}`;
  const example = buildExampleCurlArguments(databases, credentials.apiKeys);
  return {
    title: "Overview",
    section: "",
    lead: `Version ${version}, started with the fixture ${fixture} and the random seed ${seed}. All data stays on this machine. The passwords and keys work only in this emulator.`,
    content: (
      <>
        <div class="panel strip">
          <span class="muted">Base URL for your client</span>
          <CopyableText id="base-url" text={baseUrl} />
        </div>
        <div class="panel strip">
          <span class="muted">A request to try</span>
          <CopyableText
            id="example"
            text={`curl${baseUrl.startsWith("https:") ? " --insecure" : ""} ${baseUrl}${example}`}
          />
        </div>
        <Counts counts={counts} />
        <Credentials
          credentials={credentials}
          shared={new Set(shared.map(({ organizationId }) => organizationId))}
        />
        <div class="columns">
          <section>
            <h2>Links</h2>
            <ul class="links">
              <li>
                <Link to="/errors">Kinds of errors</Link> and how to fix their causes
              </li>
              <li>
                <a href={`${visit.prefix}/openapi.json`}>OpenAPI document</a> for the service, under the
                current profile
              </li>
              <li>
                <a href={`${visit.prefix}/_emulator/journal`}>Journal</a> of the requests on the Traffic page,
                as JSON
              </li>
              <li>
                <a href={`${visit.prefix}/_emulator/openapi.json`}>OpenAPI document</a> for the control plane
              </li>
            </ul>
          </section>
          <section>
            <h2>Start over</h2>
            <p>A reset restores the data, clock and id generator that this namespace started with.</p>
            <ActionButton
              call={{ operation: "resetEmulator", done: "reset" }}
              label="Reset the namespace"
              kind="danger"
              question={`Reset the namespace ${visit.namespace}? Data that is not in a snapshot will be lost.`}
            />
          </section>
        </div>
        <ProfileTable profile={profile} />
      </>
    ),
  };
});

/** The API reference. */
export const referencePage = createPageHandler((_c, visit) => {
  const document = `${visit.prefix}/openapi.json`;
  return {
    title: "API reference",
    section: "/reference",
    lead: "The service's API in this namespace, under the current profile. To send requests from this page, authorize with an API key or access token from the People page.",
    styles: ["swagger-ui.css", "reference.css"],
    scripts: ["swagger-ui.js", "reference.js"],
    content: (
      <>
        <h2 class="unseen">Operations</h2>
        <div id="reference" data-document={document}>
          <p>
            The reference needs JavaScript. The <a href={document}>OpenAPI document</a> does not.
          </p>
        </div>
      </>
    ),
  };
});

function Counts({ counts }: { counts: State["counts"] }) {
  const tiles: readonly (readonly [string, number, string])[] = [
    ["Databases", counts.databases, "/data"],
    ["Items", counts.items, "/data"],
    ["Entities", counts.entities, "/data"],
    ["SQL rows", counts.sqlRows, "/data"],
    ["Users", counts.users, "/people"],
    ["Organizations", counts.organizations, "/people"],
    ["API keys", counts.apiKeys, "/people"],
  ];
  return (
    <ul class="tiles" aria-label="Contents of the namespace">
      {tiles.map(([name, count, path]) => (
        <li>
          <Link to={path}>
            <strong>{count.toLocaleString("en-US")}</strong>
            <span>{name}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

interface CredentialsProps {
  readonly credentials: State["credentials"];
  /** The organizations that are not personal. */
  readonly shared: ReadonlySet<string>;
}

function Credentials({ credentials: { users, apiKeys }, shared }: CredentialsProps) {
  if (users.length === 0 && apiKeys.length === 0)
    return (
      <EmptyState title="No users or API keys yet">
        Create a user on the <Link to="/people">People</Link> page, or start the emulator with the fixture{" "}
        <code>demo</code>: <code>data-service start --fixture demo</code>.
      </EmptyState>
    );
  return (
    <>
      <section>
        <h2>Users</h2>
        <Table
          label="Seeded users"
          head={["Email", "Password", ["Member of", "muted"]]}
          rows={users.map(({ email, password, memberships, userId }) => [
            email,
            <CopyableText id={`password-${userId}`} text={password} />,
            memberships
              .filter(({ organizationId }) => shared.has(organizationId))
              .map(({ organizationId, role }) => `${organizationId} (${role})`)
              .join(", ") || "only a personal organization",
          ])}
        />
      </section>
      <section>
        <h2>API keys</h2>
        <Table
          label="Seeded API keys"
          head={["Key", ["Scopes", "muted"]]}
          rows={apiKeys.map(({ key, scopes, apiKeyId }) => [
            <CopyableText id={apiKeyId} text={key} />,
            scopes.join(", "),
          ])}
        />
      </section>
    </>
  );
}

function ProfileTable({ profile }: { profile: State["profile"] }) {
  const rows = groupNonDefaultAnswersByArea(profile).flatMap(({ area, answers }) =>
    answers.map(([gap, answer], index) => [
      gap,
      index === 0 ? area : "",
      <code>{typeof answer === "string" ? answer : JSON.stringify(answer)}</code>,
    ]),
  );
  return (
    <details>
      <summary>
        Current profile: {rows.length} {rows.length === 1 ? "answer differs" : "answers differ"} from the
        default
      </summary>
      <Table label="Profile" head={["Gap", "Area", "Answer"]} rows={rows} />
    </details>
  );
}
