import { limits } from "../../openapi/clauses/limits.js";
import { sleep } from "../client/pace.js";
import { type Json, type WireAnswer, copyOf, changed } from "./intercept.js";
import { type Variant, variant, variantIn } from "./mutant.js";
import { refusal } from "./tampers.js";

const singles = ["putItem", "getItem", "getItemWithSortKey", "deleteItem", "deleteItemWithSortKey"] as const;
const lists = ["queryItems", "scanItems"] as const;
const batches = ["batchWriteItems", "batchGetItems"] as const;
const transactions = ["transactGetItems", "transactWriteItems"] as const;

/** Harmless differences in items, batches and transactions that a conforming deployment may show. */
export const itemVariants: readonly Variant[] = [
  variant("items/empty-first-page", lists).by(() => async (wire) => {
    const { cursor, ...rest } = wire.body ?? {};
    if (cursor === "start") return wire.send({ body: rest });
    const answer = await wire.send();
    if (cursor !== undefined || answer.status !== 200 || answer.body.items.length === 0) return answer;
    return changed(answer, (body) => Object.assign(body, { items: [], count: 0, nextCursor: "start" }));
  }),
  variant("items/no-sk-last", ["queryItems"]).answering((body, wire) => {
    if (wire.body?.cursor !== undefined || body.nextCursor !== null) return;
    const isBare = ({ sk }: Json) => sk === null;
    body.items = [...body.items.filter((item: Json) => !isBare(item)), ...body.items.filter(isBare)];
  }),
  variant("items/lenient-condition", ["queryItems"]).sending(({ sortKeyCondition: text, ...rest }) =>
    typeof text === "string"
      ? { ...rest, sortKeyCondition: text.replace(/^(<=|>=|=|<|>)(?=[^:=<>])/, "$1:") }
      : undefined,
  ),
  variant("items/scanned-nothing", lists).answering((body) => {
    if (body.nextCursor === null) body.scannedCount = 0;
  }),
  variant("items/spelled-operators", ["putItem"]).refusing(400, (wire) =>
    / (=|<|<=|>) :/.test(String(wire.body?.conditionExpression)),
  ),
  // compares texts without case, and texts and numbers by their value
  variant("items/filter-loose", lists).by(() => async (wire) => {
    const { filterExpression, ...rest } = wire.body ?? {};
    if (filterExpression === undefined) return wire.send();
    const isMatch = (value: unknown, wanted: unknown) =>
      String(value).toLowerCase() === String(wanted).toLowerCase() || Number(value) === Number(wanted);
    return changed(await wire.send({ body: rest }), (body) => {
      body.items = body.items.filter(({ data }: Json) =>
        Object.entries(filterExpression).every(([field, wanted]) => isMatch(data[field], wanted)),
      );
      body.count = body.items.length;
    });
  }),
  ...variantIn(
    ["limits", "batches"],
    "connections-closed-on-large-bodies",
    ["putItem", "batchWriteItems", "transactWriteItems"],
    { profile: { "large-item-in-batch": "fails-request" } },
  ).onAnswer(
    ({ status }) => status === 413,
    () => Promise.reject(new TypeError("fetch failed")),
  ),
  variant("batches/half-unprocessed", ["batchGetItems"]).by(() => async (wire) => {
    const { keys } = wire.body ?? {};
    if (!Array.isArray(keys) || keys.length < 2 || keys.length > limits.batchGetKeys) return wire.send();
    const half = Math.ceil(keys.length / 2);
    return changed(await wire.send({ body: { keys: keys.slice(0, half) } }), (body) => {
      body.unprocessedKeys = keys.slice(half).map(({ pk, sk = null }: Json) => ({ pk, sk }));
    });
  }),
  variant("batches/other-order", ["batchGetItems"]).answering((body) => body.items.reverse()),
  variant("transactions/first-fault-and-canceled", ["transactWriteItems"]).by(
    () => async (wire) =>
      ofFailure(await wire.send(), (body) => {
        const [first] = body.errors;
        body.errors = wire.body.items.map(({ pk, sk = null }: Json, itemIndex: number) =>
          itemIndex === first?.itemIndex
            ? first
            : { itemIndex, pk, sk, error: "", errorType: "TransactionCanceled" },
        );
      }),
  ),
  variant("transactions/projected-record-at-top", ["transactGetItems"]).answering((body, wire) => {
    for (const [index, { pk, sk, item }] of body.items.entries()) {
      if (item === null) continue;
      const isProjected = wire.body.items[index].projectionExpression !== undefined;
      const time = "2030-01-01T00:00:00Z";
      body.items[index].item = isProjected
        ? { pk, sk, ...item }
        : { pk, sk, data: item, createdAt: time, updatedAt: time };
    }
  }),
  variant("transactions/strict-projections", ["transactGetItems"]).by(() => (wire) => {
    const isOdd = (names: readonly string[] = []) =>
      new Set(names).size < names.length || names.some((name) => name.includes("."));
    return Promise.resolve(
      wire.body?.items?.some(({ projectionExpression }: Json) => isOdd(projectionExpression)) === true
        ? refusal(400)
        : wire.send(),
    );
  }),
  variant("concurrency/token-in-progress", ["transactWriteItems"]).by(() => {
    const running = new Set<string>();
    return async (wire) => {
      const token = wire.body?.clientRequestToken;
      if (token === undefined) return wire.send();
      if (running.has(token)) return refusal(409);
      running.add(token);
      await sleep(1);
      const answer = await wire.send();
      running.delete(token);
      return answer;
    };
  }),
  ...variantIn(["concurrency", "sequences"], "gets-lag-under-writes", [
    ...singles,
    ...batches,
    ...transactions,
  ]).by(() => {
    let writing = 0;
    const answered = new Map<string, WireAnswer>();
    return async (wire) => {
      if (!wire.operationId.startsWith("getItem")) {
        writing++;
        return wire.send().finally(() => writing--);
      }
      const name = JSON.stringify(wire.path);
      const before = answered.get(name);
      if (writing > 0 && before !== undefined) return before;
      const answer = await wire.send();
      answered.set(name, answer);
      return answer;
    };
  }),
];

/** Changes the body of a failed transaction. */
function ofFailure(answer: WireAnswer, change: (body: Json) => void): WireAnswer {
  if (!Array.isArray(answer.body?.errors)) return answer;
  const body = copyOf(answer.body);
  change(body);
  return { ...answer, body };
}
