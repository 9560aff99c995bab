import { getResourceLimit } from "../models/get-resource-limit.js";
import { scopes } from "../../openapi/schemas/roles.js";
import { actorNames, isActorName, type Requirement } from "./requirements.js";
import type { Client } from "../client/client.js";
import { readAllPages } from "../client/read-all-pages.js";
import type { Fetch } from "../client/exchange.js";
import { NoResponseError, RunError } from "../client/violation.js";
import { Actors, type ActorSource, type Login } from "./actors.js";
import type { UnmetRequirementReason, Target } from "./target.js";
import {
  type Capability,
  capabilities,
  defaultCapabilities,
  defaultRateLimits,
  defaultTimeouts,
  type TargetFile,
} from "./target-file.js";

export interface FileTargetOptions {
  readonly file: TargetFile;
  /** Base URL; overrides that of the file. */
  readonly url?: string;
  readonly fetch?: Fetch;
}

/**
 * Creates the target that a target file describes. Only operations of the contract are called.
 *
 * @throws RunError when no base URL is known
 */
export function createTargetFromFile({
  file,
  url = file.baseUrl,
  fetch = globalThis.fetch,
}: FileTargetOptions): Target {
  if (url === undefined)
    throw new RunError("no base URL: set baseUrl in the target file or give a URL on the command line");
  const baseUrl = parseBaseUrl(url);
  const offered = new Set<Capability>(file.capabilities ?? defaultCapabilities);
  /** Set when the target is prepared. */
  const obstacles: Obstacles = {};
  const { requestMs: timeoutMs, ...timeouts } = { ...defaultTimeouts, ...file.timeouts };
  const logins = new Map<string, Login>(Object.entries(file.users));

  const lacks = (capability: Capability): string | undefined =>
    offered.has(capability) ? undefined : `the target file does not declare the capability \`${capability}\``;
  const requireNamed = (isNamed: boolean, what: string) =>
    isNamed ? undefined : `the target file does not declare ${what}`;
  const missing = (need: Requirement): UnmetRequirementReason | undefined => {
    const user = need.replace(/-user$/, "");
    if (isActorName(need) || user !== need) return requireNamed(user in file.users, `a user \`${user}\``);
    const [, scope] = /^key (.*)$/.exec(need) ?? [];
    if (scope !== undefined)
      return requireNamed(scope in (file.apiKeys ?? {}), `an API key with the scope \`${scope}\``);
    switch (need) {
      case "expired-key":
        return requireNamed(file.apiKeys?.expired !== undefined, "an expired API key");
      case "control-plane":
        return "only an emulator has a control plane (to set the clock, plans and health, and to accept invitations)";
      case "database":
        return file.databaseId === undefined
          ? (lacks("create-databases") ?? toUntried(obstacles.database))
          : undefined;
      case "create-databases":
      case "invitations":
        return lacks(need) ?? toUntried(obstacles[need]);
      default:
        return need in capabilities ? lacks(need as Capability) : `unknown requirement: ${need}`;
    }
  };

  const find = <T>(value: T | undefined, what: string): Promise<T> =>
    value === undefined
      ? Promise.reject(new RunError(`the target file does not declare ${what}`))
      : Promise.resolve(value);
  const source: ActorSource = {
    getLogin: (name) => find(logins.get(name), `a user \`${name}\``),
    getKey: (scope) => find(file.apiKeys?.[scope], `an API key with the scope \`${scope}\``),
  };

  return {
    baseUrl,
    title: baseUrl,
    fetch,
    politeness: { ...defaultRateLimits, ...file.politeness },
    timeoutMs,
    ...timeouts,
    ...(file.observe?.bounds && { observationBounds: file.observe.bounds }),
    ...(file.invitationDomain === undefined ? {} : { invitationDomain: file.invitationDomain }),
    ...(file.databaseId === undefined ? {} : { databaseId: file.databaseId }),
    knownAnswers: file.profile ?? {},
    isStrict: false,
    findUnmetReason: missing,
    prepare: async ({ client, ledger, secrets }) => {
      const { variables = {} } = file;
      for (const [name, { password }] of logins)
        secrets.add("password", name, password, variables[`users.${name}.password`]);
      for (const scope of [...scopes, "expired"] as const)
        if (file.apiKeys?.[scope] !== undefined)
          secrets.add("API key", scope, file.apiKeys[scope], variables[`apiKeys.${scope}`]);
      await preflight(client);
      const actors = new Actors(client, source, secrets);
      // The specification does not say to which organization a login belongs, so the suite switches to one.
      for (const name of ["owner", "outsider"] as const) {
        const login = logins.get(name);
        if (login === undefined || login.organizationId !== undefined) continue;
        const { personalOrgId } = await actors.getSession(name);
        logins.set(name, { ...login, organizationId: personalOrgId });
      }
      const organizationId = await actors.getOrganizationId("owner");
      // By default, the members by role work in the owner's organization.
      for (const name of ["admin", "member", "readonly"] as const) {
        const login = logins.get(name);
        if (login !== undefined) logins.set(name, { organizationId, ...login });
      }
      actors.forgetSessions();
      for (const name of actorNames) if (logins.has(name)) await actors.getCaller(name);
      const call = { setUp: true, as: await actors.getCaller("owner"), path: { organizationId } };
      const listed = await client.call("listMembers", call);
      const list =
        listed.status === 200 ? (listed.body as { members?: unknown } | undefined)?.members : undefined;
      // If the owner may not list members, a check reports that.
      const members = Array.isArray(list) ? (list as readonly Member[]) : undefined;
      // A cleanup restores the roles that a killed run has changed.
      const restored = ledger.remaining.flatMap(({ kind, name }) =>
        kind === "role" ? [name.toLowerCase()] : [],
      );
      const verified = [...logins].filter(([, { email }]) => !restored.includes(email.toLowerCase()));
      verifyRoles(new Map(verified), members, organizationId);
      const described = await client.call("getOrganization", call);
      const organization = described.status === 200 ? (described.body as Described) : {};
      const databases = await readAllPages<{ readonly region: string }>(
        "databases",
        (cursor) => client.call("listDatabases", { ...call, ...(cursor && { query: { cursor } }) }),
        () => [],
      );
      const region = file.region ?? organization.settings?.allowedRegions?.[0] ?? databases[0]?.region;
      Object.assign(
        obstacles,
        region === undefined ? unknownRegion : {},
        findObstacles(organizationId, organization, databases.length, members, file),
      );
      return { source, ...(region === undefined ? {} : { region }) };
    },
  };
}

/**
 * Reads a base URL in the form in which URL parsers write it, without a slash at the end.
 *
 * @throws RunError when the text is not an HTTP URL, or has parts that no request can keep
 */
export function parseBaseUrl(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new RunError(`"${text}" is not a base URL; it must begin with http:// or https://`);
  const { origin, pathname, username, password, search, hash } = new URL(text);
  if (`${username}${password}${search}${hash}` !== "")
    throw new RunError(
      `the base URL must not have a user name, a password, a query or a fragment: use ${origin}${pathname}`,
    );
  return `${origin}${pathname}`.replace(/\/+$/, "");
}

/** Describes a requirement that the target file declares but this run cannot try: neither a failure nor a pass. */
function toUntried(reason: string | undefined): UnmetRequirementReason | undefined {
  return reason === undefined ? undefined : { untried: reason };
}

/** Why something cannot be created: a limit of the plan leaves no room for it, or no region is known. */
type Obstacles = Partial<Record<"database" | "create-databases" | "invitations", string>>;

const noRegion =
  "no region for new databases is known: the organization has no list of allowed regions and no database; " +
  "set `region` in the target file";
const unknownRegion: Obstacles = { database: noRegion, "create-databases": noRegion };

interface Member {
  readonly email?: unknown;
  readonly role?: unknown;
}

/** Verifies the roles of users; with a wrong role, checks would blame the deployment for a mistake in the target file. */
function verifyRoles(
  logins: ReadonlyMap<string, Login>,
  members: readonly Member[] | undefined,
  organizationId: string,
): void {
  if (members === undefined) return;
  for (const name of actorNames) {
    const login = logins.get(name);
    if (login === undefined) continue;
    const member = members.find(({ email }) => String(email).toLowerCase() === login.email.toLowerCase());
    const role = member === undefined ? "no role" : `the role ${String(member.role)}`;
    const wanted = name === "outsider" ? "no role" : `the role ${name}`;
    if (role !== wanted)
      throw new RunError(
        `the target file names ${login.email} as \`${name}\`, but in organization ${organizationId}, this user has ` +
          `${role}; specify a different user or organizationId`,
      );
  }
}

/** The fields of an organization that determine its limits. */
interface Described {
  readonly plan?: unknown;
  readonly settings?: Readonly<Record<string, unknown>> & {
    readonly allowedRegions?: readonly string[] | null;
  };
}

/** Finds what the limits of the organization's plan leave no room for. */
function findObstacles(
  organizationId: string,
  organization: Described,
  databaseCount: number,
  members: readonly Member[] | undefined,
  file: TargetFile,
): Obstacles {
  const maxDatabases = getResourceLimit("databases", organization);
  const maxMembers = getResourceLimit("members", organization);
  const shared = file.databaseId === undefined ? 1 : 0;
  const full = `organization ${organizationId} has ${databaseCount} of ${maxDatabases} databases, so there is no room for another`;
  return {
    ...(databaseCount + shared > maxDatabases
      ? { database: `${full}; set \`databaseId\` to use an existing one` }
      : {}),
    ...(databaseCount + shared + 1 > maxDatabases
      ? { "create-databases": full + (shared === 1 ? " in addition to the one that the suite works in" : "") }
      : {}),
    ...(members === undefined || members.length < maxMembers
      ? {}
      : {
          invitations: `organization ${organizationId} has ${members.length} of ${maxMembers} members, so there is no room for another`,
        }),
  };
}

/**
 * Checks that something responds at the base URL and that it may be the service.
 *
 * @throws RunError when nothing responds, or when the response is not JSON
 */
async function preflight(client: Client): Promise<void> {
  const { baseUrl } = client;
  const response = await client.send("GET", "/health", { skipRetries: true }).catch((error: unknown) => {
    if (error instanceof NoResponseError)
      throw new NoResponseError(
        `${error.message}; check that the base URL is right and that the deployment is running`,
      );
    throw error;
  });
  const location = response.header("location");
  if (response.status >= 300 && response.status < 400)
    throw new RunError(
      `${baseUrl}/health redirects to ${location ?? "nowhere"}; use that server's base URL instead`,
    );
  const type = response.header("content-type") ?? "nothing";
  if (typeof response.body === "object" && response.body !== null && !type.includes("html")) return;
  // The title of a page is near its beginning.
  const title = /<title[^>]*>([^<]*)/i.exec(response.text.slice(0, 4096))?.[1]?.trim() ?? "";
  const isHtml = /html/i.test(type) || /^\s*</.test(response.text);
  throw new RunError(
    `${baseUrl} is not the data service: GET /health returned status ${response.status} and ` +
      (isHtml ? "HTML" : `content that is not JSON (${type})`) +
      (title === "" ? "" : `, titled "${title.slice(0, 80)}"`) +
      "; check the base URL",
  );
}
