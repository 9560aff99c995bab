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
import { createMutantBuilder } from "./mutant.js";
import {
  type InterceptorFactory,
  createErrorResponse,
  createSuccessResponse,
  isRefusal,
  sendWithParameters,
} from "./tampers.js";

/** Stores the next pages of lists, and returns them even after the list was deleted. */
function prefetched() {
  const pages = new Map<unknown, InterceptedResponse>();
  return async (wire: InterceptedRequest): Promise<InterceptedResponse> => {
    const name = wire.operationId === "runSqlQuery" ? "pageToken" : "cursor";
    const token: AnyJson = (wire.body ?? wire.query)[name];
    const answer = await wire.send();
    if (answer.status >= 400 && token !== undefined) return pages.get(token) ?? answer;
    const next: unknown = answer.body?.nextCursor ?? answer.body?.nextPageToken;
    if (answer.status !== 200 || typeof next !== "string") return answer;
    const following = await sendWithParameters(wire, { [name]: next });
    if (following.status === 200) pages.set(next, following);
    return answer;
  };
}

/** Returns fields of a resource with the values of the first resource of the same name. */
function showingAsBefore(
  id: "databaseId" | "repositoryId",
  ...fields: readonly string[]
): InterceptorFactory {
  return () => {
    const names = new Map<string, string>();
    const first = new Map<string, AnyJson>();
    return async (wire) => {
      const answer = await wire.send();
      if (wire.operationId.startsWith("create") && answer.status === 201)
        names.set(answer.body[id], `${wire.path.databaseId} ${wire.body.name}`);
      const name = names.get(wire.path[id] ?? "");
      if (name === undefined) return answer;
      return changeBody(answer, (body) => {
        if (!first.has(name)) first.set(name, copyJson(body));
        for (const field of fields) body[field] = first.get(name)[field];
      });
    };
  };
}

/** Returns the operations of a transaction without their conditions. */
function unconditional(body: AnyJson): AnyJson {
  return {
    ...omitFields(body, "clientRequestToken"),
    items: body.items.map((operation: AnyJson) => omitFields(operation, "conditionExpression")),
  };
}

const mutant = createMutantBuilder({ showingAsBefore });

/** Faults that only sequences across areas or requests of several clients reveal. */
export const sequenceMutants = [
  mutant("sequences/stale-item-cursor", "DB-12", ["queryItems", "scanItems"]).by(prefetched),
  mutant("sequences/stale-entity-cursor", "REPO-09", "listEntities").by(prefetched),
  mutant("sequences/stale-table-cursor", "SQL-52", "runSqlQuery").by(prefetched),
  mutant("sequences/repository-keeps-schema", "REPO-07", [
    "createRepository",
    "getRepository",
  ]).showingAsBefore("repositoryId", "schema"),
  mutant("sequences/table-keeps-index", "SQL-32", ["getSqlTableSchema", "executeSql"]).by(() => {
    const indexes = new Map<string, AnyJson>();
    return async (wire) => {
      const [, name = "", table = "", column = ""] =
        /^CREATE INDEX (\w+) ON (\w+) \((\w+)\)/.exec(String(wire.body?.sql)) ?? [];
      if (table !== "") indexes.set(table, { name, columns: [column], isUnique: false });
      const old = indexes.get(wire.path.tableName ?? "");
      return old === undefined
        ? wire.send()
        : changeBody(await wire.send(), (body) => {
            if (!body.indexes.some((index: AnyJson) => index.name === old.name)) body.indexes.push(old);
          });
    };
  }),
  mutant("sequences/role-cached", "ORG-15", "updateOrganization").by(() => {
    const known = new Map<string, boolean>();
    return async (wire) => {
      const place = `${subjectOf(wire)} ${wire.path.organizationId}`;
      const answer = await wire.send();
      if (!known.has(place)) known.set(place, answer.status === 200);
      return known.get(place) === false ? createErrorResponse(403) : answer;
    };
  }),
  mutant("sequences/rights-kept-after-demotion", "AUTH-26", "putItem").repeatLastSuccess(
    (wire) => [subjectOf(wire), wire.body?.pk],
    isRefusal,
  ),
  mutant("sequences/removed-member-reads", "ORG-18", [
    "getOrganization",
    "updateOrganization",
  ]).repeatLastSuccess(
    ({ credential, path }) => [credential, path],
    (answer, { operationId }) => operationId === "getOrganization" && isRefusal(answer),
  ),
  mutant("sequences/role-in-list-late", "ORG-27", "listOrganizations").freezeField(
    "organizations.*.role",
    (wire, { organizationId }) => [subjectOf(wire), organizationId],
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
    return wire.send({ body: unconditional(wire.body) });
  }),
  mutant("sequences/applied-and-canceled", "TX-08", "transactWriteItems").by(() => {
    let running = 0;
    return async (wire) => {
      running++;
      try {
        const isRaced = running > 1 && wire.body?.items?.[0]?.action === "Update";
        const answer = await wire.send();
        if (!isRaced || answer.body?.successCount === 0 || answer.status !== 200) return answer;
        return changeBody(answer, (body) => {
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
      const answer = await wire.send();
      const { clientRequestToken: token } = wire.body ?? {};
      if (token === undefined) return answer;
      if (known.has(token))
        await wire.ask("POST", getItemPath(wire, "transact", "write"), unconditional(wire.body));
      known.add(token);
      return { ...answer, body: copyJson(answer.body) };
    };
  }),
  mutant("sequences/late-put", "ITEM-03", "putItem").by(() => {
    const waiting = new Map<string, Promise<InterceptedResponse>>();
    return async (wire) => {
      const { pk, sk, conditionExpression, data } = wire.body ?? {};
      if (conditionExpression !== undefined || typeof data?.value !== "number") return wire.send();
      const place = `${String(pk)} ${String(sk)}`;
      await waiting.get(place);
      waiting.set(
        place,
        // the run may be over by then
        sleep(4)
          .then(() => wire.send())
          .catch(() => createErrorResponse(503)),
      );
      return createSuccessResponse({ pk, sk: sk ?? null, updatedAt: new Date().toISOString() });
    };
  }),
];

/** Returns the user of a token. */
function subjectOf({ credential = "" }: InterceptedRequest): string {
  return parseClaims(credential).sub ?? credential;
}
