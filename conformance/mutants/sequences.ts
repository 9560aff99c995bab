import { sleep } from "../client/pace.js";
import { itemPath } from "./item-requests.js";
import { claimsOf } from "../client/claims.js";
import { type Json, type WireAnswer, type Wire, copyOf, without, changed } from "./intercept.js";
import { mutant } from "./mutant.js";
import { refusal } from "./tampers.js";

const headers: WireAnswer["headers"] = { "content-type": "application/json" };
const ok = (body: Json): WireAnswer => ({ status: 200, headers, body });

/** Whether a list is asked for what comes after its first page. */
function goesOn({ query, body }: Wire): boolean {
  return query.cursor !== undefined || body?.cursor !== undefined || body?.pageToken !== undefined;
}

/** Keeps the next pages of lists at hand, and answers with them even when the list is gone. */
function prefetched() {
  const pages = new Map<string, WireAnswer>();
  return async (wire: Wire): Promise<WireAnswer> => {
    const answer = await wire.send();
    const next: unknown = answer.body?.nextCursor ?? answer.body?.nextPageToken;
    const token = String(wire.query.cursor ?? wire.body?.cursor ?? wire.body?.pageToken);
    if (answer.status >= 400 && goesOn(wire)) return pages.get(token) ?? answer;
    if (answer.status !== 200 || typeof next !== "string") return answer;
    const name = wire.operationId === "runSqlQuery" ? "pageToken" : "cursor";
    const following =
      wire.body === undefined
        ? await wire.send({ query: { ...wire.query, [name]: next } })
        : await wire.send({ body: { ...wire.body, [name]: next } });
    if (following.status === 200) pages.set(next, following);
    return answer;
  };
}

/** The id that a name has had first. */
class FirstIds {
  readonly #names = new Map<string, string>();
  readonly #first = new Map<string, string>();

  note(name: string, id: string): void {
    this.#names.set(id, name);
    if (!this.#first.has(name)) this.#first.set(name, id);
  }

  /** The id of what had the name of this one first; nothing when it was this one. */
  before(id: string): string | undefined {
    const first = this.#first.get(this.#names.get(id) ?? "");
    return first === id ? undefined : first;
  }
}

/** What a transaction does, without what makes it conditional. */
function unconditional(body: Json): Json {
  return {
    ...without(body, "clientRequestToken"),
    items: body.items.map((operation: Json) => without(operation, "conditionExpression")),
  };
}

/** Faults that only sequences across areas, or of several clients, bring out. */
export const sequenceMutants = [
  mutant("sequences/stale-item-cursor", "DB-12", ["queryItems", "scanItems"]).by(prefetched),
  mutant("sequences/stale-row-cursor", "DB-12", ["runSqlQuery"]).by(prefetched),
  mutant("sequences/stale-entity-cursor", "REPO-09", ["listEntities"]).by(prefetched),
  mutant("sequences/stale-table-cursor", "SQL-52", ["runSqlQuery"]).by(prefetched),
  mutant("sequences/database-keeps-items", "DB-12", ["createDatabase", "batchWriteItems", "scanItems"]).by(
    () => {
      const ids = new FirstIds();
      const items = new Map<string, Json[]>();
      return async (wire) => {
        const answer = await wire.send();
        const { databaseId = "" } = wire.path;
        if (answer.status >= 300) return answer;
        if (wire.operationId === "createDatabase") ids.note(answer.body.name, answer.body.databaseId);
        if (wire.operationId === "batchWriteItems") items.set(databaseId, wire.body.items);
        const old = items.get(ids.before(databaseId) ?? "");
        if (wire.operationId !== "scanItems" || old === undefined) return answer;
        return changed(answer, (body) => {
          body.items.push(...old.slice(0, 1).map(({ pk, sk = null, data }: Json) => ({ pk, sk, data })));
          body.count = body.items.length;
          body.scannedCount = body.items.length;
        });
      };
    },
  ),
  mutant("sequences/database-keeps-tables", "DB-12", ["createDatabase", "executeSql", "listSqlTables"]).by(
    () => {
      const ids = new FirstIds();
      const tables = new Map<string, string>();
      return async (wire) => {
        const answer = await wire.send();
        const { databaseId = "" } = wire.path;
        if (answer.status >= 300) return answer;
        if (wire.operationId === "createDatabase") ids.note(answer.body.name, answer.body.databaseId);
        const made = /^CREATE TABLE (\w+)/.exec(String(wire.body?.sql))?.[1];
        if (made !== undefined) tables.set(databaseId, made);
        const old = tables.get(ids.before(databaseId) ?? "");
        return wire.operationId !== "listSqlTables" || old === undefined
          ? answer
          : changed(answer, (body) =>
              body.tables.push({ name: old, rowCount: 0, createdAt: "2026-01-01T00:00:00.000Z" }),
            );
      };
    },
  ),
  mutant("sequences/repository-keeps-schema", "REPO-07", ["createRepository", "getRepository"]).by(() => {
    const ids = new FirstIds();
    const schemas = new Map<string, Json>();
    return async (wire) => {
      const answer = await wire.send();
      if (answer.status >= 300) return answer;
      const { repositoryId } = answer.body;
      if (wire.operationId === "createRepository") {
        ids.note(`${wire.path.databaseId} ${wire.body.name}`, repositoryId);
        schemas.set(repositoryId, wire.body.schema);
      }
      const old = schemas.get(ids.before(repositoryId) ?? "");
      return wire.operationId !== "getRepository" || old === undefined
        ? answer
        : changed(answer, (body) => (body.schema = old));
    };
  }),
  mutant("sequences/repository-keeps-count", "REPO-08", [
    "createRepository",
    "createEntity",
    "getRepository",
  ]).by(() => {
    const ids = new FirstIds();
    const counts = new Map<string, number>();
    return async (wire) => {
      const answer = await wire.send();
      if (answer.status >= 300) return answer;
      const { repositoryId = "" } = { ...answer.body, ...wire.path };
      if (wire.operationId === "createRepository")
        ids.note(`${wire.path.databaseId} ${wire.body.name}`, repositoryId);
      if (wire.operationId === "createEntity") counts.set(repositoryId, (counts.get(repositoryId) ?? 0) + 1);
      const before = counts.get(ids.before(repositoryId) ?? "") ?? 0;
      return wire.operationId !== "getRepository"
        ? answer
        : changed(answer, (body) => (body.itemCount = Number(body.itemCount) + before));
    };
  }),
  mutant("sequences/table-keeps-index", "SQL-32", ["getSqlTableSchema", "executeSql"]).by(() => {
    const indexes = new Map<string, Json>();
    return async (wire) => {
      const [, name = "", table = "", column = ""] =
        /^CREATE INDEX (\w+) ON (\w+) \((\w+)\)/.exec(String(wire.body?.sql)) ?? [];
      if (table !== "") indexes.set(table, { name, columns: [column], isUnique: false });
      const old = indexes.get(wire.path.tableName ?? "");
      return old === undefined
        ? wire.send()
        : changed(await wire.send(), (body) => {
            if (!body.indexes.some((index: Json) => index.name === old.name)) body.indexes.push(old);
          });
    };
  }),
  mutant("sequences/organizations-by-name", "DB-09", [
    "createOrganization",
    "switchOrganization",
    "listDatabases",
    "createDatabase",
  ]).by(() => {
    const ids = new FirstIds();
    const organizations = new Map<string, string>();
    const databases = new Map<string, Json>();
    return async (wire) => {
      const answer = await wire.send();
      if (answer.status >= 300) return answer;
      if (wire.operationId === "createOrganization") ids.note(answer.body.name, answer.body.organizationId);
      if (wire.operationId === "switchOrganization")
        organizations.set(answer.body.accessToken, wire.body.organizationId);
      const organizationId = organizations.get(wire.credential ?? "") ?? "";
      if (wire.operationId === "createDatabase") {
        const shown = await wire.ask(
          "GET",
          `/api/v1/management/databases/${answer.body.databaseId as string}`,
        );
        databases.set(organizationId, shown.body);
        return answer;
      }
      const old = databases.get(ids.before(organizationId) ?? "");
      if (wire.operationId !== "listDatabases" || old === undefined) return answer;
      return changed(answer, (body) => body.databases.push(old));
    };
  }),
  mutant("sequences/last-switch-counts", "DB-09", ["switchOrganization", "listDatabases"]).by(() => {
    let last: { readonly user: string; readonly token: string } | undefined;
    const users = new Map<string, string>();
    return async (wire) => {
      if (wire.operationId === "switchOrganization") {
        const answer = await wire.send();
        if (answer.status === 200) {
          const { userId, accessToken } = answer.body;
          last = { user: userId, token: accessToken };
          users.set(accessToken, userId);
        }
        return answer;
      }
      const isSame = last !== undefined && users.get(wire.credential ?? "") === last.user;
      return wire.send(isSame && last !== undefined ? { credential: last.token } : {});
    };
  }),
  mutant("sequences/role-cached", "ORG-15", ["updateOrganization"]).by(() => {
    const known = new Map<string, boolean>();
    return async (wire) => {
      const place = `${subjectOf(wire)} ${wire.path.organizationId}`;
      const answer = await wire.send();
      if (!known.has(place)) known.set(place, answer.status === 200);
      return known.get(place) === false ? refusal(403) : answer;
    };
  }),
  mutant("sequences/rights-kept-after-demotion", "AUTH-26", ["putItem"]).by(() => {
    const writers = new Set<string>();
    return async (wire) => {
      const answer = await wire.send();
      const place = `${subjectOf(wire)} ${wire.body?.pk as string}`;
      if (answer.status === 200) writers.add(place);
      return answer.status >= 400 && writers.has(place)
        ? ok({ pk: wire.body.pk, sk: null, updatedAt: new Date().toISOString() })
        : answer;
    };
  }),
  mutant("sequences/removed-member-reads", "ORG-18", ["getOrganization", "updateOrganization"]).by(() => {
    const seen = new Map<string, WireAnswer>();
    return async (wire) => {
      const answer = await wire.send();
      const place = `${wire.credential} ${wire.path.organizationId}`;
      if (wire.operationId === "updateOrganization" && answer.status === 200) seen.set(place, answer);
      if (wire.operationId !== "getOrganization") return answer;
      return answer.status >= 400 ? (seen.get(place) ?? answer) : answer;
    };
  }),
  mutant("sequences/role-in-list-late", "ORG-27", ["listOrganizations"]).by(() => {
    const known = new Map<string, string>();
    return async (wire) =>
      changed(await wire.send(), (body) => {
        for (const entry of body.organizations) {
          const place = `${subjectOf(wire)} ${entry.organizationId}`;
          if (!known.has(place)) known.set(place, entry.role);
          entry.role = known.get(place);
        }
      });
  }),
  mutant("sequences/lost-update", "TX-12", ["transactWriteItems"]).by(() => async (wire) => {
    const items: Json[] = wire.body?.items ?? [];
    if (!items.every(({ conditionExpression }) => conditionExpression === "count = :seen"))
      return wire.send();
    for (const { pk, sk, filterValues = {} } of items) {
      const { body } = await wire.ask("GET", itemPath(wire, pk, sk));
      if (body?.data?.count !== filterValues[":seen"]) return wire.send();
    }
    await sleep(3);
    return wire.send({ body: unconditional(wire.body) });
  }),
  mutant("sequences/applied-and-canceled", "TX-08", ["transactWriteItems"]).by(() => {
    let running = 0;
    return async (wire) => {
      running++;
      try {
        const isRaced = running > 1 && wire.body?.items?.[0]?.action === "Update";
        const answer = await wire.send();
        if (!isRaced || answer.body?.successCount === 0 || answer.status !== 200) return answer;
        return changed(answer, (body) => {
          body.successCount = 0;
          body.errors = wire.body.items.map(({ pk, sk = null }: Json, itemIndex: number) => ({
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
  mutant("sequences/torn-between-states", "TX-03", ["transactGetItems"]).by(() => async (wire) => {
    const items: Json[] = wire.body?.items ?? [];
    if (items.length < 2) return wire.send();
    const first = await wire.send();
    if (first.status !== 200) return first;
    await sleep(2);
    const last = await wire.send({ body: { ...wire.body, items: items.slice(-1) } });
    return changed(first, (body) => body.items.splice(-1, 1, ...(last.body?.items ?? [])));
  }),
  mutant("sequences/applied-by-halves", "TX-10", ["transactWriteItems"]).by(() => {
    const known = new Map<string, WireAnswer>();
    return async (wire) => {
      const items: Json[] = wire.body?.items ?? [];
      const token = String(wire.body?.clientRequestToken);
      const before = known.get(token);
      if (before !== undefined) return before;
      if (items.length < 2 || items.some(({ conditionExpression }) => conditionExpression !== undefined))
        return wire.send();
      const rest = without(wire.body, "clientRequestToken");
      await wire.send({ body: { ...rest, items: items.slice(0, -1) } });
      await sleep(3);
      await wire.send({ body: { ...rest, items: items.slice(-1) } });
      const answer = ok({ successCount: items.length, errors: null });
      known.set(token, answer);
      return answer;
    };
  }),
  mutant("sequences/applied-again", "TX-14", ["transactWriteItems"]).by(() => {
    const known = new Set<string>();
    return async (wire) => {
      const answer = await wire.send();
      const { clientRequestToken: token } = wire.body ?? {};
      if (token === undefined) return answer;
      if (known.has(token))
        await wire.ask("POST", itemPath(wire, "transact", "write"), unconditional(wire.body));
      known.add(token);
      return { ...answer, body: copyOf(answer.body) };
    };
  }),
  mutant("sequences/late-put", "ITEM-03", ["putItem"]).by(() => {
    const waiting = new Map<string, Promise<WireAnswer>>();
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
          .catch(() => refusal(503)),
      );
      return ok({ pk, sk: sk ?? null, updatedAt: new Date().toISOString() });
    };
  }),
];

/** Whose token it is. */
function subjectOf({ credential = "" }: Wire): string {
  return claimsOf(credential).sub ?? credential;
}
