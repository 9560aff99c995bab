import { changed, copyOf, type Json, type Wire } from "./intercept.js";
import { type Mutant, mutant } from "./mutant.js";
import { refusal } from "./refusal.js";

const pathOf = ({ path: { repositoryId = "", entityId = "" } }: Wire) =>
  `/api/v1/repositories/${repositoryId}/${encodeURIComponent(entityId)}`;

/** Whether the caller bears an API key: sessions bear JSON Web Tokens. */
const hasKey = ({ credential = "" }: Wire) => credential.split(".").length !== 3;

/** Asks the deployment for something else than the filter's value. */
function compares(id: string, title: string, other: (value: Json) => Json): Mutant {
  return mutant(`entities/${id}`, "REPO-36", title, ["queryEntities"], () => async (wire) => {
    if (wire.body?.filterValues === undefined) return wire.send();
    const filterValues = Object.fromEntries(
      Object.entries(wire.body.filterValues).map(([name, value]) => [name, other(value)]),
    );
    return wire.send({ body: { ...wire.body, filterValues } });
  });
}

/** Lends API keys the rights of the last session, for some operations. */
function lends(
  id: string,
  clause: Mutant["clause"],
  title: string,
  operation: "deleteEntity" | "queryEntities",
): Mutant {
  return mutant(`entities/${id}`, clause, title, [operation, "createEntity"], () => {
    let session: string | undefined;
    return async (wire) => {
      if (!hasKey(wire)) session = wire.credential;
      return wire.operationId === operation && session !== undefined
        ? wire.send({ credential: session })
        : wire.send();
    };
  });
}

export const entityMutants: readonly Mutant[] = [
  mutant(
    "entities/no-null-for-cursor",
    "REPO-33",
    "a query whose cursor is null is refused",
    ["queryEntities"],
    () => async (wire) => (wire.body?.cursor === null ? refusal(400) : wire.send()),
  ),
  mutant(
    "entities/free-needs-members",
    "REPO-21",
    "an empty object is no data",
    ["createEntity"],
    () => async (wire) =>
      Object.keys(wire.body?.data ?? { a: 1 }).length === 0 ? refusal(400) : wire.send(),
  ),
  mutant(
    "entities/created-without-time",
    "REPO-23",
    "the answer that creates has no updatedAt",
    ["createEntity"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        delete body.updatedAt;
      }),
  ),
  mutant(
    "entities/no-data-is-empty",
    "REPO-24",
    "missing data count as an empty object",
    ["createEntity"],
    () => async (wire) => wire.send({ body: { data: {}, ...wire.body } }),
  ),
  mutant(
    "entities/null-update",
    "REPO-24",
    "an update with null changes nothing and is accepted",
    ["updateEntity"],
    () => async (wire) => (wire.body?.data === null ? wire.ask("GET", pathOf(wire)) : wire.send()),
  ),
  mutant(
    "entities/same-data-same-id",
    "REPO-25",
    "equal data in a row get the same id",
    ["createEntity"],
    () => {
      let last: { readonly key: string; readonly answer: Json } | undefined;
      return async (wire) => {
        const key = JSON.stringify([wire.path.repositoryId, wire.body?.data, wire.credential]);
        if (last?.key === key) return last.answer;
        const answer = await wire.send();
        if (answer.status === 201) last = { key, answer: { ...answer } };
        return answer;
      };
    },
  ),
  mutant(
    "entities/time-stands-still",
    "REPO-26",
    "updates leave updatedAt",
    ["getEntity", "updateEntity"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        body.updatedAt = body.createdAt;
      }),
  ),
  mutant(
    "entities/created-again",
    "REPO-26",
    "updates move createdAt",
    ["getEntity", "updateEntity"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        body.createdAt = body.updatedAt;
      }),
  ),
  mutant(
    "entities/version-from-zero",
    "REPO-27",
    "versions begin with 0",
    ["createEntity", "getEntity", "updateEntity"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        if (body.version !== undefined) body.version = body.version - 1;
      }),
  ),
  mutant(
    "entities/version-stops",
    "REPO-27",
    "versions end at 2",
    ["getEntity", "updateEntity"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        if (body.version !== undefined) body.version = Math.min(2, body.version);
      }),
  ),
  mutant(
    "entities/stale-read",
    "REPO-28",
    "the first read after an update shows what was before",
    ["updateEntity", "getEntity"],
    () => {
      const stale = new Map<string, Json>();
      return async (wire) => {
        const target = pathOf(wire);
        if (wire.operationId === "updateEntity") {
          const before = await wire.ask("GET", target);
          const answer = await wire.send();
          if (answer.status === 200) stale.set(target, before);
          return answer;
        }
        const before = stale.get(target);
        stale.delete(target);
        const now = await wire.send();
        return before === undefined || now.status !== 200
          ? now
          : changed(now, (body) => {
              body.data = before.body.data;
            });
      };
    },
  ),
  mutant(
    "entities/numbers-of-32-bits",
    "REPO-28",
    "numbers are rounded to floats of 32 bits",
    ["getEntity"],
    () => async (wire) => {
      const answer = await wire.send();
      return answer.status === 200
        ? { ...answer, body: JSON.parse(JSON.stringify(answer.body, narrowed)) }
        : answer;
    },
  ),
  mutant(
    "entities/update-creates",
    "REPO-29",
    "an update of a missing entity creates it",
    ["getEntity", "updateEntity"],
    () => {
      const made = new Map<string, Json>();
      return async (wire) => {
        const answer = await wire.send();
        const target = pathOf(wire);
        if (answer.status !== 404) return answer;
        if (wire.operationId === "updateEntity" && typeof wire.body?.data === "object")
          made.set(target, {
            id: wire.path.entityId,
            data: wire.body.data,
            createdAt: "2030-01-01T00:00:00Z",
            updatedAt: "2030-01-01T00:00:00Z",
          });
        const body = made.get(target);
        return body === undefined ? answer : { status: 200, headers: {}, body };
      };
    },
  ),
  mutant(
    "entities/update-answers-old",
    "REPO-30",
    "an update answers with what was before",
    ["updateEntity"],
    () => async (wire) => {
      const before = await wire.ask("GET", pathOf(wire));
      const answer = await wire.send();
      return changed(answer, (body) => {
        body.data = before.body.data;
      });
    },
  ),
  mutant(
    "entities/update-skips-null",
    "REPO-30",
    "members that an update sets to null stay as they were",
    ["updateEntity"],
    () => async (wire) => {
      const data = wire.body?.data;
      if (typeof data !== "object" || data === null) return wire.send();
      const kept = Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null));
      return Object.keys(kept).length === Object.keys(data).length
        ? wire.send()
        : wire.send({ body: { data: kept } });
    },
  ),
  mutant(
    "entities/deleted-with-200",
    "REPO-32",
    "deletion answers 200",
    ["deleteEntity"],
    () => async (wire) => {
      const answer = await wire.send();
      return answer.status === 204 ? { status: 200, headers: {}, body: {} } : answer;
    },
  ),
  mutant(
    "entities/delete-hides-nothing",
    "REPO-32",
    "a deleted entity can still be got",
    ["deleteEntity", "getEntity"],
    () => {
      const last = new Map<string, Json>();
      return async (wire) => {
        const target = pathOf(wire);
        if (wire.operationId === "deleteEntity") {
          const before = await wire.ask("GET", target);
          if (before.status === 200) last.set(target, { ...before });
          return wire.send();
        }
        const answer = await wire.send();
        return answer.status === 404 ? (last.get(target) ?? answer) : answer;
      };
    },
  ),
  mutant(
    "entities/page-without-total",
    "REPO-33",
    "the pages of queries have no totalCount",
    ["queryEntities"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        delete body.totalCount;
      }),
  ),
  mutant(
    "entities/list-shows-old",
    "REPO-33",
    "lists show createdAt as updatedAt of a day before",
    ["listEntities"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        for (const entity of body.entities)
          entity.updatedAt = new Date(Date.parse(entity.updatedAt) - 86_400_000).toISOString();
      }),
  ),
  mutant(
    "entities/limit-plus-one",
    "REPO-34",
    "queries return one entity more than `limit`",
    ["queryEntities"],
    () => async (wire) =>
      wire.body?.limit > 0 && wire.body.limit < 20
        ? wire.send({ body: { ...wire.body, limit: Number(wire.body.limit) + 1 } })
        : wire.send(),
  ),
  mutant(
    "entities/default-of-ten",
    "REPO-34",
    "lists without a limit return 10 entities",
    ["listEntities"],
    () => async (wire) => wire.send({ query: { limit: "10", ...wire.query } }),
  ),
  mutant(
    "entities/default-of-fifty",
    "GEN-07",
    "queries without a limit return 50 entities",
    ["queryEntities"],
    () => async (wire) => wire.send({ body: { limit: 50, ...wire.body } }),
  ),
  ...(["listEntities", "queryEntities"] as const).map((list) =>
    mutant(
      `entities/stale-${list}`,
      "REPO-33",
      `${list} shows entities as they were created`,
      ["createEntity", list],
      () => {
        const created = new Map<string, Json>();
        return async (wire) => {
          const answer = await wire.send();
          if (wire.operationId === list)
            return changed(answer, (body) => {
              for (const entity of body.entities) entity.data = created.get(entity.id) ?? entity.data;
            });
          if (answer.status === 201) created.set(answer.body.id, answer.body.data);
          return answer;
        };
      },
    ),
  ),
  mutant(
    "entities/total-of-page",
    "REPO-35",
    "totalCount counts the page",
    ["listEntities"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        body.totalCount = body.entities.length;
      }),
  ),
  ...[0, 12345].map((total) =>
    mutant(
      `entities/total-of-query-${total}`,
      "REPO-35",
      `totalCount of a query is ${total}`,
      ["queryEntities"],
      () => async (wire) => changed(await wire.send(), (body) => (body.totalCount = total)),
    ),
  ),
  mutant(
    "entities/total-of-filter",
    "REPO-35",
    "totalCount of a query with a filter is one more than all entities",
    ["queryEntities"],
    () => async (wire) => {
      if (wire.body?.filter === undefined) return wire.send();
      const all = await wire.ask("GET", `/api/v1/repositories/${wire.path.repositoryId ?? ""}`);
      return changed(await wire.send(), (body) => (body.totalCount = Number(all.body.totalCount) + 1));
    },
  ),
  mutant(
    "entities/total-left",
    "REPO-35",
    "totalCount of the last page is one off",
    ["listEntities"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        if (body.nextCursor === null && wire.query.cursor !== undefined) body.totalCount--;
      }),
  ),
  mutant(
    "entities/drops-at-seam",
    "GEN-04",
    "the last entity of a page that is not the last one is lost",
    ["listEntities"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        if (body.nextCursor !== null && body.entities.length > 4) body.entities.pop();
      }),
  ),
  mutant(
    "entities/query-repeats",
    "GEN-04",
    "the last entity of a query's page comes again",
    ["queryEntities"],
    () => {
      let last: Json;
      return async (wire) =>
        changed(await wire.send(), (body) => {
          const next = copyOf(body.entities.at(-1) ?? null);
          if (wire.body?.cursor !== undefined && last !== null && body.entities.length < wire.body.limit)
            body.entities.unshift(last);
          last = next;
        });
    },
  ),
  mutant(
    "entities/no-last-cursor",
    "GEN-03",
    "the last page has no nextCursor",
    ["listEntities"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        if (body.nextCursor === null) delete body.nextCursor;
      }),
  ),
  compares("filter-reads-numbers", "texts of digits are compared as numbers", (value) =>
    typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value,
  ),
  compares("filter-folds-case", "texts are compared in lower case", (value) =>
    typeof value === "string" ? value.toLowerCase() : value,
  ),
  compares("filter-trims", "texts are trimmed", (value) =>
    typeof value === "string" ? value.trim() : value,
  ),
  compares("filter-normalizes", "texts are brought to the composed form", (value) =>
    typeof value === "string" ? value.normalize("NFC") : value,
  ),
  compares("filter-false-is-zero", "false is 0", (value) => (value === false ? 0 : value)),
  mutant(
    "entities/filter-empty-is-all",
    "REPO-36",
    "a filter with an empty text finds everything",
    ["queryEntities"],
    () => async (wire) => {
      const { filter, filterValues, ...rest } = wire.body ?? {};
      return filter !== undefined && Object.values(filterValues ?? {}).includes("")
        ? wire.send({ body: rest })
        : wire.send();
    },
  ),
  mutant(
    "entities/values-by-field",
    "REPO-37",
    "a name in the filter has to be that of the field",
    ["queryEntities"],
    () => async (wire) => {
      const [field, , name] = String(wire.body?.filter ?? "").split(" ");
      return name === undefined || name === `:${field}`
        ? wire.send()
        : { status: 200, headers: {}, body: { entities: [], nextCursor: null, totalCount: 0 } };
    },
  ),
  mutant(
    "entities/order-of-text",
    "REPO-38",
    "numbers are sorted as texts",
    ["queryEntities"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        const { sortBy, sortOrder } = wire.body ?? {};
        if (sortBy === undefined) return;
        const textOf = (entity: Json) => String(entity.data[sortBy]);
        body.entities.sort((a: Json, b: Json) =>
          textOf(a) < textOf(b) ? -1 : textOf(a) > textOf(b) ? 1 : 0,
        );
        if (sortOrder === "desc") body.entities.reverse();
      }),
  ),
  mutant(
    "entities/order-within-page",
    "REPO-38",
    "desc turns each page round and not the whole",
    ["queryEntities"],
    () => async (wire) => {
      const { sortOrder, ...rest } = wire.body ?? {};
      if (sortOrder !== "desc") return wire.send();
      return changed(await wire.send({ body: rest }), (body) => {
        body.entities.reverse();
      });
    },
  ),
  mutant(
    "entities/order-of-ten",
    "REPO-38",
    "the order holds for the first ten entities of a page",
    ["queryEntities"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        if (wire.body?.sortBy !== undefined && body.entities.length > 11)
          body.entities.push(...body.entities.splice(10, 1));
      }),
  ),
  mutant(
    "entities/sessions-only",
    "REPO-39",
    "queries need an access token",
    ["queryEntities"],
    () => async (wire) => (hasKey(wire) ? refusal(403) : wire.send()),
  ),
  lends("read-key-deletes", "REPO-40", "a key that reads may delete", "deleteEntity"),
  mutant(
    "entities/no-key-updates",
    "REPO-41",
    "no key may update",
    ["updateEntity"],
    () => async (wire) => (hasKey(wire) ? refusal(403) : wire.send()),
  ),
  lends("any-key-queries", "REPO-43", "any key may query", "queryEntities"),
  mutant(
    "entities/no-key-deletes",
    "REPO-42",
    "no key that has read may delete",
    ["getEntity", "deleteEntity"],
    () => {
      const readers = new Set<string | undefined>();
      return async (wire) => {
        if (!hasKey(wire)) return wire.send();
        if (wire.operationId === "deleteEntity" && readers.has(wire.credential)) return refusal(403);
        const answer = await wire.send();
        if (wire.operationId === "getEntity" && answer.status === 200) readers.add(wire.credential);
        return answer;
      };
    },
  ),
  mutant(
    "entities/found-anywhere",
    "REPO-44",
    "an entity is found through any repository",
    ["createEntity", "getEntity"],
    () => {
      const at = new Map<string, string>();
      return async (wire) => {
        const answer = await wire.send();
        if (wire.operationId === "createEntity") {
          if (answer.status === 201) at.set(answer.body.id, wire.path.repositoryId ?? "");
          return answer;
        }
        const repositoryId = at.get(wire.path.entityId ?? "");
        return answer.status === 404 && repositoryId !== undefined
          ? wire.send({ path: { repositoryId } })
          : answer;
      };
    },
  ),
  mutant(
    "entities/deleted-anywhere",
    "REPO-44",
    "an entity can be deleted through any repository",
    ["createEntity", "deleteEntity"],
    () => {
      const at = new Map<string, string>();
      return async (wire) => {
        const repositoryId = at.get(wire.path.entityId ?? "");
        if (wire.operationId === "deleteEntity")
          return wire.send(repositoryId === undefined ? {} : { path: { repositoryId } });
        const answer = await wire.send();
        if (answer.status === 201) at.set(answer.body.id, wire.path.repositoryId ?? "");
        return answer;
      };
    },
  ),
];

/** Numbers that lossless-json keeps apart come back as doubles. */
function narrowed(name: string, value: Json): Json {
  return typeof value === "number" && name !== "version" ? Math.fround(value) : value;
}
