import { sleep } from "../client/rate-limiter.js";
import { getItemPath } from "./item-requests.js";
import { parseClaims } from "../client/claims.js";
import {
  type AnyJson,
  type InterceptedResponse,
  type InterceptedRequest,
  copyJson,
  omitFields,
  changeBody,
} from "./intercept.js";
import { mutant } from "./mutant.js";
import { createErrorResponse, createSuccessResponse, isRefusal, sendWithParameters } from "./tampers.js";

/** Fetches the next page of each list early, and returns it even after the list was deleted. */
function prefetchNextPages() {
  const pages = new Map<unknown, InterceptedResponse>();
  return async (wire: InterceptedRequest): Promise<InterceptedResponse> => {
    const name = wire.operationId === "runSqlQuery" ? "pageToken" : "cursor";
    const token: AnyJson = (wire.body ?? wire.query)[name];
    const response = await wire.send();
    if (response.status >= 400 && token !== undefined) return pages.get(token) ?? response;
    const next: unknown = response.body?.nextCursor ?? response.body?.nextPageToken;
    if (response.status !== 200 || typeof next !== "string") return response;
    const following = await sendWithParameters(wire, { [name]: next });
    if (following.status === 200) pages.set(next, following);
    return response;
  };
}

/** Returns the operations of a transaction without their conditions. */
function dropConditions(body: AnyJson): AnyJson {
  return {
    ...omitFields(body, "clientRequestToken"),
    items: body.items.map((operation: AnyJson) => omitFields(operation, "conditionExpression")),
  };
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
  mutant("sequences/role-cached", "ORG-15", "updateOrganization").by(() => {
    const known = new Map<string, boolean>();
    return async (wire) => {
      const key = `${getUser(wire)} ${wire.path.organizationId}`;
      const response = await wire.send();
      if (!known.has(key)) known.set(key, response.status === 200);
      return known.get(key) === false ? createErrorResponse(403) : response;
    };
  }),
  mutant("sequences/rights-kept-after-demotion", "AUTH-26", "putItem").repeatLastSuccess(
    (wire) => [getUser(wire), wire.body?.pk],
    isRefusal,
  ),
  mutant("sequences/removed-member-reads", "ORG-18", [
    "getOrganization",
    "updateOrganization",
  ]).repeatLastSuccess(
    ({ credential, path }) => [credential, path],
    (response, { operationId }) => operationId === "getOrganization" && isRefusal(response),
  ),
  mutant("sequences/role-in-list-late", "ORG-27", "listOrganizations").freezeField(
    "organizations.*.role",
    (wire, { organizationId }) => [getUser(wire), organizationId],
  ),
  mutant("sequences/lost-update", "TX-12", "transactWriteItems").by(() => async (wire) => {
    const items: AnyJson[] = wire.body?.items ?? [];
    if (!items.every(({ conditionExpression }) => conditionExpression === "count = :seen"))
      return wire.send();
    for (const { pk, sk, filterValues = {} } of items) {
      const { body } = await wire.ask("GET", getItemPath(wire, pk, sk));
      if (body?.data?.count !== filterValues[":seen"]) return wire.send();
    }
    await sleep(3);
    return wire.send({ body: dropConditions(wire.body) });
  }),
  mutant("sequences/applied-and-canceled", "TX-08", "transactWriteItems").by(() => {
    let running = 0;
    return async (wire) => {
      running++;
      try {
        const isRaced = running > 1 && wire.body?.items?.[0]?.action === "Update";
        const response = await wire.send();
        if (!isRaced || response.body?.successCount === 0 || response.status !== 200) return response;
        return changeBody(response, (body) => {
          body.successCount = 0;
          body.errors = wire.body.items.map(({ pk, sk = null }: AnyJson, itemIndex: number) => ({
            itemIndex,
            pk,
            sk,
            error: "canceled",
            errorType: "TransactionCanceled",
          }));
        });
      } finally {
        running--;
      }
    };
  }),
  mutant("sequences/applied-again", "TX-14", "transactWriteItems").by(() => {
    const known = new Set<string>();
    return async (wire) => {
      const response = await wire.send();
      const { clientRequestToken: token } = wire.body ?? {};
      if (token === undefined) return response;
      if (known.has(token))
        await wire.ask("POST", getItemPath(wire, "transact", "write"), dropConditions(wire.body));
      known.add(token);
      return { ...response, body: copyJson(response.body) };
    };
  }),
  mutant("sequences/late-put", "ITEM-03", "putItem").by(() => {
    const waiting = new Map<string, Promise<InterceptedResponse>>();
    return async (wire) => {
      const { pk, sk, conditionExpression, data } = wire.body ?? {};
      if (conditionExpression !== undefined || typeof data?.value !== "number") return wire.send();
      const key = JSON.stringify([pk, sk]);
      await waiting.get(key);
      waiting.set(
        key,
        // The run may be over by then.
        sleep(4)
          .then(() => wire.send())
          .catch(() => createErrorResponse(503)),
      );
      return createSuccessResponse({ pk, sk: sk ?? null, updatedAt: new Date().toISOString() });
    };
  }),
];

/** Returns the user of a token. */
function getUser({ credential = "" }: InterceptedRequest): string {
  return parseClaims(credential).sub ?? credential;
}
