import type { OperationId } from "../../openapi/operations/register.js";
import type { CallOptions } from "../client/client.js";
import { findCreatedKind } from "../client/created-kinds.js";
import type { Resource, ResourceKind } from "../target/ledger.js";
import { isActorName } from "../target/requirements.js";
import { parseJsonOrUndefined } from "../client/json-text.js";

/** Returns the resource that a request creates, for the ledger; undefined if the resource need not be removed individually. */
export function getCreatedResource(
  operationId: OperationId,
  call: CallOptions,
  run: string,
): Resource | undefined {
  // The specification does not say whether runSqlQuery accepts CREATE TABLE.
  const created = findCreatedKind(operationId === "runSqlQuery" ? "executeSql" : operationId);
  if (created === undefined) return undefined;
  const { kind, nameField, namePattern, parent } = created;
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
function isNameOfRun(
  kind: ResourceKind,
  name: string,
  { intent = "valid" }: CallOptions,
  run: string,
): boolean {
  const isOfAccount = kind === "database" || kind === "organization";
  return name.includes(run) || (intent === "valid" && !isOfAccount);
}
