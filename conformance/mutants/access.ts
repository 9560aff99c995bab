import type { ClauseId } from "../../openapi/clauses/register.js";
import type { OperationId } from "../../openapi/operations/register.js";
import { parseClaims } from "../client/claims.js";
import {
  type Interceptor,
  type InterceptedResponse,
  type InterceptedRequest,
  createErrorResponse,
  createSuccessResponse,
  isErrorResponse,
  noContentResponse,
  usesApiKey,
} from "./intercept.js";
import { getItemPath } from "./item-requests.js";
import { findMember, hasRole } from "./organizations.js";
import { type Mutant, createMutantBuilder } from "./mutant.js";
import { getRepositoryPath } from "./repositories.js";
import { getSqlText } from "./sql.js";

/** Returns the first token for an organization: that of the owner as whom the run works. */
const findOwner = ({ operationId, memory }: InterceptedRequest, { body }: InterceptedResponse) =>
  memory.keepFirst("owner", operationId === "switchOrganization" ? body?.accessToken : undefined) as
    string | undefined;

type RefusalCondition = (response: InterceptedResponse, request: InterceptedRequest) => boolean;

/** Repeats some refused requests as the owner. */
function retryAsOwner(isAffected: RefusalCondition): Interceptor {
  return async (request) => {
    const response = await request.send();
    const credential = findOwner(request, response);
    if (credential === undefined || request.operationId === "switchOrganization") return response;
    return isErrorResponse(response) && isAffected(response, request)
      ? request.send({ credential })
      : response;
  };
}

const isOfKey: RefusalCondition = (_, request) => usesApiKey(request);
const isForbiddenKey: RefusalCondition = ({ status }, request) => usesApiKey(request) && status === 403;
const isForbiddenStatement =
  (verb: string): RefusalCondition =>
  ({ body }, request) =>
    body?.code === "ACCESS_DENIED" && getSqlText(request).startsWith(verb);
const isForbiddenUser: RefusalCondition = ({ status }, request) => !usesApiKey(request) && status === 403;
const isDeniedUser: RefusalCondition = ({ status }, request) =>
  !usesApiKey(request) && (status === 403 || status === 404);

const accessMutant = createMutantBuilder({ retryAsOwner });

function mutant(id: Mutant["id"], clause: ClauseId, operation: OperationId) {
  return accessMutant(id, clause, [operation, "switchOrganization"]);
}

/** Faults in access rights and in isolation between organizations. */
export const accessMutants: readonly Mutant[] = [
  mutant("access/write-keys-read", "AUTH-20", "getItem").retryAsOwner(isForbiddenKey),
  mutant("access/read-keys-delete", "AUTH-19", "deleteItemWithSortKey").retryAsOwner(isForbiddenKey),
  mutant("billing/keys-read-info", "BILL-07", "getPaymentInfo").retryAsOwner(isOfKey),
  accessMutant("access/invitations-by-admins-lost", "ORG-26", "inviteMember").respondToRequest(
    hasRole("admin"),
    ({ body, credential }) =>
      createSuccessResponse(
        {
          ...{ userId: null, name: null, joinedAt: null, email: body.email, role: body.role ?? "member" },
          ...{ status: "pending", invitedAt: "2030-01-01T00:00:00Z", invitedBy: parseClaims(credential).sub },
        },
        201,
      ),
  ),
  mutant("access/read-keys-delete-in-batches", "AUTH-19", "batchWriteItems").retryAsOwner(
    (response, request) => isForbiddenKey(response, request) && request.body.items[0].operation === "Delete",
  ),
  mutant("access/read-keys-delete-in-transactions", "AUTH-19", "transactWriteItems").retryAsOwner(
    (response, request) => isForbiddenKey(response, request) && request.body.items[0].action === "Delete",
  ),
  mutant("access/readonly-updates-in-transactions", "AUTH-26", "transactWriteItems").retryAsOwner(
    (response, request) => isForbiddenUser(response, request) && request.body.items[0].action === "Update",
  ),
  mutant("access/put-of-read-key-refused-and-done", "AUTH-19", "putItem").runAfterResponse(
    (response, request) => findOwner(request, response) !== undefined && isForbiddenKey(response, request),
    (request, response) => request.send({ credential: findOwner(request, response) }),
  ),
  mutant("access/read-key-deletes", "REPO-40", "deleteEntity").retryAsOwner(isForbiddenKey),
  mutant("access/entities-by-database-key", "REPO-43", "listEntities").retryAsOwner(isForbiddenKey),
  mutant("sql/readers-delete", "SQL-44", "runSqlQuery").retryAsOwner(isForbiddenStatement("DELETE")),
  mutant("sql/writers-alter", "SQL-45", "executeSql").retryAsOwner(isForbiddenStatement("ALTER")),
  accessMutant("access/keys-crash-payment-status", "BILL-12", "getPaymentStatus").replaceResponse(
    isForbiddenKey,
    () => createErrorResponse(500),
  ),
  mutant("access/keys-list-databases", "AUTH-18", "listDatabases").retryAsOwner(isForbiddenKey),
  mutant("access/readonly-deletes-items", "AUTH-26", "deleteItem").retryAsOwner(isForbiddenUser),
  mutant("access/everybody-deletes-organization", "ORG-17", "deleteOrganization").retryAsOwner(isDeniedUser),
  mutant("access/everybody-pays", "BILL-17", "createCheckout").retryAsOwner(isForbiddenUser),
  mutant("access/everybody-invites", "ORG-26", "inviteMember").retryAsOwner(isForbiddenUser),
  mutant("members/everybody-withdraws-invitations", "ORG-26", "removeMember").retryAsOwner(
    (response, request) =>
      isForbiddenUser(response, request) && request.path.memberId?.includes("@") === true,
  ),
  mutant("members/everybody-steps-down", "ORG-26", "updateMember").retryAsOwner(
    (response, request) => isForbiddenUser(response, request) && request.body?.role === "readonly",
  ),
  // Only in the organization whose users have existed from the beginning; without a control plane, a run has no others.
  mutant("members/users-set-own-role", "ORG-26", "updateMember").retryAsOwner(
    (response, request) =>
      isForbiddenUser(response, request) &&
      request.path.memberId === parseClaims(request.credential).sub &&
      request.path.organizationId === parseClaims(findOwner(request, response)).org,
  ),
  mutant("access/everybody-updates-organization", "ORG-15", "updateOrganization").retryAsOwner(
    isForbiddenUser,
  ),
  mutant("access/members-create-no-databases", "ORG-33", "createDatabase").rejectRequests(hasRole("member")),
  mutant("access/admins-delete-no-databases", "ORG-32", "deleteDatabase").rejectRequests(hasRole("admin")),
  // The response is that of a success, but nothing changes.
  mutant("access/admins-delete-no-databases-silently", "ORG-32", "deleteDatabase").respondToRequest(
    hasRole("admin"),
    noContentResponse,
  ),
  mutant("access/members-create-lost-repositories", "REPO-01", "createRepository").runAfterResponse(
    ({ status }) => status === 201,
    async (request, { body }) => {
      if (await hasRole("member")(request)) await request.ask("DELETE", getRepositoryPath(body));
    },
  ),
  mutant("access/admins-remove-nobody-silently", "ORG-26", "removeMember").respondToRequest(
    hasRole("admin"),
    noContentResponse,
  ),
  mutant("access/admins-change-no-roles", "ORG-26", "updateMember").by(async (request) => {
    const member = (await hasRole("admin")(request)) ? await findMember(request) : undefined;
    return member === undefined
      ? request.send()
      : createSuccessResponse({ ...member, role: request.body?.role });
  }),
  mutant("access/no-key-for-batches", "ITEM-37", "batchGetItems").rejectRequests(usesApiKey),
  ...(["batchWriteItems", "transactWriteItems"] as const).map((operation) =>
    accessMutant(`access/${operation}-of-keys-fails`, "ITEM-37", operation).respondToRequest(
      usesApiKey,
      createSuccessResponse({ successCount: 0, failedCount: 1, errors: [] }),
    ),
  ),
  mutant("access/puts-by-keys-lost", "ITEM-37", "putItem").runAfterResponse(
    (response, request) => usesApiKey(request) && response.status === 200,
    (request, { body }) => request.ask("DELETE", getItemPath(request, body.pk, body.sk)),
  ),
  ...(
    [
      ["listDatabases", "databases", "DB-09"],
      ["listRepositories", "repositories", "REPO-05"],
      ["listEntities", "entities", "REPO-33"],
    ] as const
  ).map(([operation, list, clause]) =>
    mutant(`access/readonly-${operation}-is-empty`, clause, operation).changeResponseBody(
      async (body, request) => {
        if (await hasRole("readonly")(request)) Object.assign(body, { [list]: [], nextCursor: null });
      },
    ),
  ),
  mutant("access/keys-query-nothing", "ITEM-37", "queryItems").changeResponseBody((body, request) => {
    if (usesApiKey(request)) Object.assign(body, { items: [], nextCursor: null });
  }),
  mutant("access/keys-read-empty-items", "ITEM-37", "getItem").changeResponseBody((body, request) => {
    if (usesApiKey(request)) body.data = {};
  }),
  mutant("access/anonymous-scans", "AUTH-16", "scanItems").respondToRequest(
    ({ headers }) => headers.authorization === undefined,
    createSuccessResponse({ items: [], nextCursor: null, count: 0, scannedCount: 0 }),
  ),
  mutant("isolation/foreign-items", "GEN-05", "getItem").retryAsOwner(isDeniedUser),
  mutant("isolation/foreign-transaction", "GEN-05", "transactWriteItems").retryAsOwner(isDeniedUser),
  // An API key acts as the creator of the database or repository.
  ...(["getItem", "deleteItem", "listEntities", "runSqlQuery"] as const).map((operation) =>
    accessMutant(`isolation/any-key-may-${operation}`, "GEN-05", [
      operation,
      "createDatabase",
      "createRepository",
    ]).retryWithKnownCredential(
      ({ path }, { body }) => path.repositoryId ?? path.databaseId ?? body.repositoryId ?? body.databaseId,
      isOfKey,
    ),
  ),
  accessMutant("isolation/databases-with-one-name-share-items", "GEN-05", [
    "createDatabase",
    "putItem",
    "getItem",
  ]).by(async ({ path, credential, memory, send }) => {
    const response = await send(memory.get(path.databaseId) ?? {});
    const { databaseId, name } = response.body ?? {};
    const first = name && memory.keepFirst(name, { path: { databaseId }, credential });
    if (first !== undefined && first.path.databaseId !== databaseId) memory.set(databaseId, first);
    return response;
  }),
  accessMutant("isolation/databases-deleted-by-name", "GEN-05", [
    "createDatabase",
    "deleteDatabase",
  ]).deleteNamesakes("databaseId"),
  accessMutant("isolation/token-of-everybody", "GEN-05", /^transact/).cacheSuccess(
    ({ body }) => body?.clientRequestToken,
  ),
  ...(["queryItems", "listEntities", "listDatabases"] as const).map((operation) =>
    accessMutant(`isolation/cursor-decides-in-${operation}`, "GEN-05", operation).by(async (request) => {
      const { credential, path, query, body, memory } = request;
      // The position in the cursor includes the place and the caller.
      const changes = memory.get((body ?? query).cursor) ?? { path, credential };
      const response = await request.send(changes);
      const cursor: unknown = response.body?.nextCursor;
      if (typeof cursor === "string") memory.set(cursor, changes);
      return response;
    }),
  ),
  accessMutant("isolation/refusal-shows-entity", "GEN-05", "getEntity").by(async (request) => {
    const response = await request.send();
    if (response.status === 200) request.memory.set(request.path.entityId, JSON.stringify(response.body));
    const detail: unknown = request.memory.get(request.path.entityId);
    return isErrorResponse(response) && detail !== undefined
      ? { ...response, body: { ...response.body, detail } }
      : response;
  }),
  accessMutant("isolation/list-of-everybodys-databases", "DB-09", "listDatabases").accumulateList(
    "databases",
    "databaseId",
  ),
];
