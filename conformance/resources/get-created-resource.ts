import type { OperationId } from "../../openapi/operations/register.js";
import type { Call } from "../client/client.js";
import type { Resource, ResourceKind } from "../target/ledger.js";
import { type ActorName, actorNames } from "../target/needs.js";
import { isSituation, type Situation } from "../target/situations.js";

interface Creator {
  readonly kind: ResourceKind;
  /** The field of the request that holds the name, and what of it is the name. */
  readonly nameField: string;
  readonly namePattern?: RegExp;
  /** The parameter of the path that holds the database or organization it is in. */
  readonly parent?: string;
}

const table: Creator = {
  kind: "table",
  nameField: "sql",
  namePattern: /(?<=^\s*create\s+table\s+(?:if\s+not\s+exists\s+)?)[\w-]+/i,
  parent: "databaseId",
};

/** Operations that create what has to be removed by itself. */
const creators: Readonly<Partial<Record<OperationId, Creator>>> = {
  createDatabase: { kind: "database", nameField: "name" },
  createOrganization: { kind: "organization", nameField: "name" },
  createRepository: { kind: "repository", nameField: "name", parent: "databaseId" },
  inviteMember: { kind: "member", nameField: "email", parent: "organizationId" },
  executeSql: table,
  // whether it takes what the other is for is open
  runSqlQuery: table,
};

/** The field of an answer that holds the id of what was created. */
export const idFields: Readonly<Partial<Record<ResourceKind, string>>> = {
  database: "databaseId",
  organization: "organizationId",
  repository: "repositoryId",
};

/** What a request creates, for the ledger; nothing where it creates nothing that has to be removed by itself. */
export function getCreatedResource(operationId: OperationId, call: Call, run: string): Resource | undefined {
  const creator = creators[operationId];
  if (creator === undefined) return undefined;
  const { kind, nameField, namePattern, parent } = creator;
  const sent = (call.body ?? parseOrUndefined(call.rawBody ?? "")) as Record<string, unknown> | null;
  const text = typeof sent?.[nameField] === "string" ? sent[nameField] : "";
  const name = namePattern === undefined ? text : namePattern.exec(text)?.[0];
  if (name === undefined) return undefined;
  const { name: caller = "" } = call.as ?? {};
  // what is in the owner's organization the owner can remove
  const isOwners =
    caller === "owner" || (kind !== "organization" && /^(admin|member|readonly)$/.test(caller));
  return {
    kind,
    // by a name that is not the run's own, something else might be found and removed
    name: call.intent === "invalid" && !name.includes(run) ? "" : name,
    ...(parent === undefined ? {} : { parent: call.path?.[parent] ?? "" }),
    ...(isUserCaller(caller) && !isOwners ? { by: caller } : {}),
  };
}

/** Whether a caller is a user of the run, with an organization of their own or a role in the owner's. */
export function isUserCaller(caller: string): caller is ActorName | Situation {
  return (actorNames as readonly string[]).includes(caller) || isSituation(caller);
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
