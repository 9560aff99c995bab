import { sleep } from "../client/time-source.js";
import { getItemPath } from "./item-requests.js";
import { parseClaims } from "../client/claims.js";
import {
  type AnyJson,
  type InterceptedRequest,
  type Interceptor,
  omitFields,
  changeBody,
  createErrorResponse,
  createSuccessResponse,
  isErrorResponse,
  sendWithParameters,
} from "./intercept.js";
import { mutant } from "./mutant.js";

/** Fetches the next page of each list early, and returns it even after the list was deleted. */
const prefetchNextPages: Interceptor = async (request) => {
  const name = request.operationId === "runSqlQuery" ? "pageToken" : "cursor";
  const token: AnyJson = (request.body ?? request.query)[name];
  const response = await request.send();
  if (isErrorResponse(response) && token !== undefined) return request.memory.get(token) ?? response;
  const next: unknown = response.body?.nextCursor ?? response.body?.nextPageToken;
  if (response.status !== 200 || typeof next !== "string") return response;
  const following = await sendWithParameters(request, { [name]: next });
  if (following.status === 200) request.memory.set(next, following);
  return response;
};

/** Returns the operations of a transaction without their conditions. */
function dropConditions(body: AnyJson): AnyJson {
  return {
    ...omitFields(body, "clientRequestToken"),
    items: body.items.map((operation: AnyJson) => omitFields(operation, "conditionExpression")),
  };
}

/** Returns the user of a token. */
function getUser({ credential = "" }: InterceptedRequest): string {
  return parseClaims(credential).sub ?? credential;
}

/** Faults that only sequences across areas or requests of several clients reveal. */
export const sequenceMutants = [
  mutant("sequences/stale-item-cursor", "DB-12", ["queryItems", "scanItems"]).by(prefetchNextPages),
  mutant("sequences/stale-entity-cursor", "REPO-09", "listEntities").by(prefetchNextPages),
  mutant("sequences/stale-table-cursor", "SQL-52", "runSqlQuery").by(prefetchNextPages),
  mutant("sequences/repository-keeps-schema", "REPO-07", "getRepository").freezeField(
    "schema",
    ({ path }, { name }) => [path.databaseId, name],
  ),
  mutant("sequences/table-keeps-index", "SQL-32", "getSqlTableSchema").freezeField("indexes"),
  mutant("sequences/role-cached", "ORG-15", "updateOrganization").replaceResponse(
    ({ status }, request) =>
      request.memory.keepFirst([getUser(request), request.path.organizationId], status === 200) === false,
    () => createErrorResponse(403),
  ),
  mutant("sequences/rights-kept-after-demotion", "AUTH-26", "putItem").repeatLastSuccess(
    (request) => [getUser(request), request.body?.pk],
    isErrorResponse,
  ),
  mutant("sequences/removed-member-reads", "ORG-18", [
    "getOrganization",
    "updateOrganization",
  ]).repeatLastSuccess(
    ({ credential, path }) => [credential, path],
    (response, { operationId }) => operationId === "getOrganization" && isErrorResponse(response),
  ),
  mutant("sequences/role-in-list-late", "ORG-27", "listOrganizations").freezeField(
    "organizations.*.role",
    (request, { organizationId }) => [getUser(request), organizationId],
  ),
  mutant("concurrency/lost-update", "TX-12", "transactWriteItems").by(async (request) => {
    for (const { pk, sk, filterValues = {}, conditionExpression } of request.body?.items ?? []) {
      const { body } = await request.ask("GET", getItemPath(request, pk, sk));
      if (conditionExpression !== "left >= :seen" || body?.data?.left !== filterValues[":seen"])
        return request.send();
    }
    await sleep(3);
    return request.send({ body: dropConditions(request.body) });
  }),
  mutant("concurrency/applied-and-canceled", "TX-08", "transactWriteItems").by(async (request) => {
    request.memory.add("running");
    try {
      return await changeBody(request.send(), (body) => {
        const isRaced = request.memory.add("running", 0) > 1 && request.body.items[0]?.action === "Update";
        if (!isRaced || body.successCount === 0) return;
        const canceled = { error: "canceled", errorType: "TransactionCanceled" };
        body.successCount = 0;
        body.errors = request.body.items.map(({ pk, sk = null }: AnyJson, itemIndex: number) => ({
          itemIndex,
          pk,
          sk,
          ...canceled,
        }));
      });
    } finally {
      request.memory.add("running", -1);
    }
  }),
  mutant("sequences/applied-again", "TX-14", "transactWriteItems").runAfterResponse(
    (_, { body, memory }) =>
      body?.clientRequestToken !== undefined && memory.add(body.clientRequestToken) > 1,
    (request) => request.ask("POST", getItemPath(request, "transact", "write"), dropConditions(request.body)),
  ),
  mutant("sequences/late-put", "ITEM-03", "putItem").by(async (request) => {
    const { pk, sk = null, conditionExpression, data } = request.body ?? {};
    if (conditionExpression !== undefined || typeof data?.value !== "number") return request.send();
    await request.memory.get([pk, sk]);
    // The run may be over by then.
    const late = sleep(4).then(() => request.send());
    request.memory.set(
      [pk, sk],
      late.catch(() => undefined),
    );
    return createSuccessResponse({ pk, sk, updatedAt: new Date().toISOString() });
  }),
];
