import { ceilingOf } from "../models/ceilings.js";
import { scopes } from "../../openapi/operations/operation.js";
import { type ActorName, actorNames, type Need } from "../needs.js";
import type { Caller, Client } from "../client/client.js";
import type { Fetch } from "../client/exchange.js";
import { RunTrouble } from "../violation.js";
import { Actors, type ActorSource, type Login } from "./actors.js";
import { preflight } from "./preflight.js";
import type { Target } from "./target.js";
import {
  type Capability,
  capabilities,
  defaultCapabilities,
  defaultPoliteness,
  defaultRegion,
  defaultTimeouts,
  type TargetFile,
} from "./target-file.js";

export interface FileTargetOptions {
  readonly file: TargetFile;
  /** Base URL in place of the file's. */
  readonly url?: string;
  readonly fetch?: Fetch;
}

/**
 * A deployment as a target file describes it. Nothing but the operations of the contract is called.
 *
 * @throws RunTrouble when no base URL is known
 */
export function fileTarget({
  file,
  url = file.baseUrl,
  fetch = globalThis.fetch,
}: FileTargetOptions): Target {
  if (url === undefined)
    throw new RunTrouble("the target file has no baseUrl, and the command line names no URL either");
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new RunTrouble(`"${url}" is no base URL; write it with http:// or https://`);
  const baseUrl = url.replace(/\/+$/, "");
  const offered = new Set<Capability>(file.capabilities ?? defaultCapabilities);
  const ceilings: Ceilings = {};
  const logins = new Map<string, Login>(Object.entries(file.users));

  const lacks = (capability: Capability): string | undefined =>
    offered.has(capability) ? undefined : `the target file does not declare the capability \`${capability}\``;
  const missing = (need: Need): string | undefined => {
    if (isActor(need)) return need in file.users ? undefined : `the target file names no user \`${need}\``;
    if (need.startsWith("key ")) {
      const scope = need.slice("key ".length);
      return scope in (file.apiKeys ?? {})
        ? undefined
        : `the target file names no API key with the scope \`${scope}\``;
    }
    switch (need) {
      case "expired-key":
        return file.apiKeys?.expired === undefined ? "the target file names no expired API key" : undefined;
      case "unverified-user":
      case "mfa-user": {
        const name = need.slice(0, need.indexOf("-"));
        return name in file.users ? undefined : `the target file names no user \`${name}\``;
      }
      case "control-plane":
        return "only an emulator has a control plane: clock, plans, health, accepted invitations";
      case "database":
        return file.databaseId === undefined ? (lacks("create-databases") ?? ceilings.database) : undefined;
      case "create-databases":
        return lacks(need) ?? ceilings[need];
      case "invitations":
        return lacks(need) ?? ceilings[need];
      default:
        return need in capabilities ? lacks(need as Capability) : `the suite does not know the need ${need}`;
    }
  };

  const source: ActorSource = {
    login: (name) => {
      const login = logins.get(name);
      return login === undefined
        ? Promise.reject(new RunTrouble(`the target file names no user \`${name}\``))
        : Promise.resolve(login);
    },
    key: (scope) => {
      const key = file.apiKeys?.[scope];
      return key === undefined
        ? Promise.reject(new RunTrouble(`the target file names no API key \`${scope}\``))
        : Promise.resolve(key);
    },
  };

  return {
    baseUrl,
    title: baseUrl,
    fetch,
    politeness: { ...defaultPoliteness, ...file.politeness },
    timeoutMs: file.timeouts?.requestMs ?? defaultTimeouts.requestMs,
    databaseReadyMs: file.timeouts?.databaseReadyMs ?? defaultTimeouts.databaseReadyMs,
    readLagMs: file.timeouts?.readLagMs ?? 0,
    region: file.region ?? defaultRegion,
    ...(file.databaseId === undefined ? {} : { databaseId: file.databaseId }),
    known: file.profile ?? {},
    isStrict: false,
    missing,
    prepare: async ({ client, secrets }) => {
      for (const [name, { password }] of logins) secrets.add(`${name} PASSWORD`, password);
      for (const scope of [...scopes, "expired"] as const)
        if (file.apiKeys?.[scope] !== undefined)
          secrets.add(`KEY ${scope.replace("*", "ALL")}`, file.apiKeys[scope]);
      await preflight(client);
      const actors = new Actors(client, source, secrets);
      const owner = await actors.session("owner");
      const organizationId = await actors.organizationOf("owner");
      // who is named by role works in the owner's organization, unless the file says otherwise
      for (const name of ["admin", "member", "readonly"] as const) {
        const login = logins.get(name);
        if (login !== undefined) logins.set(name, { organizationId, ...login });
      }
      for (const name of actorNames) if (logins.has(name)) await actors.session(name);
      const members = await membersOf(client, owner, organizationId);
      verifyRoles(logins, members, organizationId);
      Object.assign(ceilings, await ceilingsOf(client, owner, organizationId, members, file));
      return { source };
    },
  };
}

function isActor(need: Need): need is ActorName {
  return (actorNames as readonly string[]).includes(need);
}

/** What the plan of the organization leaves no room for, in words. */
type Ceilings = Partial<Record<"database" | "create-databases" | "invitations", string>>;

interface Member {
  readonly email?: unknown;
  readonly role?: unknown;
}

/** The members of an organization; nothing when the deployment does not tell, which a check will find. */
async function membersOf(
  client: Client,
  as: Caller,
  organizationId: string,
): Promise<readonly Member[] | undefined> {
  const answer = await client.send(
    "GET",
    `/api/v1/organizations/${encodeURIComponent(organizationId)}/members`,
    {
      as,
    },
  );
  const { members } = (answer.status === 200 ? (answer.body ?? {}) : {}) as { members?: unknown };
  return Array.isArray(members) ? (members as Member[]) : undefined;
}

/** Checks built on a wrong role would blame the deployment for a mistake in the target file. */
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
    const role = member === undefined ? "no member" : String(member.role);
    const wanted = name === "outsider" ? "no member" : name;
    if (role !== wanted)
      throw new RunTrouble(
        `the target file names ${login.email} as \`${name}\`, but in organization ${organizationId} that user is ` +
          `${role}; name another user or another organizationId`,
      );
  }
}

/** Reads how much room the organization leaves, so that nothing is tried that a plan forbids. */
async function ceilingsOf(
  client: Client,
  as: Caller,
  organizationId: string,
  members: readonly Member[] | undefined,
  file: TargetFile,
): Promise<Ceilings> {
  const organization = await client.send(
    "GET",
    `/api/v1/organizations/${encodeURIComponent(organizationId)}`,
    {
      as,
    },
  );
  const described = (organization.body ?? {}) as { plan?: unknown; settings?: Record<string, unknown> };
  const maxDatabases = ceilingOf("databases", described);
  const maxMembers = ceilingOf("members", described);
  const held = Number.isFinite(maxDatabases) ? await countDatabases(client, as, maxDatabases) : 0;
  const shared = file.databaseId === undefined ? 1 : 0;
  const full = `organization ${organizationId} holds ${held} of ${maxDatabases} databases: no room for another`;
  return {
    ...(held + shared > maxDatabases ? { database: `${full}; name one as \`databaseId\`` } : {}),
    ...(held + shared + 1 > maxDatabases
      ? { "create-databases": full + (shared === 1 ? " beside the one to work in" : "") }
      : {}),
    ...(members === undefined || members.length < maxMembers
      ? {}
      : {
          invitations: `organization ${organizationId} has ${members.length} of ${maxMembers} members: no room for another`,
        }),
  };
}

async function countDatabases(client: Client, as: Caller, enough: number): Promise<number> {
  let count = 0;
  let cursor: string | undefined;
  for (let page = 0; page < 100 && count < enough; page++) {
    const query = cursor === undefined ? "" : `?cursor=${encodeURIComponent(cursor)}`;
    const answer = await client.send("GET", `/api/v1/management/databases${query}`, { as });
    const { databases, nextCursor } = (answer.body ?? {}) as { databases?: unknown[]; nextCursor?: unknown };
    count += databases?.length ?? 0;
    if (typeof nextCursor !== "string") break;
    cursor = nextCursor;
  }
  return count;
}
