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
import type { ItemKey } from "../models/item-key.js";
import {
  createAcceptanceObserver,
  findMatchingAnswer,
  requireObject,
  requireObjectArray,
  createChoiceObserver,
  createRefusalStatusObserver,
  createObserver,
  type JsonFields,
} from "./create-observers.js";
import type { GapObservers } from "./observer.js";
import { type ObserverContext, formatAnswer } from "./observer-context.js";

const invalid = { intent: "invalid" } as const;

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
    return context.undecided(`a transaction that should have failed returned ${formatAnswer(response)}`);
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
    ? context.undecided(`the transaction returned ${formatAnswer(response)}`)
    : "refused";
}

function transact(
  items: ItemClient,
  entries: readonly TransactionEntry[],
  token?: string,
): Promise<ApiResponse> {
  return items.transactWrite(entries, token, invalid);
}

function put(items: ItemClient, data: Data = {}, condition?: ItemCondition): BatchEntry {
  return { operation: "Put", ...items.key(), data, ...(condition && { condition }) };
}

/** Returns the only item of a transact get, which was put before. */
async function itemIn(context: ObserverContext, response: Promise<ApiResponse>): Promise<JsonFields> {
  const { items } = (await context.ok(response)).body as { readonly items: unknown };
  const [entry] = requireObjectArray(context, items, "the items of a transactional get");
  return requireObject(context, entry?.item, "an item that was put");
}

/** Whether a false condition fails its entry of a batch write, by an answer to gap `batch-conditions`. */
function failsEntries(answer: unknown): boolean {
  return answer === "evaluate" || answer === "fail-entry";
}

/** An item over 400 KB, with 1000 or 1024 bytes per KB. */
const tooLarge = { v: "x".repeat(420_000) };

export const batchObservers = {
  "batch-too-large-status": createRefusalStatusObserver(["database"], async (context) => {
    const items = await context.items();
    const keys = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ pk: items.partition(), sk: String(index) }));
    return [
      await items.batchWrite(
        keys(limits.batchWriteItems + 1).map((key) => ({ operation: "Put", ...key, data: {} })),
        invalid,
      ),
      await items.batchGet(keys(limits.batchGetKeys + 1), invalid),
      await items.transactGet(keys(limits.transactGetItems + 1), undefined, invalid),
    ];
  }),
  "empty-batch": createAcceptanceObserver(["database"], ["accept", "reject"], async (context) => {
    const items = await context.items();
    const key = items.key();
    await context.ok(items.batchWrite([{ operation: "Put", ...key, data: {} }]));
    await context.ok(items.batchGet([key]));
    await context.ok(items.transactGet([key]));
    return [
      await items.batchWrite([], invalid),
      await items.batchGet([], invalid),
      await items.transactGet([], undefined, invalid),
    ];
  }),
  "batch-conditions": createObserver(["database"], async (context) => {
    const items = await context.items();
    const [plain, conditional] = [put(items), put(items, {}, falseCondition)];
    // A deployment may refuse batches with a failing entry, or all batches with conditions; true conditions tell them apart.
    const held = await items.batchWriteAll([put(items), put(items, {}, trueCondition)], invalid);
    const { first, last } = await items.batchWriteAll([plain, conditional], invalid);
    if (context.isAccepted(held.first) !== context.isAccepted(first))
      context.undecided("whether a batch is refused depends on its condition");
    if (!context.isAccepted(first)) return "reject";
    const isThere = async (key: ItemKey) => (await items.get(key, invalid)).status === 200;
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
  "batch-all-failed-status": createObserver(
    {
      needs: ["database"],
      after: ["large-item-in-batch"],
      hidden: [
        {
          by: "batch-conditions",
          when: (other, profile) =>
            !failsEntries(other) && profile["large-item-in-batch"] === "fails-request",
          because: "no known condition makes a batch entry fail",
        },
      ],
    },
    async (context) => {
      const items = await context.items();
      // The specification also leaves open what makes an entry fail; these are the known ways.
      const ways: readonly (() => BatchEntry)[] = [
        ...(failsEntries(context.answerTo("batch-conditions")) ? [() => put(items, {}, falseCondition)] : []),
        ...(context.answerTo("large-item-in-batch") === "fails-entry" ? [() => put(items, tooLarge)] : []),
      ];
      const [way] = ways;
      if (way === undefined)
        return context.undecided("the suite does not know what makes a batch entry fail on this deployment");
      const response = await items.batchWrite([way(), way()], invalid);
      if (response.body?.successCount !== 0 || response.body.failedCount !== 2)
        context.undecided(`a batch whose entries should have failed returned ${formatAnswer(response)}`);
      return response.status;
    },
  ),
  "large-item-in-batch": createChoiceObserver(
    ["database"],
    { "fails-entry": [[true, 1], ["ValidationError"]], "fails-request": ["refused", "refused"] },
    async (context) => {
      const items = await context.items();
      const plain = put(items);
      const { first, last } = await items.batchWriteAll([plain, put(items, tooLarge)], invalid);
      const isThere = (await items.get(plain, invalid)).status === 200;
      const transaction = await transact(items, [{ action: "Put", ...items.key(), data: tooLarge }]);
      return [
        context.isAccepted(first) ? [isThere, last.body?.failedCount ?? 1] : "refused",
        getOutcome(context, transaction),
      ];
    },
  ),
  "empty-list-members": createChoiceObserver(
    ["database"],
    { "as-null": [null, null, null], "as-empty-array": [[], [], []] },
    async (context) => {
      const items = await context.items();
      const entry = put(items);
      const { last } = await items.batchWriteAll([entry]);
      const written = await context.ok(last);
      const got = await context.ok(items.batchGetAll([entry]));
      const applied = await context.ok(items.transactWrite([{ action: "Put", ...items.key(), data: {} }]));
      return [written.body.errors, got.body.unprocessedKeys, applied.body.errors];
    },
  ),
  "duplicate-keys": createChoiceObserver(
    ["database"],
    { reject: [false, false, false, false], allow: [true, true, true, true] },
    async (context) => {
      const items = await context.items();
      const [one, two] = [items.key(), items.key()];
      const puts = [1, 2].map((n) => ({ operation: "Put", ...one, data: { n } }) as const);
      await context.ok(items.put(one, { n: 1 }));
      const written = await items.batchWrite(puts, invalid);
      const data = JSON.stringify(getItemData(await items.get(one)));
      if (data !== (context.isAccepted(written) ? '{"n":2}' : '{"n":1}'))
        context.other(
          `${formatAnswer(written)}, and the item is ${data}`,
          "both entries are applied in order, or neither is applied",
        );
      const transaction = await transact(
        items,
        [1, 2].map((n): TransactionEntry => ({ action: "Put", ...two, data: { n } })),
      );
      const isApplied = getOutcome(context, transaction) === "applied";
      if (isApplied && (await items.get(two, invalid)).status !== 200)
        context.undecided("a transaction that was reported as applied did not write its item");
      return [
        context.isAccepted(written),
        context.isAccepted(await items.batchGet([one, one], invalid)),
        context.isAccepted(await items.transactGet([one, one], undefined, invalid)),
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
      await context.ok((await items.batchWriteAll([entry])).last);
      const item = await itemIn(context, items.transactGet([entry]));
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
  "size-unit": createObserver(["database"], async (context) => {
    // 400 KB are 400,000 or 409,600 bytes.
    const items = await context.items();
    const fits = async (length: number) =>
      context.isAccepted(await items.put(items.key(), { v: "x".repeat(length) }, {}, invalid));
    const observed = [await fits(399_000), await fits(404_000), await fits(420_000)];
    return Number(
      findMatchingAnswer(context, { "1024": [true, true, false], "1000": [true, false, false] }, observed),
    ) as 1024 | 1000;
  }),
  "transaction-errors": createObserver(["database"], async (context) => {
    const items = await context.items();
    const good: TransactionEntry = { action: "Put", ...items.key(), data: {} };
    const bad = (): TransactionEntry => ({
      action: "Put",
      ...items.key(),
      data: {},
      condition: falseCondition,
    });
    const errors = requireFailure(
      context,
      await transact(items, [good, bad(), { ...good, ...items.key() }, bad()]),
    );
    const [failed, canceled] = ["ConditionalCheckFailed", "TransactionCanceled"];
    return findMatchingAnswer(
      context,
      {
        "at-fault": [failed, failed],
        "first-at-fault": [failed],
        "every-operation": [canceled, failed, canceled, failed],
      },
      errors.map(({ errorType }) => errorType),
    );
  }),
  "update-object-attribute": createChoiceObserver(
    ["database"],
    { replace: [undefined, 2, { y: 2 }], merge: [1, 2, { x: 1, y: 2 }] },
    async (context) => {
      const items = await context.items();
      const key = items.key();
      await context.ok(items.put(key, { o: { a: 1, deep: { x: 1 } } }));
      const update: TransactionEntry = { action: "Update", ...key, data: { o: { b: 2, deep: { y: 2 } } } };
      await context.ok(items.transactWrite([update]));
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
      const isThere = (await items.get(key, invalid)).status === 200;
      return [getOutcome(context, response), isThere];
    },
  ),
  "failed-transaction-token": createChoiceObserver(
    ["database"],
    {
      "original-result": [["ConditionalCheckFailed"], false],
      "executed-again": ["applied", true],
    },
    async (context) => {
      const items = await context.items();
      const token = await items.token();
      const [checked, written] = [items.key(), items.key()];
      const send = (key: ItemKey, name: string) =>
        transact(
          items,
          [
            { action: "Put", ...key, data: {} },
            { action: "ConditionCheck", ...checked, condition: falseCondition },
          ],
          name,
        );
      requireFailure(context, await send(written, token));
      await context.ok(items.put(checked, {}));
      // The same transaction with a new token must succeed, so that only the used token can be the reason for a failure.
      if (getOutcome(context, await send(items.key(), await items.token())) !== "applied")
        context.undecided("the transaction fails even if it is sent with a new token");
      const again = getOutcome(context, await send(written, token));
      const isDone = (await items.get(written, invalid)).status === 200;
      return [again, isDone];
    },
  ),
  "token-reuse-other-body": createChoiceObserver(
    ["database"],
    { reject: "refused", "original-result": 1 },
    async (context) => {
      const items = await context.items();
      const token = await items.token();
      const [first, second] = [items.key(), items.key()];
      await context.ok(items.transactWrite([{ action: "Put", ...first, data: {} }], token));
      const response = await transact(
        items,
        [
          { action: "Put", ...second, data: {} },
          { action: "Put", ...items.key(), data: {} },
        ],
        token,
      );
      if ((await items.get(second, invalid)).status !== 404)
        context.other("a transaction with a used token was executed", "a rejection, or the original result");
      return context.isAccepted(response) ? response.body.successCount : "refused";
    },
  ),
} as const satisfies GapObservers<typeof batchGaps>;
