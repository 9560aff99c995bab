import type { batchGaps } from "../../openapi/gaps/batches.js";
import { limits } from "../../openapi/clauses/limits.js";
import {
  type BatchEntry,
  type Data,
  getItemData,
  type ItemCondition,
  type ItemClient,
  type TransactionEntry,
  type TransactionError,
} from "../steps/items/item-client.js";
import type { ApiResponse } from "../client/client.js";
import { quoteResponse } from "../client/quote-response.js";
import type { ItemKey } from "../models/item-key.js";
import {
  findMatchingAnswer,
  requireObject,
  requireObjectArray,
  createChoiceObserver,
  createRefusalStatusObserver,
  createObserver,
  type JsonFields,
} from "./create-observers.js";
import type { GapObservers } from "./observer.js";
import type { ObserverContext } from "./observer-context.js";

const mayBeRefused = { intent: "may-be-refused" } as const;

const falseCondition = { conditionExpression: "attribute_exists(pk)" };
const trueCondition = { conditionExpression: "attribute_not_exists(pk)" };

/** The body of a failed transaction, with any status. */
interface TransactionOutcome {
  readonly successCount: number;
  readonly errors: readonly TransactionError[] | null;
}

/** Returns the errors of a transaction that must fail; responses with a status other than 200 are not validated. */
function requireFailure(
  context: ObserverContext,
  response: ApiResponse,
): readonly Partial<TransactionError>[] {
  const { successCount, errors } = (response.body ?? {}) as Partial<TransactionOutcome>;
  if (successCount !== 0 || !Array.isArray(errors) || errors.length === 0)
    return context.undecided(`a transaction that should have failed returned ${quoteResponse(response)}`);
  return requireObjectArray(context, errors, "the errors of a transaction");
}

/** Returns whether a transaction was applied or was refused as a request, or the types of its errors. */
function getOutcome(
  context: ObserverContext,
  response: ApiResponse,
): "applied" | "refused" | readonly (string | undefined)[] {
  const { successCount, errors } = (response.body ?? {}) as Partial<TransactionOutcome>;
  const isCounted = successCount !== undefined && successCount > 0;
  if (isCounted && Array.isArray(errors) && errors.length > 0)
    context.undecided(`a transaction with errors has a successCount of ${successCount}`);
  if (response.status === 200 && isCounted) return "applied";
  if (successCount === 0 && Array.isArray(errors) && errors.length > 0)
    // Operations that are not at fault may also be listed.
    return requireObjectArray(context, errors, "the errors of a transaction")
      .map(({ errorType }: Partial<TransactionError>) => errorType)
      .filter((errorType) => errorType !== "TransactionCanceled");
  return context.isAccepted(response)
    ? context.undecided(`the transaction returned ${quoteResponse(response)}`)
    : "refused";
}

function transact(items: ItemClient, entries: readonly TransactionEntry[]): Promise<ApiResponse> {
  return items.transactWrite(entries, undefined, mayBeRefused);
}

function put(items: ItemClient, data: Data = {}, condition?: ItemCondition): BatchEntry {
  return { operation: "Put", ...items.key(), data, ...(condition && { condition }) };
}

/** Returns the only item of a transact get, which was put before. */
async function getOnlyItem(context: ObserverContext, response: Promise<ApiResponse>): Promise<JsonFields> {
  const { items } = (await context.requireSuccess(response)).body as { readonly items: unknown };
  const [entry] = requireObjectArray(context, items, "the items of a transactional get");
  return requireObject(context, entry?.item, "an item that was put");
}

export const batchObservers = {
  "batch-too-large-status": createRefusalStatusObserver(["database"], async (context) => {
    const items = await context.items();
    const keys = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ pk: items.partition(), sk: String(index) }));
    return [
      await items.batchWrite(
        keys(limits.batchWriteItems + 1).map((key) => ({ operation: "Put", ...key, data: {} })),
        mayBeRefused,
      ),
      await items.batchGet(keys(limits.batchGetKeys + 1), mayBeRefused),
      await items.transactGet(keys(limits.transactGetItems + 1), undefined, mayBeRefused),
    ];
  }),
  "batch-conditions": createObserver(["database"], async (context) => {
    const items = await context.items();
    const [plain, conditional] = [put(items), put(items, {}, falseCondition)];
    // A deployment may refuse batches with a failing entry, or all batches with conditions; true conditions tell them apart.
    const held = await items.batchWriteAll([put(items), put(items, {}, trueCondition)], mayBeRefused);
    const { first, last } = await items.batchWriteAll([plain, conditional], mayBeRefused);
    if (context.isAccepted(held.first) !== context.isAccepted(first))
      context.undecided("a batch is refused or accepted depending on whether its condition is true");
    if (!context.isAccepted(first)) return "reject";
    const isThere = async (key: ItemKey) => (await items.get(key, mayBeRefused)).status === 200;
    const answers = {
      evaluate: [0, 1, true, false],
      ignore: [0, 0, true, true],
      "fail-entry": [1, 1, true, false],
    };
    return findMatchingAnswer(context, answers, [
      // A batch without a successful entry may be refused as a whole.
      held.last.body?.failedCount ?? 1,
      last.body?.failedCount ?? 1,
      await isThere(plain),
      await isThere(conditional),
    ]);
  }),
  "duplicate-keys": createChoiceObserver(
    ["database"],
    { reject: [false, false, false, false], allow: [true, true, true, true] },
    async (context) => {
      const items = await context.items();
      const [one, two] = [items.key(), items.key()];
      const puts = [1, 2].map((n) => ({ operation: "Put", ...one, data: { n } }) as const);
      await context.requireSuccess(items.put(one, { n: 1 }));
      const written = await items.batchWrite(puts, mayBeRefused);
      const data = JSON.stringify(getItemData(await items.get(one)));
      if (data !== (context.isAccepted(written) ? '{"n":2}' : '{"n":1}'))
        context.other(
          `${quoteResponse(written)}, and the item is ${data}`,
          "both entries are applied in order, or neither is applied",
        );
      const transaction = await transact(
        items,
        [1, 2].map((n): TransactionEntry => ({ action: "Put", ...two, data: { n } })),
      );
      const isApplied = getOutcome(context, transaction) === "applied";
      if (isApplied && (await items.get(two, mayBeRefused)).status !== 200)
        context.undecided("a transaction that was reported as applied did not write its item");
      return [
        context.isAccepted(written),
        context.isAccepted(await items.batchGet([one, one], mayBeRefused)),
        context.isAccepted(await items.transactGet([one, one], undefined, mayBeRefused)),
        isApplied,
      ];
    },
  ),
  "transact-get-item": createChoiceObserver(
    ["database"],
    { data: ["only"], record: ["createdAt", "data", "pk", "sk", "updatedAt"] },
    async (context) => {
      const items = await context.items();
      const entry = put(items, { only: "attribute" });
      await context.requireSuccess((await items.batchWriteAll([entry])).last);
      const item = await getOnlyItem(context, items.transactGet([entry]));
      return Object.keys(item).toSorted();
    },
  ),
  "transaction-failed-status": createObserver(["database"], async (context) => {
    const items = await context.items();
    const response = await transact(items, [
      { action: "Put", ...items.key(), data: {} },
      { action: "Put", ...items.key(), data: {}, condition: falseCondition },
    ]);
    requireFailure(context, response);
    return response.status;
  }),
  "update-object-attribute": createChoiceObserver(
    ["database"],
    { replace: [undefined, 2, { y: 2 }], merge: [1, 2, { x: 1, y: 2 }] },
    async (context) => {
      const items = await context.items();
      const key = items.key();
      await context.requireSuccess(items.put(key, { o: { a: 1, deep: { x: 1 } } }));
      const update: TransactionEntry = { action: "Update", ...key, data: { o: { b: 2, deep: { y: 2 } } } };
      await context.requireSuccess(items.transactWrite([update]));
      const data = requireObject(context, getItemData(await items.get(key)), "the data of an item");
      const o = requireObject(context, data.o, "the attribute that was put as an object");
      return [o.a, o.b, o.deep];
    },
  ),
  "update-missing-item": createChoiceObserver(
    ["database"],
    {
      ConditionalCheckFailed: [["ConditionalCheckFailed"], false],
      ValidationError: [["ValidationError"], false],
      create: ["applied", true],
    },
    async (context) => {
      const items = await context.items();
      const key = items.key();
      const response = await transact(items, [{ action: "Update", ...key, data: { a: 1 } }]);
      const isThere = (await items.get(key, mayBeRefused)).status === 200;
      return [getOutcome(context, response), isThere];
    },
  ),
} as const satisfies GapObservers<typeof batchGaps>;
