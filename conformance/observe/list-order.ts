import type { Answer } from "../client/client.js";
import { fitting, seen, steadily } from "./makers.js";
import type { ObserverContext } from "./observer-context.js";

/** Ends of names, in the order in which things of these names are made; each order ends with another one. */
const ofRepositories = ["d", "a", "f", "b", "e", "c"];
const ofDatabases = ["b", "c", "a"];

/** Nobody has a list of more pages than that. */
const mostPages = 1000;

/** What the two lists are called, and where they are. */
interface Listed {
  readonly operationId: "listDatabases" | "listRepositories";
  readonly member: "databases" | "repositories";
  readonly id: "databaseId" | "repositoryId";
  readonly path: Readonly<Record<string, string>>;
  /** How many entries a page is to have, where the specification gives the list a limit. */
  readonly limit?: number;
}

/** The ends of the names of what was made, in the order in which the pages of a list show it. */
async function shown(
  context: ObserverContext,
  { operationId, member, id, path, limit }: Listed,
  made: ReadonlyMap<string, string>,
): Promise<readonly string[]> {
  const ends: string[] = [];
  const cursors = new Set<unknown>();
  const bounds: Readonly<Record<string, number>> = limit === undefined ? {} : { limit };
  for (let query: Readonly<Record<string, string | number>> = bounds; ;) {
    const { body } = await context.must(operationId, { path, query });
    for (const entry of body[member] as readonly Record<string, string>[]) {
      const end = made.get(entry[id] ?? "");
      if (end !== undefined) ends.push(end);
    }
    const cursor: unknown = body.nextCursor;
    if (typeof cursor !== "string" || ends.length >= made.size) return ends;
    if (cursors.has(cursor) || cursors.size === mostPages)
      context.undecided("the pages of a list do not end");
    cursors.add(cursor);
    query = { ...bounds, cursor };
  }
}

/** Looks at a list several times, and names its order; other entries may stand between those that were made. */
async function orderOf(context: ObserverContext, listed: Listed, made: ReadonlyMap<string, string>) {
  const ends = [...made.values()];
  const found = await steadily(context, () => shown(context, listed, made));
  if (JSON.stringify(found.toSorted()) !== JSON.stringify(ends.toSorted()))
    context.undecided("a list does not show each of its entries once");
  const orders = { "oldest-first": ends, "newest-first": ends.toReversed(), "by-name": ends.toSorted() };
  return fitting(context, orders, found);
}

/** Makes things one after the other; nothing where one of them is refused, as by a ceiling. */
async function made(
  context: ObserverContext,
  ends: readonly string[],
  make: (name: string) => Promise<Answer>,
  id: Listed["id"],
): Promise<ReadonlyMap<string, string> | undefined> {
  const name = context.resources.name();
  const ids = new Map<string, string>();
  for (const end of ends) {
    const answer = await make(`${name}-${end}`);
    if (!context.accepted(answer)) return undefined;
    ids.set(answer.body[id] as string, end);
    await context.pause();
  }
  return ids;
}

/** The order of repositories, and of databases where there is room for some. */
export const listOrder = seen(["database", "repositories"], async (context) => {
  const databaseId = await context.database();
  const repositories = await made(
    context,
    ofRepositories,
    (name) =>
      context.resources.make({ kind: "repository", name, parent: databaseId }, "repositoryId", () =>
        context.provoke("createRepository", { path: { databaseId }, body: { name, entityName: "Thing" } }),
      ),
    "repositoryId",
  );
  if (repositories === undefined) return context.undecided("there is no room for some repositories");
  const order = await orderOf(
    context,
    { operationId: "listRepositories", member: "repositories", id: "repositoryId", path: { databaseId } },
    repositories,
  );
  if (!context.check.offers("create-databases")) return order;
  const databases = await made(context, ofDatabases, (name) => context.tryDatabase({ name }), "databaseId");
  if (databases === undefined) return order;
  const ofOthers = await orderOf(
    context,
    // page by page: who compares each of them as a collection sees another order too
    { operationId: "listDatabases", member: "databases", id: "databaseId", path: {}, limit: 1 },
    databases,
  );
  return ofOthers === order
    ? order
    : context.other(`databases: ${ofOthers}, repositories: ${order}`, "one order for both lists");
});
