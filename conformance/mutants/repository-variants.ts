import { type Json, type Tamper, changed } from "./intercept.js";
import { type Variant, variant } from "./mutant.js";

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

/** Harmless differences in repositories and entities, and in what belongs to them. */
export const repositoryVariants: readonly Variant[] = [
  variant("entities/empty-pages", ["queryEntities"]).by(() => emptyPages),
  variant("session/no-permissions", ["login"]).answering((body) => {
    if (body.authResponse) Object.assign(body.authResponse, { permissions: [], roles: [] });
  }),
  variant("repositories/short-pages", ["listRepositories"]).by(
    () => (wire) => wire.send({ query: { ...wire.query, limit: "7" } }),
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
