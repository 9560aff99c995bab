import type { batchGaps } from "../../openapi/gaps/batches.js";
import { gaps } from "../../openapi/gaps/register.js";
import { limits } from "../../openapi/clauses/limits.js";
import {
  type BatchEntry,
  dataOf,
  type ItemCalls,
  type TransactionEntry,
  type TransactionError,
} from "../checks/items/item-calls.js";
import type { Answer } from "../client/client.js";
import type { ItemKey } from "../models/items-model.js";
import { eitherWay, fitting, largestAccepted, oneOf, refusalStatus, seen, steadily } from "./makers.js";
import { objectIn, objectsIn, type Shown } from "./objects-in.js";
import type { ObserversOf } from "./observer.js";
import { type ObserverContext, told } from "./observer-context.js";

const invalid = { intent: "invalid" } as const;

const falseCondition = { conditionExpression: "attribute_exists(pk)" };
const trueCondition = { conditionExpression: "attribute_not_exists(pk)" };

/** What a failed transaction says, whatever its status is. */
interface TransactionOutcome {
  readonly successCount: number;
  readonly errors: readonly TransactionError[] | null;
}

/** The errors of a transaction: what is answered with other statuses than 200 is held against no schema. */
function errorsIn(context: ObserverContext, errors: unknown): readonly Partial<TransactionError>[] {
  return objectsIn(context, errors, "the errors of a transaction");
}

/** What a transaction that had to fail answered. */
function failure(context: ObserverContext, answer: Answer): readonly Partial<TransactionError>[] {
  const { successCount, errors } = (answer.body ?? {}) as Partial<TransactionOutcome>;
  if (successCount !== 0 || !Array.isArray(errors) || errors.length === 0)
    return context.undecided(`a transaction that had to fail was answered with ${told(answer)}`);
  return errorsIn(context, errors);
}

/** Whether a transaction was applied, failed, or was refused as a request. */
function outcomeOf(
  context: ObserverContext,
  answer: Answer,
): "applied" | "refused" | readonly (string | undefined)[] {
  const { successCount, errors } = (answer.body ?? {}) as Partial<TransactionOutcome>;
  const isCounted = successCount !== undefined && successCount > 0;
  if (isCounted && Array.isArray(errors) && errors.length > 0)
    context.undecided(`a transaction counts ${successCount} successes beside errors`);
  if (answer.status === 200 && isCounted) return "applied";
  if (successCount === 0 && Array.isArray(errors) && errors.length > 0)
    // operations that are not at fault may be listed as well
    return errorsIn(context, errors)
      .map(({ errorType }) => errorType)
      .filter((errorType) => errorType !== "TransactionCanceled");
  return context.accepted(answer)
    ? context.undecided(`the transaction was answered with ${told(answer)}`)
    : "refused";
}

/** The outcome of a transaction that writes an item, which has to be there when it is said to be applied. */
async function shownOutcome(context: ObserverContext, answer: Answer, items: ItemCalls, written: ItemKey) {
  const outcome = outcomeOf(context, answer);
  if (outcome === "applied" && (await items.get(written, invalid)).status !== 200)
    context.undecided("a transaction that is said to be applied has not written its item");
  return outcome;
}

function transact(items: ItemCalls, entries: readonly TransactionEntry[], token?: string): Promise<Answer> {
  return items.transactWrite(entries, token, invalid);
}

/** A Put of an item into a partition of the run. */
function put(items: ItemCalls, data: object = {}, condition?: object): BatchEntry {
  return {
    operation: "Put",
    ...items.key(),
    data: data as BatchEntry["data"] & object,
    ...(condition === undefined ? {} : { condition: condition as Readonly<Record<string, unknown>> }),
  };
}

/** Items that are there, with keys whose order is not that in which they are given. */
async function unordered(context: ObserverContext) {
  const items = await context.items();
  const pk = items.partition();
  const keys = orders.request.map((sk) => ({ pk, sk }));
  await items.load(keys.map((key) => ({ ...key, data: { sk: key.sk } })));
  return { items, keys };
}

/** The one item of a transact get, which was put before. */
function itemIn(context: ObserverContext, answer: Answer): Shown {
  const { items } = context.succeeded(answer, "transactGetItems").body as { readonly items: unknown };
  const [entry] = objectsIn(context, items, "the items of a transact get");
  return objectIn(context, entry?.item, "an item that was put");
}

/** So many that none comes about by chance. */
const orders = {
  request: ["g", "c", "a", "h", "d", "f", "b", "e"],
  key: ["a", "b", "c", "d", "e", "f", "g", "h"],
};

function sortKeysOf(answer: Answer): unknown {
  return (answer.body.items as { readonly sk: string | null }[]).map(({ sk }) => sk);
}

/** An item over 400 KB, whatever a KB is. */
const tooLarge = { v: "x".repeat(420_000) };

/** Whether a body of so many bytes is taken as a transact get. */
async function fitsTransaction(context: ObserverContext, bytes: number): Promise<Answer> {
  const items = await context.items();
  const body = JSON.stringify({ items: [{ pk: items.partition() }] });
  // spaces between the tokens count as every byte of the request
  return context.provoke("transactGetItems", {
    path: { databaseId: items.databaseId },
    rawBody: `${body.slice(0, -1)}${" ".repeat(bytes - body.length)}}`,
  });
}

export const batchObservers = {
  "batch-too-large-status": refusalStatus(["database"], async (context) => {
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
  "empty-batch": eitherWay(["database"], { accepted: "accept", refused: "reject" }, async (context) => {
    const items = await context.items();
    const key = items.key();
    context.succeeded(await items.batchWrite([{ operation: "Put", ...key, data: {} }]), "batchWriteItems");
    context.succeeded(await items.batchGet([key]), "batchGetItems");
    context.succeeded(await items.transactGet([key]), "transactGetItems");
    return [
      await items.batchWrite([], invalid),
      await items.batchGet([], invalid),
      await items.transactGet([], undefined, invalid),
    ];
  }),
  "batch-conditions": seen(["database"], async (context) => {
    const items = await context.items();
    const [plain, conditional] = [put(items), put(items, {}, falseCondition)];
    // a batch may be refused for an entry that fails, which says nothing of conditions that hold
    const held = await items.batchWrite([put(items), put(items, {}, trueCondition)], invalid);
    const answer = await items.batchWrite([plain, conditional], invalid);
    if (context.accepted(held) !== context.accepted(answer))
      context.undecided("a batch is refused for one condition, and not for another");
    if (!context.accepted(answer)) return "reject";
    const isThere = (await items.get(conditional)).status === 200;
    return fitting(context, { evaluate: [1, 1, false], ignore: [2, 0, true] }, [
      answer.body.successCount,
      answer.body.failedCount,
      isThere,
    ]);
  }),
  "batch-all-failed-status": seen(
    ["database"],
    async (context) => {
      const items = await context.items();
      // what fails an entry is open as well: one of these does, where anything does
      const ways: readonly (() => BatchEntry)[] = [
        ...(context.answerTo("batch-conditions") === "evaluate"
          ? [() => put(items, {}, falseCondition)]
          : []),
        ...(context.answerTo("large-item-fails") === "entry" ? [() => put(items, tooLarge)] : []),
        ...(context.answerTo("delete-missing-in-batch") === "fails"
          ? [(): BatchEntry => ({ operation: "Delete", ...items.key() })]
          : []),
      ];
      const [way] = ways;
      if (way === undefined) return context.undecided("it is not known what fails an entry of a batch");
      const answer = await items.batchWrite([way(), way()], invalid);
      if (answer.body?.successCount !== 0 || answer.body.failedCount !== 2)
        context.undecided(`a batch whose entries had to fail was answered with ${told(answer)}`);
      return answer.status;
    },
    {
      after: ["large-item-fails", "delete-missing-in-batch"],
      hidden: [
        {
          by: "batch-conditions",
          when: (other, profile) =>
            other !== "evaluate" &&
            profile["large-item-fails"] === "request" &&
            profile["delete-missing-in-batch"] === "succeeds",
          because: "nothing that is known fails an entry of a batch",
        },
      ],
    },
  ),
  "delete-missing-in-batch": seen(["database"], async (context) => {
    const items = await context.items();
    const answer = await items.batchWrite([put(items), { operation: "Delete", ...items.key() }], invalid);
    context.succeeded(answer, "a batch with a Delete of a missing item");
    return fitting(context, { succeeds: [2, 0], fails: [1, 1] }, [
      answer.body.successCount,
      answer.body.failedCount,
    ]);
  }),
  "large-item-fails": seen(["database"], async (context) => {
    const items = await context.items();
    const batch = await items.batchWrite([put(items), put(items, tooLarge)], invalid);
    const transaction = await transact(items, [{ action: "Put", ...items.key(), data: tooLarge }]);
    return fitting(context, { entry: [[1, 1], ["ValidationError"]], request: ["refused", "refused"] }, [
      context.accepted(batch) ? [batch.body.successCount, batch.body.failedCount] : "refused",
      outcomeOf(context, transaction),
    ]);
  }),
  "nothing-to-list": oneOf(
    ["database"],
    { null: [null, null, null], "empty-array": [[], [], []] },
    async (context) => {
      const items = await context.items();
      const entry = put(items);
      const written = context.succeeded(await items.batchWrite([entry]), "batchWriteItems");
      const got = context.succeeded(await items.batchGet([entry]), "batchGetItems");
      const applied = context.succeeded(
        await items.transactWrite([{ action: "Put", ...items.key(), data: {} }]),
        "transactWriteItems",
      );
      return [written.body.errors, got.body.unprocessedKeys, applied.body.errors];
    },
  ),
  "batch-write-duplicate-key": eitherWay(
    ["database"],
    { accepted: "in-order", refused: "reject" },
    async (context) => {
      const items = await context.items();
      const key = items.key();
      const others = [items.key(), items.key()];
      context.succeeded(
        await items.batchWrite(others.map((other) => ({ operation: "Put", ...other, data: {} }))),
        "batchWriteItems",
      );
      const answer = await items.batchWrite(
        [1, 2].map((n) => ({ operation: "Put", ...key, data: { n } })),
        invalid,
      );
      if (!context.accepted(answer)) return answer;
      const data = dataOf(await items.get(key));
      if (answer.body.failedCount !== 0 || JSON.stringify(data) !== '{"n":2}')
        context.other(
          `${told(answer)}, and the item is ${JSON.stringify(data)}`,
          "both written, the second last",
        );
      return answer;
    },
  ),
  "batch-get-duplicate-key": seen(["database"], async (context) => {
    const items = await context.items();
    const entry = put(items);
    context.succeeded(await items.batchWrite([entry]), "batchWriteItems");
    const answer = await items.batchGet([entry, entry], invalid);
    if (!context.accepted(answer)) return "reject";
    return fitting(context, { once: 1, each: 2 }, answer.body.items.length);
  }),
  "batch-get-missing": seen(["database"], async (context) => {
    const items = await context.items();
    const missing = { pk: items.partition(), sk: "s" };
    const ask = async () => {
      const { body } = context.succeeded(await items.batchGet([missing]), "batchGetItems");
      return [body.items.length, (body.unprocessedKeys ?? []).length];
    };
    // a key that could not be processed for the moment is gone the second time
    return fitting(
      context,
      {
        "left-out": [
          [0, 0],
          [0, 0],
        ],
        unprocessed: [
          [0, 1],
          [0, 1],
        ],
      },
      [await ask(), await ask()],
    );
  }),
  "batch-get-order": seen(["database"], async (context) => {
    const { items, keys } = await unordered(context);
    const shown = await steadily(context, async () =>
      sortKeysOf(context.succeeded(await items.batchGet(keys), "batchGetItems")),
    );
    return fitting(context, orders, shown);
  }),
  "transact-get-order": seen(["database"], async (context) => {
    const { items, keys } = await unordered(context);
    const shown = await steadily(context, async () =>
      sortKeysOf(context.succeeded(await items.transactGet(keys), "transactGetItems")),
    );
    return fitting(context, orders, shown);
  }),
  "transact-get-duplicate-key": seen(["database"], async (context) => {
    const items = await context.items();
    const entry = put(items);
    context.succeeded(await items.batchWrite([entry]), "batchWriteItems");
    const answer = await items.transactGet([entry, entry], undefined, invalid);
    if (!context.accepted(answer)) return "reject";
    return fitting(context, { each: 2, once: 1 }, answer.body.items.length);
  }),
  "transact-get-item": seen(["database"], async (context) => {
    const items = await context.items();
    const entry = put(items, { only: "attribute" });
    context.succeeded(await items.batchWrite([entry]), "batchWriteItems");
    const item = itemIn(context, await items.transactGet([entry]));
    return fitting(
      context,
      { data: ["only"], record: ["createdAt", "data", "pk", "sk", "updatedAt"] },
      Object.keys(item).toSorted(),
    );
  }),
  "projection-absent-name": seen(
    ["database"],
    async (context) => {
      const items = await context.items();
      const entry = put(items, { there: 1, other: 2 });
      context.succeeded(await items.batchWrite([entry]), "batchWriteItems");
      const asked = [{ ...entry, projection: ["there", "none"] }];
      const item = itemIn(context, await items.transactGet(asked));
      const isRecord = context.answerTo("transact-get-item") === "record";
      const data = isRecord ? objectIn(context, item.data, "the data of an item") : item;
      return fitting(
        context,
        {
          "left-out": [["there", 1]],
          null: [
            ["none", null],
            ["there", 1],
          ],
        },
        Object.entries(data).toSorted(([a], [b]) => (a < b ? -1 : 1)),
      );
    },
    { after: ["transact-get-item"] },
  ),
  "transaction-failed-status": seen(["database"], async (context) => {
    const items = await context.items();
    const answer = await transact(items, [
      { action: "Put", ...items.key(), data: {} },
      { action: "Put", ...items.key(), data: {}, condition: falseCondition },
    ]);
    failure(context, answer);
    return answer.status;
  }),
  "size-unit": seen(["database"], async (context) => {
    // 400 KB are 400,000 or 409,600 bytes
    const items = await context.items();
    const fits = async (length: number) =>
      context.accepted(await items.put(items.key(), { v: "x".repeat(length) }, {}, invalid));
    const seenOf = [await fits(399_000), await fits(404_000), await fits(420_000)];
    return Number(fitting(context, { "1024": [true, true, false], "1000": [true, false, false] }, seenOf)) as
      1024 | 1000;
  }),
  "transaction-too-large-status": refusalStatus(["database"], async (context) => {
    context.succeeded(await fitsTransaction(context, 3_900_000), "a transaction of 3.9 MB");
    return fitsTransaction(context, 4_300_000);
  }),
  "transaction-errors": seen(["database"], async (context) => {
    const items = await context.items();
    const good: TransactionEntry = { action: "Put", ...items.key(), data: {} };
    const bad = (): TransactionEntry => ({
      action: "Put",
      ...items.key(),
      data: {},
      condition: falseCondition,
    });
    const errors = failure(context, await transact(items, [good, bad(), { ...good, ...items.key() }, bad()]));
    const [failed, canceled] = ["ConditionalCheckFailed", "TransactionCanceled"];
    return fitting(
      context,
      {
        "at-fault": [failed, failed],
        "first-at-fault": [failed],
        "every-operation": [canceled, failed, canceled, failed],
      },
      errors.map(({ errorType }) => errorType),
    );
  }),
  "item-index-base": seen(["database"], async (context) => {
    const items = await context.items();
    const [first, second, third] = [items.key(), items.key(), items.key()];
    const errors = failure(
      context,
      await transact(items, [
        { action: "Put", ...first, data: {} },
        { action: "Put", ...second, data: {}, condition: falseCondition },
        { action: "Put", ...third, data: {} },
      ]),
    );
    const ofSecond = errors.find(({ pk }) => pk === second.pk);
    return Number(fitting(context, { "0": 1, "1": 2 }, ofSecond?.itemIndex)) as 0 | 1;
  }),
  "condition-check-counts": oneOf(["database"], { counted: 2, "not-counted": 1 }, async (context) => {
    const items = await context.items();
    const condition = trueCondition;
    const answer = await items.transactWrite([
      { action: "ConditionCheck", ...items.key(), condition },
      { action: "Put", ...items.key(), data: {} },
    ]);
    return context.succeeded(answer, "transactWriteItems").body.successCount as unknown;
  }),
  "condition-check-without-condition": seen(["database"], async (context) => {
    const items = await context.items();
    const written = items.key();
    const answer = await transact(items, [
      { action: "ConditionCheck", ...items.key() },
      { action: "Put", ...written, data: {} },
    ]);
    const outcome = await shownOutcome(context, answer, items, written);
    return fitting(context, { reject: "refused", passes: "applied" }, outcome);
  }),
  "delete-missing-in-transaction": seen(["database"], async (context) => {
    const items = await context.items();
    const answer = await transact(items, [{ action: "Delete", ...items.key() }]);
    return fitting(
      context,
      {
        succeeds: "applied",
        ConditionalCheckFailed: ["ConditionalCheckFailed"],
        ValidationError: ["ValidationError"],
      },
      outcomeOf(context, answer),
    );
  }),
  "update-object-attribute": seen(["database"], async (context) => {
    const items = await context.items();
    const key = items.key();
    context.succeeded(await items.put(key, { o: { a: 1, deep: { x: 1 } } }), "putItem");
    const update: TransactionEntry = { action: "Update", ...key, data: { o: { b: 2, deep: { y: 2 } } } };
    context.succeeded(await items.transactWrite([update]), "transactWriteItems");
    const data = objectIn(context, dataOf(await items.get(key)), "the data of an item");
    const o = objectIn(context, data.o, "an attribute that is an object");
    return fitting(context, { replace: [undefined, 2, { y: 2 }], merge: [1, 2, { x: 1, y: 2 }] }, [
      o.a,
      o.b,
      o.deep,
    ]);
  }),
  "update-missing-item": seen(["database"], async (context) => {
    const items = await context.items();
    const key = items.key();
    const answer = await transact(items, [{ action: "Update", ...key, data: { a: 1 } }]);
    const isThere = (await items.get(key, invalid)).status === 200;
    return fitting(
      context,
      {
        ConditionalCheckFailed: [["ConditionalCheckFailed"], false],
        ValidationError: [["ValidationError"], false],
        create: ["applied", true],
      },
      [outcomeOf(context, answer), isThere],
    );
  }),
  "transaction-duplicate-key": seen(["database"], async (context) => {
    const items = await context.items();
    const key = items.key();
    const entry = (n: number): TransactionEntry => ({ action: "Put", ...key, data: { n } });
    const answer = await transact(items, [entry(1), entry(2)]);
    const outcome = await shownOutcome(context, answer, items, key);
    return fitting(context, { reject: ["ValidationError"], allow: "applied" }, outcome);
  }),
  "token-same-request": seen(
    ["database"],
    async (context) => {
      const items = await context.items();
      const key = items.key();
      const token = context.resources.name();
      const put1 = JSON.stringify({ action: "Put", pk: key.pk, data: { n: 1 } });
      const bodies = [
        `{"items":[${put1}],"clientRequestToken":"${token}"}`,
        `{ "clientRequestToken": "${token}", "items": [${put1}] }`,
      ] as const;
      context.succeeded(await items.transactWriteText(bodies[0]), "transactWriteItems");
      context.succeeded(await items.put(key, { n: 2 }), "putItem");
      const same = await items.transactWriteText(bodies[0]);
      context.succeeded(same, "the same transaction again");
      const isKept = async () => JSON.stringify(dataOf(await items.get(key))) === '{"n":2}';
      if (!(await isKept())) context.undecided("a transaction with a used token was executed again");
      // another body may be refused, or get the original result: a change that it asks for tells that from a repetition
      const alike = await items.transactWriteText(bodies[1], invalid);
      if (context.answerTo("token-reuse-other-body") !== "reject")
        context.undecided("any body with a used token gets the original result");
      return context.accepted(alike) ? "same-json" : "same-bytes";
    },
    {
      hidden: [
        {
          by: "token-reuse-other-body",
          when: (other) => other === "original-result",
          because: "any body with a used token gets the original result",
        },
      ],
    },
  ),
  "token-length-max": seen(["database"], async (context) => {
    const { minimum, maximum } = gaps["token-length-max"].range;
    const items = await context.items();
    const { name } = { name: context.resources.name() };
    let number = 0;
    return largestAccepted(context, { from: minimum, to: maximum + 1 }, async (length) => {
      const token = `${name}-${++number}-`.padEnd(length, "x");
      return context.accepted(await transact(items, [{ action: "Put", ...items.key(), data: {} }], token));
    });
  }),
  "failed-transaction-token": seen(["database"], async (context) => {
    const items = await context.items();
    const token = context.resources.name();
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
    failure(context, await send(written, token));
    context.succeeded(await items.put(checked, {}), "putItem");
    // the like of it under a new token, so that nothing but the used one can be what it fails for
    if (outcomeOf(context, await send(items.key(), context.resources.name())) !== "applied")
      context.undecided("the transaction fails under a new token as well");
    const again = outcomeOf(context, await send(written, token));
    const isDone = (await items.get(written, invalid)).status === 200;
    return fitting(
      context,
      {
        "original-result": [["ConditionalCheckFailed"], false],
        "executed-again": ["applied", true],
      },
      [again, isDone],
    );
  }),
  "token-reuse-other-body": seen(["database"], async (context) => {
    const items = await context.items();
    const token = context.resources.name();
    const [first, second] = [items.key(), items.key()];
    context.succeeded(
      await items.transactWrite([{ action: "Put", ...first, data: {} }], token),
      "transactWriteItems",
    );
    const answer = await transact(
      items,
      [
        { action: "Put", ...second, data: {} },
        { action: "Put", ...items.key(), data: {} },
      ],
      token,
    );
    if ((await items.get(second, invalid)).status !== 404)
      context.other("a transaction with a used token was executed", "a refusal, or the original result");
    return fitting(
      context,
      { reject: "refused", "original-result": 1 },
      context.accepted(answer) ? answer.body.successCount : "refused",
    );
  }),
} as const satisfies ObserversOf<typeof batchGaps>;
