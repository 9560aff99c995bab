import type { OperationId } from "../../openapi/operations/register.js";
import type { CallOptions } from "../client/client.js";
import type { Resource, ResourceKind } from "../target/ledger.js";
import { isActorName } from "../target/requirements.js";
import { parseJsonOrUndefined } from "../client/json-text.js";

interface Creator {
  readonly kind: ResourceKind;
  /** The field of the request with the name, and how to read the name from it. */
  readonly nameField: string;
  readonly namePattern?: RegExp;
  /** The path parameter with the database or organization of the resource. */
  readonly parent?: string;
}

const table: Creator = {
  kind: "table",
  nameField: "sql",
  namePattern: /(?<=^\s*create\s+table\s+(?:if\s+not\s+exists\s+)?)[\w-]+/i,
  parent: "databaseId",
};

/** Operations that create resources that must be removed individually. */
const creators: Readonly<Partial<Record<OperationId, Creator>>> = {
  createDatabase: { kind: "database", nameField: "name" },
  createOrganization: { kind: "organization", nameField: "name" },
  createRepository: { kind: "repository", nameField: "name", parent: "databaseId" },
  inviteMember: { kind: "member", nameField: "email", parent: "organizationId" },
  executeSql: table,
  // The specification does not say whether this operation accepts CREATE TABLE.
  runSqlQuery: table,
};

/** Names of the response fields with the id of the created resource, by kind of resource. */
export const idFields: Readonly<Partial<Record<ResourceKind, string>>> = {
  database: "databaseId",
  organization: "organizationId",
  repository: "repositoryId",
};

/** Returns the resource that a request creates, for the ledger; undefined if the resource need not be removed individually. */
export function getCreatedResource(
  operationId: OperationId,
  call: CallOptions,
  run: string,
): Resource | undefined {
  const creator = creators[operationId];
  if (creator === undefined) return undefined;
  const { kind, nameField, namePattern, parent } = creator;
  const sent = (call.body ?? parseJsonOrUndefined(call.rawBody ?? "")) as Record<string, unknown> | null;
  const text = typeof sent?.[nameField] === "string" ? sent[nameField] : "";
  const name = namePattern === undefined ? text : namePattern.exec(text)?.[0];
  if (name === undefined) return undefined;
  const { name: caller = "" } = call.as ?? {};
  // The owner can remove everything in the owner's organization.
  const isOwners =
    caller === "owner" || (kind !== "organization" && /^(admin|member|readonly)$/.test(caller));
  return {
    kind,
    name: isNameOfRun(kind, name, call, run) ? name : "",
    ...(parent === undefined ? {} : { parent: call.path?.[parent] ?? "" }),
    ...(isActorName(caller) && !isOwners ? { by: caller } : {}),
  };
}

/**
 * Whether a resource with a name is certainly the run's own. Without a known id, only such resources are removed, because
 * a failed creation may name a resource from before the run.
 */
function isNameOfRun(kind: ResourceKind, name: string, { intent }: CallOptions, run: string): boolean {
  const isOfAccount = kind === "database" || kind === "organization";
  return name.includes(run) || (intent !== "invalid" && !isOfAccount);
}
