import type { Page } from "../checks/items/item-calls.js";
import { fitting, oneOf, seen } from "./makers.js";
import { type ObserverContext, told } from "./observer-context.js";

/** Items a, b and c in each of two partitions, of which a filter lets all through, and another all of them as well. */
async function partitions(context: ObserverContext): Promise<readonly [string, string]> {
  const items = await context.items();
  const both = [items.partition(), items.partition()] as const;
  const all = both.flatMap((pk) => ["a", "b", "c"].map((sk) => ({ pk, sk, data: { v: 1, w: 1 } })));
  await items.load(all);
  return both;
}

/** The sort keys on a page, or that it is refused. */
async function shown(context: ObserverContext, body: object): Promise<string> {
  const items = await context.items();
  const answer = await items.query(body, { intent: "invalid" });
  if (!context.accepted(answer)) return "refused";
  return (answer.body as Page).items.map(({ sk }) => sk).join("");
}

/** The cursor of a first page that shows the item a alone. */
async function cursorOf(context: ObserverContext, body: object): Promise<string> {
  const items = await context.items();
  const answer = context.succeeded(await items.query({ ...body, limit: 1 }), "queryItems");
  const { items: found, nextCursor } = answer.body as Page;
  if (found.length !== 1 || found[0]?.sk !== "a" || nextCursor === null)
    return context.undecided(`the first of three pages is ${told(answer)}`);
  return nextCursor;
}

export const cursorOfOtherQuery = seen(["database"], async (context) => {
  const [pk, other] = await partitions(context);
  const filtered = { partitionKey: pk, filterExpression: { v: 1 } };
  const ofFiltered = await cursorOf(context, filtered);
  const ofWhole = await cursorOf(context, { partitionKey: pk });
  if ((await shown(context, { ...filtered, cursor: ofFiltered })) !== "bc")
    context.undecided("a cursor does not lead to the next page");
  return fitting(
    context,
    { refused: ["refused", "refused"], "filter-taken": ["bc", "refused"], taken: ["bc", "bc"] },
    [
      await shown(context, { ...filtered, filterExpression: { w: 1 }, cursor: ofFiltered }),
      await shown(context, { partitionKey: other, cursor: ofWhole }),
    ],
  );
});

/** What becomes of a text for a cursor, in the body and in the query. */
function textForCursor(cursor: string) {
  return oneOf(
    ["database"],
    { refused: ["refused", "refused"], "first-page": ["abc", "taken"] },
    async (context) => {
      const [partitionKey] = await partitions(context);
      await context.must("listDatabases");
      const list = await context.provoke("listDatabases", { query: { cursor } });
      return [await shown(context, { partitionKey, cursor }), context.accepted(list) ? "taken" : "refused"];
    },
  );
}

export const unknownCursor = textForCursor("cursor-of-no-page");
export const emptyCursor = textForCursor("");
