import type { ClauseId } from "../../openapi/clauses/register.js";
import { limits } from "../../openapi/clauses/limits.js";
import { sleep } from "../client/rate-limiter.js";
import { getItemsPath, fetchItemData, sendInParts } from "./item-requests.js";
import {
  type AnyJson,
  type InterceptedResponse,
  type InterceptedRequest,
  type Interceptor,
  copyJson,
  omitFields,
  changeBody,
} from "./intercept.js";
import { type Mutant, createMutantBuilder } from "./mutant.js";
import {
  type InterceptorFactory,
  createSuccessResponse,
  replaceResponse,
  changeRequestItems,
  rejectAfterPartialWrite,
} from "./tampers.js";

const write = ["transactWriteItems"] as const;
const read = ["transactGetItems"] as const;

const applied = (count: number): InterceptedResponse =>
  createSuccessResponse({ successCount: count, errors: null });

/** Whether a transaction failed, whatever its status. */
const hasFailed = ({ body }: InterceptedResponse): boolean =>
  Array.isArray(body?.errors) && body.errors.length > 0;

const hasSucceeded = (answer: InterceptedResponse): boolean => answer.status === 200 && !hasFailed(answer);

/** Changes the bodies of failed transactions. */
function answeringFailures(change: (body: AnyJson, wire: InterceptedRequest) => void): InterceptorFactory {
  return replaceResponse(hasFailed, (wire, answer) => {
    const body = copyJson(answer.body);
    change(body, wire);
    return { ...answer, body };
  });
}

/** Omits operations, but counts them. */
function losing(isLost: (operation: AnyJson, index: number) => boolean): InterceptorFactory {
  return () => async (wire) => {
    const items: AnyJson[] = wire.body?.items ?? [];
    const kept = items.filter((operation, index) => !isLost(operation, index));
    if (kept.length === items.length) return wire.send();
    if (kept.length === 0) return applied(items.length);
    return changeBody(await wire.send({ body: { ...wire.body, items: kept } }), (body) => {
      if (body.successCount > 0) body.successCount = items.length;
    });
  };
}

/** Changes the operations with an action. */
function sendingEach(
  action: string,
  change: (operation: AnyJson, wire: InterceptedRequest) => AnyJson,
): InterceptorFactory {
  return changeRequestItems((operation, wire) =>
    operation?.action === action ? change(operation, wire) : operation,
  );
}

/** Applies operations one by one, each in a separate transaction. */
async function applyEach(wire: InterceptedRequest, operations: readonly AnyJson[]): Promise<void> {
  for (const operation of operations)
    await wire.ask("POST", getItemsPath(wire, "/transact/write"), { items: [operation] });
}

const countOf = ({ body }: InterceptedRequest): number => body?.items?.length ?? 0;

const bytesOf = ({ body }: InterceptedRequest): number => JSON.stringify(body ?? null).length;

/** Sends a transaction without its token. */
const anew: Interceptor = (wire) => wire.send({ body: omitFields(wire.body, "clientRequestToken") });

/** Calls a function with the token of each transaction that has one, and with the value stored for this token. */
function withToken<Kept>(
  act: (
    wire: InterceptedRequest,
    before: Kept | undefined,
    keep: (kept: Kept) => void,
  ) => Promise<InterceptedResponse>,
): InterceptorFactory {
  return () => {
    const known = new Map<string, Kept>();
    return async (wire) => {
      const token: unknown = wire.body?.clientRequestToken;
      return typeof token === "string"
        ? act(wire, known.get(token), (kept) => known.set(token, kept))
        : wire.send();
    };
  };
}

const isWrite = ({ action }: AnyJson): boolean => action !== "ConditionCheck";

const isKnownAction = ({ action }: AnyJson): boolean => /^(?:Put|Update|Delete|ConditionCheck)$/.test(action);

const mutant = createMutantBuilder({ answeringFailures, losing, sendingEach });

/** Faults in transact get and transact write. */
export const transactionMutants: readonly Mutant[] = [
  mutant("transactions/unknown-action-puts", "TX-20", write).changeRequestItems((operation) =>
    typeof operation?.action === "string" && !isKnownAction(operation)
      ? { ...operation, action: "Put" }
      : operation,
  ),
  mutant("transactions/get-leaves-out-missing", "TX-01", read).replaceField("items", (entries) =>
    entries.filter(({ itemExists }: AnyJson) => itemExists),
  ),
  mutant("transactions/missing-item-is-empty-object", "TX-01", read).replaceField(
    "items.*.item",
    (item) => item ?? {},
  ),
  mutant("transactions/projection-drops-null", "TX-02", read).changeResponseBody((body, wire) => {
    for (const [index, { item }] of body.items.entries())
      for (const name of wire.body.items[index].projectionExpression ?? [])
        if (item?.[name] === null) Reflect.deleteProperty(item, name);
  }),
  mutant("sequences/get-reads-partitions-one-after-the-other", "TX-03", read).replaceResponse(
    ({ status }, { body }) => status === 200 && new Set(body.items.map(({ pk }: AnyJson) => pk)).size > 1,
    async (wire, first) => {
      await sleep(3);
      const later = await wire.send();
      const { pk } = wire.body.items[0];
      return changeBody(first, (body) => {
        body.items = body.items.map((item: AnyJson, index: number) =>
          item.pk === pk ? item : (later.body?.items?.[index] ?? item),
        );
      });
    },
  ),
  mutant("limits/transact-get-max-99", "TX-04", read).rejectRequests(400, (wire) => countOf(wire) === 100),
  mutant("limits/transact-get-max-101", "TX-05", read).answerRequest(
    (wire) => countOf(wire) === 101,
    (wire) => sendInParts(wire, 100),
  ),
  mutant("transactions/deletes-not-counted", "TX-06", write).changeResponseBody((body, wire) => {
    if (body.successCount > 0)
      body.successCount -= wire.body.items.filter(({ action }: AnyJson) => action === "Delete").length;
  }),
  mutant("transactions/put-merges", "TX-07", write).sendingEach("Put", async (operation, wire) => {
    const before =
      typeof operation.pk === "string" ? await fetchItemData(wire, operation.pk, operation.sk) : undefined;
    return before === undefined ? operation : { ...operation, data: { ...before, ...operation.data } };
  }),
  mutant("transactions/delete-lost", "TX-07", write).losing(
    ({ action, conditionExpression }, index) =>
      action === "Delete" && index > 0 && conditionExpression === undefined,
  ),
  ...(
    [
      ["Delete", "TX-07"],
      ["Update", "TX-08"],
    ] as const
  ).map(([meant, clause]) =>
    mutant(`transactions/${meant.toLowerCase()}-of-whole-partition`, clause, write).runAfterResponse(
      hasSucceeded,
      async (wire) => {
        const [{ pk, sk, action, data }] = wire.body.items;
        if (sk !== undefined || action !== meant) return;
        const found = await wire.ask("POST", getItemsPath(wire, "/query"), { partitionKey: pk });
        const others = found.body.items.filter((item: AnyJson) => item.sk !== null);
        await applyEach(
          wire,
          others.map((item: AnyJson) => ({ action, pk, sk: item.sk, data })),
        );
      },
    ),
  ),
  mutant("transactions/update-replaces", "TX-08", write).sendingEach("Update", (operation) => ({
    ...operation,
    action: "Put",
  })),
  mutant("transactions/check-of-missing-passes", "TX-09", write).losing(
    ({ action, conditionExpression }) =>
      action === "ConditionCheck" && conditionExpression === "attribute_exists(pk)",
  ),
  mutant("transactions/check-writes-back", "TX-09", write).runAfterResponse(hasSucceeded, async (wire) => {
    for (const { action, pk, sk } of wire.body.items) {
      const data = action === "ConditionCheck" ? await fetchItemData(wire, pk, sk) : undefined;
      if (data !== undefined) await wire.ask("PUT", getItemsPath(wire), { pk, sk, data });
    }
  }),
  mutant("transactions/delete-condition-ignored", "TX-12", write).sendingEach("Delete", (operation) =>
    omitFields(operation, "conditionExpression"),
  ),
  mutant("transactions/failure-applies-the-others", "TX-10", write).runAfterResponse(hasFailed, (wire) =>
    applyEach(wire, wire.body.items),
  ),
  ...(
    [
      ["item-index-from-two", "TX-11", (error) => (error.itemIndex = Number(error.itemIndex) + 2)],
      ["false-condition-is-validation-error", "TX-12", (error) => (error.errorType = "ValidationError")],
    ] satisfies [string, ClauseId, (error: AnyJson) => void][]
  ).map(([name, clause, change]) =>
    mutant(`transactions/${name}`, clause, write).answeringFailures((body) => body.errors.forEach(change)),
  ),
  mutant("transactions/read-token-ignored", "TX-14", read).by(() => anew),
  mutant("transactions/token-of-36-characters", "TX-14", write).changeRequestBody((body) => ({
    ...body,
    clientRequestToken: body.clientRequestToken?.slice(0, 36),
  })),
  mutant("concurrency/token-known-after-transaction", "TX-14", write).by(
    withToken<InterceptedResponse>(async (wire, before, keep) => {
      if (before !== undefined) return before;
      const answer = await anew(wire);
      await sleep(2);
      keep(answer);
      return answer;
    }),
  ),
  mutant("time/repetition-renews-token", "TX-15", write).by(
    withToken<{ readonly answer: InterceptedResponse; readonly isRepeated: boolean }>(
      async (wire, before, keep) => {
        // the second repetition falls into the window of the first
        if (before?.isRepeated === true) return before.answer;
        const answer = await wire.send();
        keep({ answer, isRepeated: before !== undefined });
        return answer;
      },
    ),
  ),
  mutant("limits/transact-write-max-24", "TX-16", write).rejectRequests(400, (wire) => countOf(wire) === 25),
  mutant("limits/transact-write-max-26", "TX-17", write).answerRequest(
    (wire) => countOf(wire) === 26,
    (wire) => sendInParts(wire, 25),
  ),
  mutant("limits/condition-checks-not-counted", "TX-17", write).answerRequest(
    (wire) => countOf(wire) > 25 && wire.body.items.filter(isWrite).length <= 25,
    (wire) => sendInParts(wire, 25),
  ),
  mutant("limits/too-many-operations-refused-but-begun", "TX-17", write).by(rejectAfterPartialWrite(25)),
  mutant("limits/transactions-of-5-mb-accepted", "TX-18", write).answerRequest(
    (wire) => bytesOf(wire) > limits.transactionRequestBytes,
    (wire) => sendInParts(wire, 6),
  ),
  mutant("limits/updates-have-no-size", "TX-18", write).answerRequest(
    (wire) => bytesOf(wire) > limits.transactionRequestBytes && wire.body.items[0].action === "Update",
    (wire) => sendInParts(wire, 6),
  ),
  mutant("limits/transactions-of-3-mb-refused", "TX-18", write).rejectRequests(
    413,
    (wire) => bytesOf(wire) > 3 * 1024 * 1024,
  ),
  mutant("limits/transaction-skips-large-item", "TX-19", write).changeRequestBody((body) => {
    const matching = body.items?.filter(
      ({ data }: AnyJson) => JSON.stringify(data ?? null).length < limits.itemBytes,
    );
    return matching?.length > 0 ? { ...body, items: matching } : undefined;
  }),
  mutant("sequences/half-a-transaction", "TX-10", write).answerRequest(
    (wire) => countOf(wire) === 3,
    async (wire) => {
      const first = await wire.send({ body: { ...wire.body, items: wire.body.items.slice(0, -1) } });
      return first.body?.successCount > 0 ? applied(countOf(wire)) : first;
    },
  ),
];
