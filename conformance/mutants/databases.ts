import type { ClauseId } from "../../openapi/clauses/register.js";
import { changed, type Json, type Tamper, type Wire, withBody } from "./intercept.js";
import { type Mutant, mutant } from "./mutant.js";
import { refusal } from "./refusal.js";

const path = "/api/v1/management/databases";

/** Takes names that are forbidden, by giving the deployment others. */
function takes(title: string, clause: ClauseId, id: string, isTaken: (name: string) => boolean): Mutant {
  return mutant(`databases/${id}`, clause, title, ["createDatabase"], () => {
    let number = 0;
    return async (wire) => {
      const name: unknown = wire.body?.name;
      if (typeof name !== "string" || !isTaken(name)) return wire.send();
      const answer = await wire.send({ body: { ...wire.body, name: `taken-${++number}` } });
      return changed(answer, (body) => {
        body.name = name;
      });
    };
  });
}

/** Refuses names that are allowed. */
function refuses(title: string, clause: ClauseId, id: string, isRefused: (name: string) => boolean): Mutant {
  return mutant(`databases/${id}`, clause, title, ["createDatabase"], () => async (wire) => {
    const name: unknown = wire.body?.name;
    return typeof name === "string" && isRefused(name) ? refusal(400) : wire.send();
  });
}

const length = (name: string) => Array.from(name).length;
const isPlain = (name: string) => /^[a-z][a-z0-9-]*$/.test(name);

/** Changes every description of a database, in GET and in the list. */
function shows(id: string, clause: ClauseId, title: string, change: (database: Json) => void): Mutant {
  return mutant(
    `databases/${id}`,
    clause,
    title,
    ["getDatabase", "listDatabases"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        for (const database of body.databases ?? [body]) change(database);
      }),
  );
}

/** Puts a member back after the database is gone. */
function keeps(operation: "getItem" | "listRepositories" | "getEntity"): Tamper {
  const last = new Map<string, Json>();
  return async (wire) => {
    const answer = await wire.send();
    const key = JSON.stringify(wire.path);
    if (wire.operationId !== operation) return answer;
    if (answer.status === 200) last.set(key, answer);
    return answer.status === 404 ? (last.get(key) ?? answer) : answer;
  };
}

export const databaseMutants: readonly Mutant[] = [
  mutant(
    "databases/no-version-in-path",
    "GEN-08",
    "there is nothing under /api/v1",
    ["createDatabase"],
    () => () => Promise.resolve(refusal(404)),
  ),
  mutant(
    "databases/created-with-200",
    "DB-01",
    "creation answers 200",
    ["createDatabase"],
    () => async (wire) => {
      const answer = await wire.send();
      return answer.status === 201 ? { ...answer, status: 200 } : answer;
    },
  ),
  mutant(
    "databases/other-region",
    "DB-01",
    "the answer names another region",
    ["createDatabase"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        body.region = String(body.region).toUpperCase();
      }),
  ),
  mutant(
    "databases/active-at-once",
    "DB-02",
    "a new database is Active",
    ["createDatabase"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        body.status = "Active";
      }),
  ),
  mutant(
    "databases/created-updated",
    "DB-03",
    "the answer that creates has updatedAt",
    ["createDatabase"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        body.updatedAt = body.createdAt;
      }),
  ),
  takes(
    "names of two characters are taken",
    "DB-04",
    "short-names",
    (name) => isPlain(name) && length(name) === 2,
  ),
  takes(
    "names of 64 characters are taken",
    "DB-04",
    "long-names",
    (name) => isPlain(name) && length(name) === 64,
  ),
  refuses("names of 63 characters are refused", "DB-04", "longest-refused", (name) => length(name) === 63),
  refuses("names of three characters are refused", "DB-04", "shortest-refused", (name) => length(name) === 3),
  takes(
    "capital letters are folded",
    "DB-05",
    "folded-case",
    (name) => isPlain(name.toLowerCase()) && !isPlain(name) && length(name) > 2 && length(name) < 64,
  ),
  takes(
    "a line break at the end is overlooked",
    "DB-05",
    "line-break",
    (name) => isPlain(name.replace(/\n$/, "")) && name.endsWith("\n"),
  ),
  takes("names may begin with a digit", "DB-05", "digit-first", (name) =>
    /^[0-9][a-z0-9-]{2,60}$/.test(name),
  ),
  takes("white space is trimmed", "DB-05", "trimmed", (name) => isPlain(name.trim()) && name !== name.trim()),
  refuses("names that end in a hyphen are refused", "DB-05", "last-hyphen", (name) => name.endsWith("-")),
  mutant(
    "databases/default-region",
    "DB-06",
    "a missing region takes a default",
    ["createDatabase"],
    () => async (wire) => wire.send({ body: { region: "eu-central-1", ...wire.body } }),
  ),
  mutant("databases/generated-name", "DB-06", "a missing name is generated", ["createDatabase"], () => {
    let number = 0;
    return async (wire) => wire.send({ body: { name: `generated-${++number}`, ...wire.body } });
  }),
  shows("no-updated-at", "DB-07", "descriptions have no updatedAt", (database) => {
    delete database.updatedAt;
  }),
  mutant(
    "databases/list-without-usage",
    "DB-07",
    "the list leaves out usage",
    ["listDatabases"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        for (const database of body.databases) delete database.usage;
      }),
  ),
  shows("negative-usage", "DB-08", "units are negative", (database) => {
    database.usage.readUnitsConsumed = -1;
  }),
  shows("no-last-updated", "DB-08", "usage has no lastUpdated", (database) => {
    delete database.usage.lastUpdated;
  }),
  mutant(
    "databases/list-drops-last",
    "DB-09",
    "the list never has the newest database",
    ["listDatabases"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        if (body.nextCursor === null) body.databases.pop();
      }),
  ),
  mutant(
    "databases/list-of-all",
    "DB-09",
    "the list has the databases of others too",
    ["listDatabases", "createDatabase"],
    () => {
      const known: Json[] = [];
      return async (wire) => {
        const answer = await wire.send();
        if (wire.operationId === "createDatabase") {
          if (answer.status === 201)
            known.push({
              ...(await wire.ask("GET", `${path}/${answer.body.databaseId}`)).body,
              by: wire.credential,
            });
          return answer;
        }
        return changed(answer, (body) => {
          const has = new Set(body.databases.map(({ databaseId }: Json) => databaseId));
          for (const { by, ...database } of known)
            if (by !== wire.credential && !has.has(database.databaseId) && body.databases.length < 5)
              body.databases.push(database);
        });
      };
    },
  ),
  mutant(
    "databases/limit-plus-one",
    "DB-10",
    "pages have one entry more than their limit",
    ["listDatabases"],
    () => async (wire) =>
      wire.query.limit === undefined
        ? wire.send()
        : wire.send({ query: { ...wire.query, limit: String(Number(wire.query.limit) + 1) } }),
  ),
  mutant(
    "databases/default-of-ten",
    "GEN-07",
    "pages have 10 entries without a limit",
    ["listDatabases"],
    () => async (wire) => wire.send({ query: { limit: "10", ...wire.query } }),
  ),
  mutant(
    "databases/default-page",
    "GEN-07",
    "pages have 50 entries without a limit",
    ["listDatabases"],
    () => async (wire) => wire.send({ query: { limit: "50", ...wire.query } }),
  ),
  mutant(
    "databases/repeated-at-seam",
    "GEN-04",
    "the last entry of a page begins the next one",
    ["listDatabases"],
    () => {
      let last: Json;
      return async (wire) =>
        changed(await wire.send(), (body) => {
          const next = body.databases.at(-1);
          if (wire.query.cursor !== undefined && last !== undefined)
            body.databases = [last, ...body.databases.slice(1)];
          last = next;
        });
    },
  ),
  mutant(
    "databases/empty-last-cursor",
    "GEN-03",
    "the last page has an empty cursor in place of null",
    ["listDatabases"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        if (body.nextCursor === null) delete body.nextCursor;
      }),
  ),
  shows("region-folded", "DB-11", "descriptions name another region", (database) => {
    database.region = String(database.region).replaceAll("-", "_");
  }),
  shows("created-now", "DB-11", "createdAt is a day off", (database) => {
    database.createdAt = new Date(Date.parse(database.createdAt) + 86_400_000).toISOString();
  }),
  mutant(
    "databases/delete-with-body",
    "DB-12",
    "deletion answers 200",
    ["deleteDatabase"],
    () => async (wire) => {
      const answer = await wire.send();
      return answer.status === 204
        ? { status: 200, headers: { "content-type": "application/json" }, body: { deleted: true } }
        : answer;
    },
  ),
  mutant(
    "databases/deleted-still-there",
    "DB-12",
    "a deleted database can still be got",
    ["getDatabase"],
    () => {
      const last = new Map<string, Json>();
      return async (wire) => {
        const answer = await wire.send();
        const { databaseId = "" } = wire.path;
        if (answer.status === 200) last.set(databaseId, answer);
        return answer.status === 404 ? (last.get(databaseId) ?? answer) : answer;
      };
    },
  ),
  mutant(
    "databases/repositories-survive",
    "DB-12",
    "repositories outlive their database",
    ["listRepositories", "createRepository"],
    () => {
      const seen = new Set<string>();
      return async (wire) => {
        const answer = await wire.send();
        if (wire.operationId === "createRepository") seen.add(wire.path.databaseId ?? "");
        return wire.operationId === "listRepositories" &&
          answer.status === 404 &&
          seen.has(wire.path.databaseId ?? "")
          ? { status: 200, headers: {}, body: { repositories: [], nextCursor: null } }
          : answer;
      };
    },
  ),
  mutant(
    "databases/entities-survive",
    "DB-12",
    "entities outlive their database",
    ["createEntity", "getEntity"],
    () => {
      const created = new Map<string, Json>();
      const inner = keeps("getEntity");
      return async (wire: Wire) => {
        if (wire.operationId === "getEntity") {
          const answer = await inner(wire);
          const body = created.get(wire.path.entityId ?? "");
          return answer.status === 404 && body !== undefined ? { status: 200, headers: {}, body } : answer;
        }
        const answer = await wire.send();
        if (answer.status === 201) created.set(answer.body.id, answer.body);
        return answer;
      };
    },
  ),
  shows("own-status", "DB-13", "the status is in lower case", (database) => {
    database.status = String(database.status).toLowerCase();
  }),
  shows("hidden-maintenance", "DB-13", "a database under maintenance is shown as Active", (database) => {
    if (database.status === "Maintenance") database.status = "Active";
  }),
  mutant(
    "databases/one-more",
    "DB-14",
    "an organization may hold one database more",
    ["createDatabase", "deleteDatabase"],
    () => {
      const extra = new Set<string>();
      return async (wire) => {
        if (wire.path.databaseId === "db_extra" && extra.delete(wire.credential ?? ""))
          return { status: 204, headers: {}, body: undefined };
        const answer = await wire.send();
        if (
          wire.operationId !== "createDatabase" ||
          answer.status !== 403 ||
          extra.has(wire.credential ?? "")
        )
          return answer;
        extra.add(wire.credential ?? "");
        const { name, region } = wire.body;
        return {
          status: 201,
          headers: {},
          body: {
            databaseId: "db_extra",
            name,
            region,
            status: "Creating",
            createdAt: "2030-01-01T00:00:00Z",
          },
        };
      };
    },
  ),
  mutant(
    "databases/one-less",
    "DB-14",
    "deleted databases count on",
    ["createDatabase", "deleteDatabase"],
    () => {
      const deleted = new Set<string>();
      return async (wire) => {
        if (wire.operationId === "createDatabase")
          return deleted.has(wire.credential ?? "") ? refusal(403) : wire.send();
        const answer = await wire.send();
        if (answer.status === 204) deleted.add(wire.credential ?? "");
        return answer;
      };
    },
  ),
  shows("settings-as-list", "DB-15", "settings are a list of members", (database) => {
    database.settings = Object.entries(database.settings ?? {});
  }),
  mutant(
    "databases/counts-writes",
    "DB-16",
    "itemCount counts a replaced item twice",
    ["putItem", "getDatabase"],
    () => {
      const more = new Map<string, number>();
      const seen = new Set<string>();
      return async (wire) => {
        const { databaseId = "" } = wire.path;
        if (wire.operationId === "putItem") {
          const key = JSON.stringify([databaseId, wire.body?.pk, wire.body?.sk]);
          if (seen.has(key)) more.set(databaseId, (more.get(databaseId) ?? 0) + 1);
          seen.add(key);
          return wire.send();
        }
        return changed(await wire.send(), (body) => {
          body.usage.itemCount = Number(body.usage.itemCount) + (more.get(databaseId) ?? 0);
        });
      };
    },
  ),
  mutant(
    "databases/counts-deletions",
    "DB-16",
    "itemCount goes on counting what a batch deletes",
    ["batchWriteItems", "getDatabase"],
    () => {
      let deleted = 0;
      return async (wire) => {
        if (wire.operationId === "getDatabase")
          return changed(await wire.send(), (body) => {
            body.usage.itemCount = Number(body.usage.itemCount) + deleted;
          });
        const of = wire.body?.items?.filter((item: Json) => item.operation === "Delete").length ?? 0;
        deleted += Number(of);
        return wire.send();
      };
    },
  ),
  mutant(
    "databases/counts-frozen-wrongly",
    "DB-16",
    "usage is as old as the database for ever, and counts two items that were not there then",
    ["getDatabase"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        Object.assign(body.usage, { itemCount: 2, lastUpdated: body.createdAt });
      }),
  ),
  mutant(
    "databases/half-the-storage",
    "DB-17",
    "an organization may store half of what its plan allows",
    ["batchWriteItems"],
    () => {
      let bytes = 0;
      return async (wire) => {
        bytes += JSON.stringify(wire.body?.items ?? []).length;
        return bytes > 50_000_000 ? refusal(403) : wire.send();
      };
    },
  ),
  mutant("databases/created-anew", "DB-11", "createdAt moves with each read", ["getDatabase"], () => {
    let reads = 0;
    return async (wire) =>
      changed(await wire.send(), (body) => {
        body.createdAt = new Date(Date.parse(body.createdAt as string) + ++reads).toISOString();
      });
  }),
  mutant(
    "databases/local-time",
    "GEN-01",
    "createdAt has no time zone",
    ["createDatabase"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        body.createdAt = String(body.createdAt).replace(/Z$/, "");
      }),
  ),
  mutant(
    "databases/lenient-body",
    "GEN-06",
    "an unreadable body counts as an empty database",
    ["createDatabase"],
    () => async (wire) =>
      typeof wire.body === "string"
        ? withBody(
            { status: 201, headers: {}, body: undefined },
            {
              databaseId: "db_none",
              name: "none",
              region: "none",
              status: "Creating",
              createdAt: "2030-01-01T00:00:00Z",
            },
          )
        : wire.send(),
  ),
];
