import type { OperationId } from "../../openapi/operations/register.js";
import { type Json, type Tamper, withBody, changed } from "./intercept.js";
import { type Variant, variant } from "./mutant.js";

const describing: readonly OperationId[] = [
  "createRepository",
  "getRepository",
  "listRepositories",
  "createEntity",
  "getEntity",
  "updateEntity",
  "listEntities",
  "queryEntities",
];

/** Calls something on every object of a body that has a member. */
function eachWith(body: Json, member: string, visit: (found: Json) => void): void {
  if (typeof body !== "object" || body === null) return;
  if (Object.hasOwn(body, member)) visit(body);
  for (const [name, value] of Object.entries(body)) if (name !== "data") eachWith(value, member, visit);
}

/** Pages of at most so many entries, whatever the limit. */
const shortPages: Tamper = async (wire) => {
  const { limit = 20 } = { ...wire.query, ...(wire.body ?? {}) };
  const size = Math.min(Number(limit), 7);
  if (!(size > 0)) return wire.send();
  return wire.operationId === "queryEntities"
    ? wire.send({ body: { ...wire.body, limit: size } })
    : wire.send({ query: { ...wire.query, limit: String(size) } });
};

/** Makes doubles of the numbers that are none, in place. */
function asDoubles(body: Json): void {
  if (typeof body !== "object" || body === null) return;
  for (const [name, value] of Object.entries<Json>(body))
    if (value?.isLosslessNumber === true) body[name] = Number(value.value);
    else asDoubles(value);
}

/** Every other page is empty and leads on. */
function emptyPages(member: string): () => Tamper {
  return () => async (wire) => {
    const cursor: unknown = wire.body?.cursor ?? wire.query.cursor;
    if (typeof cursor === "string" && cursor.startsWith("empty.")) {
      const real = cursor.slice("empty.".length);
      return wire.body === undefined
        ? wire.send({ query: { ...wire.query, cursor: real } })
        : wire.send({ body: { ...wire.body, cursor: real } });
    }
    if (typeof cursor !== "string") {
      const answer = await wire.send();
      return changed(answer, (body) => {
        if (body.nextCursor !== null) body.nextCursor = `empty.${body.nextCursor}`;
      });
    }
    const answer = await wire.send();
    return answer.status === 200
      ? withBody(answer, { ...answer.body, [member]: [], nextCursor: `empty.${cursor}` })
      : answer;
  };
}

export const repositoryVariants: readonly Variant[] = [
  { id: "entities/merging-updates", profile: { "entity-put": "merge" } },
  {
    id: "entities/unknown-refused",
    profile: { "entity-unknown-fields": "reject" },
  },
  {
    id: "entities/unknown-dropped",
    profile: { "entity-unknown-fields": "drop" },
  },
  {
    id: "entities/no-versions",
    profile: { "entity-version-field": "hidden" },
  },
  {
    id: "entities/other-order",
    profile: { "entity-list-order": "newest-first", "delete-missing-entity": 404, "validation-status": 422 },
  },
  {
    id: "repositories/lenient",
    profile: { "duplicate-name": "allow", "unknown-request-members": "reject" },
  },
  {
    id: "databases/other-statuses",
    profile: {
      "duplicate-name": "allow",
      "ceiling-status": 402,
      "region-list": ["eu-west-1", "us-east-1"],
      "error-body": "error-message",
      "validation-status": 422,
    },
  },
  variant("entities/short-pages", ["listEntities", "queryEntities"]).by(() => shortPages),
  variant("entities/empty-pages", ["queryEntities"]).by(emptyPages("entities")),
  variant("repositories/page-of-25", ["listRepositories"]).by(
    () => async (wire) => wire.send({ query: { limit: "25", ...wire.query } }),
  ),
  variant("entities/lagging-counts", ["getRepository", "listEntities"]).by(() => {
    const shown = new Map<string, number>();
    return async (wire) =>
      changed(await wire.send(), (body) => {
        const member = wire.operationId === "getRepository" ? "itemCount" : "totalCount";
        const key = `${member} ${String(wire.path.repositoryId)}`;
        const now = Number(body[member]);
        body[member] = shown.get(key) ?? now;
        shown.set(key, now);
      });
  }),
  variant("entities/counts-later", ["getRepository", "listEntities"]).by(() => {
    const looks: { readonly name: string; readonly at: number; readonly count: number }[] = [];
    return async (wire) =>
      changed(await wire.send(), (body) => {
        const member = wire.operationId === "getRepository" ? "itemCount" : "totalCount";
        const name = `${member} ${String(wire.path.repositoryId)}`;
        const now = Date.now();
        looks.push({ name, at: now, count: Number(body[member]) });
        body[member] = looks.findLast((look) => look.name === name && look.at <= now - 500)?.count ?? 0;
      });
  }),
  variant("entities/numbers-as-doubles", [
    "createEntity",
    "getEntity",
    "updateEntity",
    "listEntities",
    "queryEntities",
  ]).answering((body) => asDoubles(body)),
  variant("session/no-permissions", ["login"]).answering((body) => {
    if (body.authResponse) Object.assign(body.authResponse, { permissions: [], roles: [] });
  }),
  variant("repositories/short-pages", ["listRepositories"]).by(() => shortPages),
  variant("entities/other-times", describing).answering((body) => {
    for (const member of ["createdAt", "updatedAt"])
      eachWith(body, member, (found) => {
        found[member] = String(found[member]).replace(/Z$/, "0000+00:00");
      });
  }),
  variant("repositories/whole-seconds", ["createRepository", "getRepository", "listRepositories"]).answering(
    (body) => {
      for (const member of ["createdAt", "updatedAt"])
        eachWith(body, member, (found) => {
          found[member] = String(found[member]).replace(/\.\d+Z$/, "Z");
        });
    },
  ),
  variant("entities/more-members", describing).answering((body) => {
    body.requestId = "r-1";
    eachWith(body, "createdAt", (found) => {
      found._links = { self: "/somewhere" };
    });
  }),
  variant("repositories/spelled-out", ["getRepository", "listRepositories"]).answering((body) => {
    for (const repository of body.repositories ?? [body])
      for (const definition of Object.values<Json>(repository.schema)) definition.required ??= false;
  }),
  variant("databases/lagging-usage", ["getDatabase", "listDatabases"]).answering((body) => {
    for (const { usage } of body.databases ?? [body]) {
      usage.itemCount = 0;
      usage.lastUpdated = new Date(Date.parse(usage.lastUpdated) - 3_600_000).toISOString();
    }
  }),
];
