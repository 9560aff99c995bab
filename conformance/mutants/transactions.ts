import { limits } from "../../openapi/clauses/limits.js";
import { sleep } from "../client/rate-limiter.js";
import { getItemsPath, fetchItemData, sendInParts } from "./item-requests.js";
import {
  type AnyJson,
  type InterceptedResponse,
  type InterceptedRequest,
  type Interceptor,
  omitFields,
  changeBody,
} from "./intercept.js";
import { type Mutant, createMutantBuilder } from "./mutant.js";
import {
  type InterceptorFactory,
  createSuccessResponse,
  changeRequestItems,
  rejectAfterPartialWrite,
} from "./tampers.js";

const write = ["transactWriteItems"] as const;
const read = ["transactGetItems"] as const;

const createAppliedResponse = (count: number): InterceptedResponse =>
  createSuccessResponse({ successCount: count, errors: null });

/** Whether a transaction failed, whatever its status. */
const hasFailed = ({ body }: InterceptedResponse): boolean =>
  Array.isArray(body?.errors) && body.errors.length > 0;

const hasSucceeded = (response: InterceptedResponse): boolean =>
  response.status === 200 && !hasFailed(response);

/** Drops operations, but counts them. */
function dropOperations(isDropped: (operation: AnyJson, index: number) => boolean): InterceptorFactory {
  return () => async (wire) => {
    const items: AnyJson[] = wire.body?.items ?? [];
    const kept = items.filter((operation, index) => !isDropped(operation, index));
    if (kept.length === items.length) return wire.send();
    if (kept.length === 0) return createAppliedResponse(items.length);
    return changeBody(await wire.send({ body: { ...wire.body, items: kept } }), (body) => {
      if (body.successCount > 0) body.successCount = items.length;
    });
  };
}

/** Changes the operations with an action. */
function changeOperations(
  action: string,
  change: (operation: AnyJson, wire: InterceptedRequest) => AnyJson,
): InterceptorFactory {
  return changeRequestItems((operation, wire) =>
    operation?.action === action ? change(operation, wire) : operation,
  );
}

const countOf = ({ body }: InterceptedRequest): number => body?.items?.length ?? 0;

const bytesOf = ({ body }: InterceptedRequest): number => JSON.stringify(body ?? null).length;

const sendWithoutToken: Interceptor = (wire) =>
  wire.send({ body: omitFields(wire.body, "clientRequestToken") });

const isWrite = ({ action }: AnyJson): boolean => action !== "ConditionCheck";

const isKnownAction = ({ action }: AnyJson): boolean => /^(?:Put|Update|Delete|ConditionCheck)$/.test(action);

const mutant = createMutantBuilder({ dropOperations, changeOperations });

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
  mutant("transactions/get-with-token-refused", "TX-01", read).rejectRequests(
    400,
    ({ body }) => body?.clientRequestToken !== undefined,
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

  mutant("transactions/deletes-not-counted", "TX-06", write).changeResponseBody((body, wire) => {
    if (body.successCount > 0)
      body.successCount -= wire.body.items.filter(({ action }: AnyJson) => action === "Delete").length;
  }),
  mutant("transactions/delete-lost", "TX-07", write).dropOperations(
    ({ action, conditionExpression }, index) =>
      action === "Delete" && index > 0 && conditionExpression === undefined,
  ),
  mutant("transactions/update-replaces", "TX-08", write).changeOperations("Update", (operation) => ({
    ...operation,
    action: "Put",
  })),
  mutant("transactions/check-of-missing-passes", "TX-09", write).dropOperations(
    ({ action, conditionExpression }) =>
      action === "ConditionCheck" && conditionExpression === "attribute_exists(pk)",
  ),
  mutant("transactions/check-writes-back", "TX-09", write).runAfterResponse(hasSucceeded, async (wire) => {
    for (const { action, pk, sk } of wire.body.items) {
      const data = action === "ConditionCheck" ? await fetchItemData(wire, pk, sk) : undefined;
      if (data !== undefined) await wire.ask("PUT", getItemsPath(wire), { pk, sk, data });
    }
  }),
  mutant("transactions/delete-condition-ignored", "TX-12", write).changeOperations("Delete", (operation) =>
    omitFields(operation, "conditionExpression"),
  ),
  mutant("transactions/failure-applies-the-others", "TX-10", write).runAfterResponse(
    hasFailed,
    async (wire) => {
      for (const operation of wire.body.items)
        await wire.ask("POST", getItemsPath(wire, "/transact/write"), { items: [operation] });
    },
  ),
  mutant("transactions/item-index-from-two", "TX-11", write).replaceField(
    "errors.*.itemIndex",
    (index) => Number(index) + 2,
  ),
  mutant("transactions/false-condition-is-validation-error", "TX-12", write).replaceField(
    "errors.*.errorType",
    "ValidationError",
  ),
  mutant("transactions/read-token-ignored", "TX-14", read).by(() => sendWithoutToken),
  mutant("transactions/token-of-36-characters", "TX-14", write).changeRequestBody((body) => ({
    ...body,
    clientRequestToken: body.clientRequestToken?.slice(0, 36),
  })),
  mutant("concurrency/token-known-after-transaction", "TX-14", write).by(() => {
    const responses = new Map<unknown, InterceptedResponse>();
    return async (wire) => {
      const token: unknown = wire.body?.clientRequestToken;
      if (token === undefined) return wire.send();
      if (!responses.has(token)) {
        const response = await sendWithoutToken(wire);
        await sleep(2);
        responses.set(token, response);
      }
      return responses.get(token) ?? wire.send();
    };
  }),
  mutant("time/repetition-renews-token", "TX-15", write).by(() => {
    const responses = new Map<unknown, readonly InterceptedResponse[]>();
    return async (wire) => {
      const token: unknown = wire.body?.clientRequestToken;
      if (token === undefined) return wire.send();
      const [first, second] = responses.get(token) ?? [];
      // The second repetition falls into the window of the first.
      const response = second ?? (await wire.send());
      responses.set(token, first === undefined ? [response] : [first, response]);
      return response;
    };
  }),

  mutant("limits/condition-checks-not-counted", "TX-17", write).answerRequest(
    (wire) => countOf(wire) > 25 && wire.body.items.filter(isWrite).length <= 25,
    (wire) => sendInParts(wire, 25),
  ),
  mutant("limits/too-many-operations-refused-but-begun", "TX-17", write).by(rejectAfterPartialWrite(25)),
  mutant("limits/transactions-of-5-mb-accepted", "TX-18", write).answerRequest(
    (wire) => bytesOf(wire) > limits.transactionRequestBytes,
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
      return first.body?.successCount > 0 ? createAppliedResponse(countOf(wire)) : first;
    },
  ),
];
