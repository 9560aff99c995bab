import type { ClauseId } from "../../openapi/clauses/register.js";
import type { OperationId } from "../../openapi/operations/register.js";
import { type InterceptedResponse, type InterceptedRequest } from "./intercept.js";
import { type Mutant, createMutantBuilder } from "./mutant.js";
import { getSqlText } from "./sql.js";
import {
  type InterceptorFactory,
  createErrorResponse,
  createSuccessResponse,
  isRefusal,
  usesApiKey,
} from "./tampers.js";

/** What is known about the caller, and the first token for an organization: that of the owner as whom the run works. */
interface KnownCaller {
  readonly role: string | undefined;
  readonly owner: string | undefined;
}

/** Creates a tamper that knows the roles of tokens from responses of `switchOrganization`. */
function withKnownRoles(
  tamper: (wire: InterceptedRequest, known: KnownCaller) => Promise<InterceptedResponse>,
): InterceptorFactory {
  return () => {
    const roles = new Map<unknown, string>();
    let owner: string | undefined;
    return async (wire) => {
      if (wire.operationId !== "switchOrganization")
        return tamper(wire, { role: roles.get(wire.credential), owner });
      const response = await wire.send();
      if (response.status !== 200) return response;
      owner ??= response.body.accessToken as string;
      roles.set(response.body.accessToken, response.body.roles[0] as string);
      return response;
    };
  };
}

type RefusalCondition = (wire: InterceptedRequest, response: InterceptedResponse) => boolean;

/** Repeats some refused requests as the owner. */
function asOwner(isAffected: RefusalCondition): InterceptorFactory {
  return withKnownRoles(async (wire, { owner }) => {
    const response = await wire.send();
    return isRefusal(response) && owner !== undefined && isAffected(wire, response)
      ? wire.send({ credential: owner })
      : response;
  });
}

function rejectRole(role: string): InterceptorFactory {
  return withKnownRoles((wire, caller) =>
    caller.role === role ? Promise.resolve(createErrorResponse(403)) : wire.send(),
  );
}

/** Gives every API key access to data, as the user who created the database or repository. */
function openToAllKeys(operation: OperationId): InterceptorFactory {
  return () => {
    const makers = new Map<unknown, string>();
    return async (wire) => {
      const response = await wire.send();
      const { databaseId, repositoryId = databaseId } = { ...wire.path, ...response.body };
      if (response.status === 201 && wire.operationId !== operation)
        makers.set(repositoryId, wire.credential ?? "");
      const maker = makers.get(repositoryId);
      return isRefusal(response) && usesApiKey(wire) && maker !== undefined
        ? wire.send({ credential: maker })
        : response;
    };
  };
}

const isForbiddenKey: RefusalCondition = (wire, { status }) => usesApiKey(wire) && status === 403;
const isForbiddenStatement =
  (verb: string): RefusalCondition =>
  (wire, { body }) =>
    body?.code === "ACCESS_DENIED" && getSqlText(wire).startsWith(verb);
const isForbiddenUser: RefusalCondition = (wire, { status }) => !usesApiKey(wire) && status === 403;
const isDeniedUser: RefusalCondition = (wire, { status }) =>
  !usesApiKey(wire) && (status === 403 || status === 404);

const accessMutant = createMutantBuilder({ withKnownRoles, asOwner, rejectRole });

function mutant(id: Mutant["id"], clause: ClauseId, operation: OperationId) {
  return accessMutant(id, clause, [operation, "switchOrganization"]);
}

/** Faults in access rights and in isolation between organizations. */
export const accessMutants: readonly Mutant[] = [
  mutant("access/write-keys-read", "AUTH-20", "getItem").asOwner(isForbiddenKey),
  mutant("access/read-keys-delete", "AUTH-19", "deleteItemWithSortKey").asOwner(isForbiddenKey),
  mutant("billing/keys-read-info", "BILL-07", "getPaymentInfo").asOwner(usesApiKey),
  mutant("access/put-of-read-key-refused-and-done", "AUTH-19", "putItem").withKnownRoles(
    async (wire, { owner }) => {
      const response = await wire.send();
      if (isForbiddenKey(wire, response) && owner !== undefined) await wire.send({ credential: owner });
      return response;
    },
  ),
  mutant("access/read-key-deletes", "REPO-40", "deleteEntity").asOwner(isForbiddenKey),
  mutant("access/entities-by-database-key", "REPO-43", "listEntities").asOwner(isForbiddenKey),
  mutant("sql/readers-delete", "SQL-44", "runSqlQuery").asOwner(isForbiddenStatement("DELETE")),
  mutant("sql/writers-alter", "SQL-45", "executeSql").asOwner(isForbiddenStatement("ALTER")),
  mutant("access/keys-list-databases", "AUTH-18", "listDatabases").asOwner(isForbiddenKey),
  mutant("access/readonly-deletes-items", "AUTH-26", "deleteItem").asOwner(isForbiddenUser),
  mutant("access/everybody-deletes-organization", "ORG-17", "deleteOrganization").asOwner(isDeniedUser),
  mutant("access/everybody-pays", "BILL-17", "createCheckout").asOwner(isForbiddenUser),
  mutant("access/everybody-invites", "ORG-26", "inviteMember").asOwner(isForbiddenUser),
  mutant("members/everybody-withdraws-invitations", "ORG-26", "removeMember").asOwner(
    (wire, response) => isForbiddenUser(wire, response) && wire.path.memberId?.includes("@") === true,
  ),
  mutant("members/everybody-steps-down", "ORG-26", "updateMember").asOwner(
    (wire, response) => isForbiddenUser(wire, response) && wire.body?.role === "readonly",
  ),
  mutant("access/everybody-updates-organization", "ORG-15", "updateOrganization").asOwner(isForbiddenUser),
  mutant("access/members-create-no-databases", "ORG-33", "createDatabase").rejectRole("member"),
  mutant("access/admins-delete-no-databases", "ORG-32", "deleteDatabase").rejectRole("admin"),
  mutant("access/no-key-for-batches", "ITEM-37", "batchGetItems").rejectRequests(403, usesApiKey),
  mutant("access/anonymous-scans", "AUTH-16", "scanItems").answerRequest(
    ({ headers }) => headers.authorization === undefined,
    () => createSuccessResponse({ items: [], nextCursor: null, count: 0, scannedCount: 0 }),
  ),
  mutant("isolation/foreign-items", "GEN-05", "getItem").asOwner(isDeniedUser),
  mutant("isolation/foreign-transaction", "GEN-05", "transactWriteItems").asOwner(isDeniedUser),
  ...(["getItem", "deleteItem", "listEntities", "runSqlQuery"] as const).map((operation) =>
    accessMutant(`isolation/any-key-may-${operation}`, "GEN-05", [
      operation,
      "createDatabase",
      "createRepository",
    ]).by(openToAllKeys(operation)),
  ),
  accessMutant("isolation/refusal-shows-entity", "GEN-05", "getEntity").by(() => {
    const known = new Map<string, unknown>();
    return async (wire) => {
      const response = await wire.send();
      const { entityId = "" } = wire.path;
      if (response.status === 200) known.set(entityId, response.body);
      return isRefusal(response) && known.has(entityId)
        ? { ...response, body: { ...response.body, detail: JSON.stringify(known.get(entityId)) } }
        : response;
    };
  }),
  accessMutant("isolation/list-of-everybodys-databases", "DB-09", "listDatabases").accumulateList(
    "databases",
    "databaseId",
  ),
];
