import { limits } from "../../openapi/clauses/limits.js";
import { sleep } from "../client/time-source.js";
import {
  cacheGetsDespiteDelete,
  fetchItemData,
  getItemsPath,
  sendInParts,
  touchItems,
} from "./item-requests.js";
import {
  type AnyJson,
  type InterceptedResponse,
  type InterceptedRequest,
  type Interceptor,
  omitFields,
  changeBody,
  createSuccessResponse,
} from "./intercept.js";
import { changesOfTexts } from "./items.js";
import { type Mutant, mutant } from "./mutant.js";

const write = ["transactWriteItems"] as const;
const read = ["transactGetItems"] as const;

const escapeHtml = changesOfTexts["escapes-html"];

/** Whether a transaction failed, whatever its status. */
const hasFailed = ({ body }: InterceptedResponse): boolean => body?.errors?.length > 0;

const countItems = ({ body }: InterceptedRequest): number => body?.items?.length ?? 0;

const countBodyCharacters = ({ body }: InterceptedRequest): number => JSON.stringify(body ?? null).length;

const sendWithoutToken: Interceptor = (request) =>
  request.send({ body: omitFields(request.body, "clientRequestToken") });

const isCheck = (operation: AnyJson): boolean => operation?.action === "ConditionCheck";

/** A condition that is true. */
const check = {
  action: "ConditionCheck",
  pk: "no-such-item",
  conditionExpression: "attribute_not_exists(pk)",
};

/** Faults in transact get and transact write. */
export const transactionMutants: readonly Mutant[] = [
  mutant("transactions/unknown-action-puts", "TX-20", write).rewriteText(
    "items.*.action",
    /^(?!(?:Put|Update|Delete|ConditionCheck)$).*$/s,
    "Put",
  ),
  mutant("transactions/projection-in-lower-case", "TX-02", read).replaceRequestField(
    "items.*.projectionExpression.*",
    (name: string) => name.toLowerCase(),
  ),
  mutant("transactions/update-in-lower-case", "TX-08", write).replaceRequestField("items.*", (operation) =>
    operation?.action === "Update" && typeof operation.data === "object"
      ? {
          ...operation,
          data: Object.fromEntries(
            Object.entries(operation.data as object).map(([name, value]) => [name.toLowerCase(), value]),
          ),
        }
      : operation,
  ),
  mutant("concurrency/batch-lost-beside-another", "BATCH-02", ["batchWriteItems"]).respondBesideOther(
    ({ body }) => (body?.items?.length === 1 ? body.items[0]?.pk : undefined),
    () => createSuccessResponse({ successCount: 1, failedCount: 0, errors: null }),
  ),
  mutant("concurrency/update-reads-then-puts", "TX-08", write).by(async (request) => {
    const [update, ...others]: AnyJson[] = request.body?.items ?? [];
    if (others.length > 0 || update?.action !== "Update" || update.conditionExpression !== undefined)
      return request.send();
    const before = await fetchItemData(request, update.pk as string, update.sk as string);
    if (before === undefined) return request.send();
    await sleep(3);
    const put = { ...update, action: "Put", data: { ...before, ...update.data } };
    return request.send({ body: { ...request.body, items: [put] } });
  }),
  ...(["Put", "Update"] as const).map((action) =>
    mutant(
      `transactions/${action}-escapes-html`,
      action === "Put" ? "TX-07" : "TX-08",
      write,
    ).replaceRequestField("items.*", (entry) =>
      entry?.action === action ? { ...entry, data: escapeHtml(entry.data) } : entry,
    ),
  ),
  mutant("transactions/get-leaves-out-missing", "TX-01", read).replaceField("items", (entries) =>
    entries.filter(({ itemExists }: AnyJson) => itemExists),
  ),
  mutant("transactions/get-drops-items-beyond-a-megabyte", "TX-01", read).changeResponseBody((body) => {
    let size = 0;
    for (const entry of body.items) {
      size += JSON.stringify(entry).length;
      if (size > 1e6) Object.assign(entry, { item: null, itemExists: false });
    }
  }),
  mutant("transactions/projection-of-status-refused", "TX-02", read).rejectRequests(({ body }) =>
    JSON.stringify(body?.items ?? null).includes('"status"'),
  ),
  mutant("transactions/get-with-token-refused", "TX-01", read).rejectRequests(
    ({ body }) => body?.clientRequestToken !== undefined,
  ),
  mutant("transactions/projection-drops-null", "TX-02", read).changeResponseBody((body, request) => {
    for (const [index, { item }] of body.items.entries())
      for (const name of request.body.items[index].projectionExpression ?? [])
        if (item?.[name] === null) Reflect.deleteProperty(item, name);
  }),
  mutant("sequences/get-reads-partitions-one-after-the-other", "TX-03", read).replaceResponse(
    200,
    async (request, first) => {
      const [{ pk }] = request.body.items;
      if (request.body.items.every((item: AnyJson) => item.pk === pk)) return first;
      await sleep(3);
      const later = await request.send();
      return changeBody(first, (body) => {
        for (const [index, item] of body.items.entries())
          if (item.pk !== pk) body.items[index] = later.body?.items?.[index] ?? item;
      });
    },
  ),
  mutant("transactions/deletes-not-counted", "TX-06", write).replaceField("successCount", (count, { body }) =>
    Math.min(count, body.items.filter(({ action }: AnyJson) => action !== "Delete").length),
  ),
  mutant("transactions/delete-lost", "TX-07", write).replaceRequestField("items.*", (operation) =>
    operation?.action === "Delete" && operation.conditionExpression === undefined ? check : operation,
  ),
  mutant("transactions/gets-cached-despite-delete", "TX-07", /^(?:get|put|delete|\w+Write)Item/).by(
    cacheGetsDespiteDelete("transactWriteItems"),
  ),
  mutant("transactions/update-replaces", "TX-08", write).rewriteText("items.*.action", /^Update$/, "Put"),
  mutant("transactions/check-of-missing-passes", "TX-09", write).replaceRequestField(
    "items.*",
    (operation) =>
      isCheck(operation) && operation.conditionExpression === "attribute_exists(pk)" ? check : operation,
  ),
  mutant("transactions/check-writes-back", "TX-09", write).runAfterResponse(
    (response) => response.status === 200 && !hasFailed(response),
    (request) => touchItems(request, request.body.items.filter(isCheck)),
  ),
  mutant("transactions/delete-condition-ignored", "TX-12", write).replaceRequestField(
    "items.*",
    (operation) =>
      operation?.action === "Delete" ? omitFields(operation, "conditionExpression") : operation,
  ),
  mutant("transactions/failure-applies-the-others", "TX-10", write).runAfterResponse(
    hasFailed,
    async (request) => {
      for (const operation of request.body.items)
        await request.ask("POST", getItemsPath(request, "/transact/write"), { items: [operation] });
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
  mutant("transactions/read-token-ignored", "TX-14", read).by(sendWithoutToken),
  mutant("transactions/token-of-36-characters", "TX-14", write).rewriteText(
    "clientRequestToken",
    /^(.{36}).*$/s,
    "$1",
  ),
  mutant("transactions/token-case-ignored", "TX-14", write).rewriteText(
    "clientRequestToken",
    /.*/s,
    (token) => token.toLowerCase(),
  ),
  mutant("concurrency/token-known-after-transaction", "TX-14", write).by(async (request) => {
    const token: unknown = request.body?.clientRequestToken;
    if (token === undefined || request.memory.get(token) !== undefined)
      return request.memory.get(token) ?? request.send();
    const response = await sendWithoutToken(request);
    await sleep(2);
    return request.memory.set(token, response);
  }),
  mutant("time/repetition-renews-token", "TX-15", write).by(async (request) => {
    const token: unknown = request.body?.clientRequestToken;
    if (token === undefined) return request.send();
    // The second repetition falls into the window of the first.
    const times = request.memory.add(["times", token]);
    return times > 2 ? request.memory.get(token) : request.memory.set(token, await request.send());
  }),
  mutant("limits/condition-checks-not-counted", "TX-17", write).respondToRequest(
    (request) =>
      countItems(request) > 25 && countItems(request) - request.body.items.filter(isCheck).length <= 25,
    (request) => sendInParts(request, 25),
  ),
  mutant("limits/too-many-operations-refused-but-begun", "TX-17", write).rejectAfterPartialWrite(25),
  mutant("limits/transactions-of-5-mb-accepted", "TX-18", write).respondToRequest(
    (request) => countBodyCharacters(request) > limits.transactionRequestBytes,
    (request) => sendInParts(request, 6),
  ),
  mutant("limits/transaction-size-in-characters", "TX-18", write).respondToRequest(
    (request) =>
      countBodyCharacters(request) <= limits.transactionRequestBytes &&
      Buffer.byteLength(JSON.stringify(request.body ?? null)) > limits.transactionRequestBytes,
    (request) => sendInParts(request, 6),
  ),
  mutant("limits/transactions-of-3-mb-refused", "TX-18", write).rejectRequests(
    (request) => countBodyCharacters(request) > 3 * 1024 * 1024,
  ),
  mutant("limits/transaction-skips-large-item", "TX-19", write).replaceRequestField("items", (items) => {
    const fitting = items?.filter(
      ({ data }: AnyJson) => JSON.stringify(data ?? null).length < limits.itemBytes,
    );
    return fitting?.length > 0 ? fitting : items;
  }),
  mutant("sequences/half-a-transaction", "TX-10", write).replaceRequestField("items", (items) =>
    items?.length === 3 ? [...items.slice(0, 2), check] : items,
  ),
];
