import { operationIds } from "../../openapi/operations/register.js";
import { Delayed } from "./late-variants.js";
import { instant, rewriting } from "./rewrite-answers.js";
import { type Json, type Tamper, changed } from "./intercept.js";
import { type Variant, variant, variantIn } from "./mutant.js";
import { type MakeTamper, answering } from "./tampers.js";

/** Makes doubles of the numbers that are none, in place. */
function asDoubles(body: Json): void {
  if (typeof body !== "object" || body === null) return;
  for (const [name, value] of Object.entries<Json>(body))
    if (value?.isLosslessNumber === true) body[name] = Number(value.value);
    else asDoubles(value);
}

const mark = "empty.";

/** Every other page is empty and leads on. */
const emptyPages: Tamper = async (wire) => {
  const cursor: unknown = wire.body?.cursor;
  const isMarked = typeof cursor === "string" && cursor.startsWith(mark);
  if (isMarked) return wire.send({ body: { ...wire.body, cursor: cursor.slice(mark.length) } });
  return changed(await wire.send(), (body) => {
    if (typeof cursor === "string") Object.assign(body, { entities: [], nextCursor: mark + cursor });
    else if (body.nextCursor !== null) body.nextCursor = mark + String(body.nextCursor);
  });
};

/** Changes how many of something there are said to be. */
function counting(change: (name: string, count: number) => number): MakeTamper {
  return answering((body, { operationId, path: { repositoryId = "" } }) => {
    const field = operationId === "getRepository" ? "itemCount" : "totalCount";
    body[field] = change(`${field} ${repositoryId}`, Number(body[field]));
  });
}

/** Harmless differences in repositories and entities, and in what belongs to them. */
export const repositoryVariants: readonly Variant[] = [
  variant("entities/empty-pages", ["queryEntities"]).by(() => emptyPages),
  variant("repositories/page-of-25", ["listRepositories"]).defaultingQuery({ limit: "25" }),
  variant("entities/lagging-counts", ["getRepository", "listEntities"]).by(() => {
    const shown = new Map<string, number>();
    return counting((name, count) => {
      const before = shown.get(name) ?? count;
      shown.set(name, count);
      return before;
    })();
  }),
  variant("entities/counts-later", ["getRepository", "listEntities"]).by(() => {
    const late = new Delayed(500);
    return counting((name, count) => late.shown(name, count))();
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
  variant("repositories/short-pages", ["listRepositories"]).by(
    () => (wire) => wire.send({ query: { ...wire.query, limit: "7" } }),
  ),
  ...variantIn(["items", "repositories"], "whole-seconds", operationIds).by(
    rewriting({ text: (text) => (instant.test(text) ? text.replace(/\.\d+/, "") : text) }),
  ),
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
