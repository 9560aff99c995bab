import { limits } from "../../openapi/clauses/limits.js";
import { sleep } from "../client/pace.js";
import { changed, copyOf, type Json, type Wire, type WireAnswer, without } from "./intercept.js";
import { itemPath, itemsPath } from "./items.js";
import { mutant } from "./mutant.js";
import { refusal, refusedButBegun } from "./refusal.js";

const write = ["transactWriteItems"] as const;
const read = ["transactGetItems"] as const;
const headers: WireAnswer["headers"] = { "content-type": "application/json" };

function applied(count: number): WireAnswer {
  return { status: 200, headers, body: { successCount: count, errors: null } };
}

/** Whether a transaction failed, whatever its status. */
function failed({ body }: WireAnswer): boolean {
  return Array.isArray(body?.errors) && body.errors.length > 0;
}

/** Passes a transaction on with other operations. */
function withOperations(change: (operation: Json, wire: Wire) => Json) {
  return () => async (wire: Wire) => {
    if (!Array.isArray(wire.body?.items)) return wire.send();
    const items: Json[] = [];
    for (const operation of wire.body.items) items.push(await change(operation, wire));
    return wire.send({ body: { ...wire.body, items } });
  };
}

/** Applies operations one by one, each as a transaction of its own. */
async function oneByOne(wire: Wire, operations: readonly Json[]): Promise<void> {
  for (const operation of operations)
    await wire.ask("POST", itemsPath(wire, "/transact/write"), { items: [operation] });
}

/** A transact get or write of more items than may be, in two requests. */
async function inHalves(wire: Wire, size: number, pauseMs = 0): Promise<WireAnswer> {
  const { items } = wire.body;
  const first = await wire.send({
    body: { ...wire.body, items: items.slice(0, size), clientRequestToken: undefined },
  });
  await sleep(pauseMs);
  const second = await wire.send({
    body: { ...wire.body, items: items.slice(size), clientRequestToken: undefined },
  });
  if (first.status !== 200 || second.status !== 200) return second;
  return changed(second, (body) => {
    if (body.items !== undefined) body.items = [...first.body.items, ...body.items];
    else body.successCount = Number(body.successCount) + Number(first.body.successCount);
  });
}

/** Sends on without the token. */
function anew(wire: Wire): Promise<WireAnswer> {
  return wire.send({ body: without(wire.body, "clientRequestToken") });
}

/** Faults of transact get and transact write. */
export const transactionMutants = [
  mutant(
    "transactions/unknown-action-puts",
    "TX-20",
    "An unknown action is taken for Put",
    write,
    withOperations((operation) =>
      typeof operation?.action === "string" &&
      !/^(?:Put|Update|Delete|ConditionCheck)$/.test(operation.action)
        ? { ...operation, action: "Put" }
        : operation,
    ),
  ),
  mutant(
    "transactions/unknown-action-skipped",
    "TX-20",
    "Operations of an unknown action are left out, and the others applied",
    write,
    () => (wire) =>
      wire.send({
        body: {
          ...wire.body,
          items: wire.body?.items?.filter(({ action }: Json) =>
            /^(?:Put|Update|Delete|ConditionCheck)$/.test(action),
          ),
        },
      }),
  ),
  mutant(
    "transactions/get-mixed-up",
    "TX-01",
    "The keys of two entries of a transact get are exchanged",
    read,
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        const [first, second] = body.items;
        if (second === undefined) return;
        [first.pk, second.pk] = [second.pk, first.pk];
        [first.sk, second.sk] = [second.sk, first.sk];
      }),
  ),
  mutant(
    "transactions/get-leaves-out-missing",
    "TX-01",
    "Transact get leaves out missing items",
    read,
    () => async (wire) =>
      changed(
        await wire.send(),
        (body) => (body.items = body.items.filter(({ itemExists }: Json) => itemExists)),
      ),
  ),
  mutant(
    "transactions/missing-is-empty",
    "TX-01",
    "The item of a missing key is an empty object",
    read,
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        for (const entry of body.items) entry.item ??= {};
      }),
  ),
  mutant(
    "transactions/projection-ignored",
    "TX-02",
    "projectionExpression is ignored",
    read,
    () => (wire) =>
      wire.send({
        body: {
          ...wire.body,
          items: wire.body?.items?.map((key: Json) => without(key, "projectionExpression")),
        },
      }),
  ),
  mutant(
    "transactions/projection-drops-null",
    "TX-02",
    "A projection leaves out attributes that are null",
    read,
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        for (const [index, { item }] of body.items.entries())
          for (const name of wire.body.items[index].projectionExpression ?? [])
            if (item?.[name] === null) Reflect.deleteProperty(item, name);
      }),
  ),
  mutant(
    "transactions/projection-of-prefixes",
    "TX-02",
    "A projection answers attributes whose names begin with a name as well",
    read,
    () => async (wire) => {
      const entries: Json[] = wire.body?.items ?? [];
      const whole = await wire.send({
        body: { ...wire.body, items: entries.map((entry) => without(entry, "projectionExpression")) },
      });
      const answer = await wire.send();
      if (answer.status !== 200 || whole.status !== 200) return answer;
      return changed(whole, (body) => {
        for (const [index, entry] of body.items.entries()) {
          const names: string[] | undefined = entries[index]?.projectionExpression;
          if (names === undefined || entry.item === null) continue;
          entry.item = Object.fromEntries(
            Object.entries(entry.item).filter(([name]) => names.some((begin) => name.startsWith(begin))),
          );
        }
      });
    },
  ),
  mutant(
    "transactions/projection-of-all",
    "TX-02",
    "The first projection counts for all entries",
    read,
    () => (wire) => {
      const projectionExpression = wire.body?.items?.find(
        (entry: Json) => entry.projectionExpression !== undefined,
      )?.projectionExpression;
      if (projectionExpression === undefined) return wire.send();
      return wire.send({
        body: {
          ...wire.body,
          items: wire.body.items.map((entry: Json) => ({ ...entry, projectionExpression })),
        },
      });
    },
  ),
  mutant(
    "concurrency/torn-read",
    "TX-03",
    "Transact get reads the first item a moment before the others",
    read,
    () => (wire) => (wire.body?.items?.length > 1 ? inHalves(wire, 1, 3) : wire.send()),
  ),
  mutant(
    "limits/transact-get-99",
    "TX-04",
    "A transact get takes 99 items",
    read,
    () => (wire) => Promise.resolve(wire.body?.items?.length === 100 ? refusal(400) : wire.send()),
  ),
  mutant(
    "limits/transact-get-101",
    "TX-05",
    "A transact get takes 101 items",
    read,
    () => (wire) => (wire.body?.items?.length === 101 ? inHalves(wire, 100) : wire.send()),
  ),
  mutant(
    "transactions/deletes-not-counted",
    "TX-06",
    "successCount leaves out Deletes",
    write,
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        if (body.successCount > 0)
          body.successCount -= wire.body.items.filter(({ action }: Json) => action === "Delete").length;
      }),
  ),
  mutant(
    "transactions/errors-of-success",
    "TX-06",
    "errors lists the first operation though the transaction succeeded",
    write,
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        const [{ pk, sk = null }] = wire.body.items;
        body.errors ??= [{ itemIndex: 0, pk, sk, error: "nothing", errorType: "TransactionCanceled" }];
      }),
  ),
  mutant(
    "transactions/put-merges",
    "TX-07",
    "Put leaves attributes of the item before",
    write,
    withOperations(async (operation, wire) => {
      if (operation?.action !== "Put" || typeof operation.pk !== "string") return operation;
      const { status, body } = await wire.ask("GET", itemPath(wire, operation.pk, operation.sk));
      return status === 200 ? { ...operation, data: { ...body.data, ...operation.data } } : operation;
    }),
  ),
  mutant(
    "transactions/delete-lost",
    "TX-07",
    "A Delete after the first operation is counted and not done",
    write,
    () => async (wire) => {
      const items: Json[] = wire.body?.items ?? [];
      const kept = items.filter(
        ({ action, conditionExpression }, index) =>
          action !== "Delete" || index === 0 || conditionExpression !== undefined,
      );
      if (kept.length === items.length) return wire.send();
      return changed(await wire.send({ body: { ...wire.body, items: kept } }), (body) => {
        if (body.successCount > 0) body.successCount = items.length;
      });
    },
  ),
  mutant(
    "transactions/update-replaces",
    "TX-08",
    "Update replaces the whole item",
    write,
    withOperations((operation) =>
      operation?.action === "Update" ? { ...operation, action: "Put" } : operation,
    ),
  ),
  mutant(
    "transactions/update-drops-null",
    "TX-08",
    "Update removes attributes that it sets to null",
    write,
    withOperations(async (operation, wire) => {
      if (operation?.action !== "Update") return operation;
      const { body } = await wire.ask("GET", itemPath(wire, operation.pk, operation.sk));
      const data = { ...body?.data, ...operation.data };
      const nulls = Object.keys(operation.data).filter((name) => operation.data[name] === null);
      return body?.data === undefined
        ? operation
        : { ...operation, action: "Put", data: without(data, ...nulls) };
    }),
  ),
  mutant(
    "transactions/check-passes",
    "TX-09",
    "A ConditionCheck for a missing item passes",
    write,
    () => async (wire) => {
      const items: Json[] = wire.body?.items ?? [];
      const kept = items.filter(
        ({ action, conditionExpression }) =>
          action !== "ConditionCheck" || conditionExpression !== "attribute_exists(pk)",
      );
      if (kept.length === items.length) return wire.send();
      if (kept.length === 0) return applied(items.length);
      return changed(await wire.send({ body: { ...wire.body, items: kept } }), (body) => {
        if (body.successCount > 0) body.successCount = items.length;
      });
    },
  ),
  mutant(
    "transactions/check-writes-back",
    "TX-09",
    "A ConditionCheck writes its item back as it is, with a new updatedAt",
    write,
    () => async (wire) => {
      const answer = await wire.send();
      if (!failed(answer) && answer.status === 200)
        for (const { action, pk, sk } of wire.body.items) {
          if (action !== "ConditionCheck") continue;
          const { status, body } = await wire.ask("GET", itemPath(wire, pk, sk));
          if (status === 200) await wire.ask("PUT", itemsPath(wire, ""), { pk, sk, data: body.data });
        }
      return answer;
    },
  ),
  mutant(
    "transactions/delete-condition-ignored",
    "TX-12",
    "The condition of a Delete is not looked at",
    write,
    withOperations((operation) =>
      operation?.action === "Delete" ? without(operation, "conditionExpression") : operation,
    ),
  ),
  mutant(
    "transactions/comparison-of-new-data",
    "TX-12",
    "The comparison of an Update is made with the attributes it sets",
    write,
    withOperations((operation) => {
      const compared = /^amount < :given$/.test(operation?.conditionExpression ?? "");
      return operation?.action === "Update" && compared
        ? without(operation, "conditionExpression")
        : operation;
    }),
  ),
  mutant(
    "transactions/atomic-to-twelve",
    "TX-10",
    "Of more than twelve operations the first twelve are applied when a later one fails",
    write,
    () => async (wire) => {
      const answer = await wire.send();
      if (failed(answer) && wire.body.items.length > 12) await oneByOne(wire, wire.body.items.slice(0, 12));
      return answer;
    },
  ),
  mutant(
    "transactions/token-of-the-last",
    "TX-14",
    "The token of the last transaction alone is remembered",
    write,
    () => {
      const known = new Set<unknown>();
      let last: unknown;
      return (wire) => {
        const token = wire.body?.clientRequestToken;
        const isForgotten = token !== undefined && token !== last && known.has(token);
        if (token !== undefined) known.add((last = token));
        return isForgotten ? anew(wire) : wire.send();
      };
    },
  ),
  mutant(
    "transactions/empty-is-missing",
    "TX-01",
    "itemExists is false for an item without attributes",
    read,
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        for (const entry of body.items)
          if (entry.item !== null && Object.keys(entry.item).length === 0) entry.itemExists = false;
      }),
  ),
  mutant(
    "transactions/check-creates",
    "TX-09",
    "A ConditionCheck that the item is missing creates it",
    write,
    () => async (wire) => {
      const answer = await wire.send();
      if (!failed(answer) && answer.status === 200)
        for (const { action, pk, sk, conditionExpression } of wire.body.items)
          if (action === "ConditionCheck" && conditionExpression === "attribute_not_exists(pk)")
            await oneByOne(wire, [{ action: "Put", pk, sk, data: {} }]);
      return answer;
    },
  ),
  mutant(
    "transactions/stops-at-failure",
    "TX-10",
    "What comes before the operation that fails is applied",
    write,
    () => async (wire) => {
      const answer = await wire.send();
      if (failed(answer)) await oneByOne(wire, wire.body.items.slice(0, answer.body.errors[0].itemIndex));
      return answer;
    },
  ),
  mutant(
    "transactions/skips-failures",
    "TX-10",
    "The operations that do not fail are applied",
    write,
    () => async (wire) => {
      const answer = await wire.send();
      if (failed(answer)) await oneByOne(wire, wire.body.items);
      return answer;
    },
  ),
  mutant(
    "transactions/failure-counts",
    "TX-10",
    "successCount of a failed transaction counts what would have been applied",
    write,
    () => async (wire) => {
      const answer = await wire.send();
      if (!failed(answer)) return answer;
      const body = copyOf(answer.body);
      body.successCount = wire.body.items.length - body.errors.length;
      return { ...answer, body };
    },
  ),
  ...(
    [
      [
        "index-from-two",
        "TX-11",
        "itemIndex counts from 2",
        (error: Json) => (error.itemIndex = Number(error.itemIndex) + 2),
      ],
      ["index-of-first", "TX-11", "itemIndex is always 0", (error: Json) => (error.itemIndex = 0)],
      [
        "error-without-sk",
        "TX-11",
        "Entries of a failed transaction have sk null",
        (error: Json) => (error.sk = null),
      ],
      [
        "error-without-text",
        "TX-11",
        "Entries of a failed transaction have no message",
        (error: Json) => delete error.error,
      ],
      [
        "condition-is-validation",
        "TX-12",
        "A false condition has errorType ValidationError",
        (error: Json) => (error.errorType = "ValidationError"),
      ],
      [
        "own-error-type",
        "TX-13",
        "errorType is ConditionFailed",
        (error: Json) => (error.errorType = "ConditionFailed"),
      ],
    ] as const
  ).map(([name, clause, title, change]) =>
    mutant(`transactions/${name}`, clause, title, write, () => async (wire) => {
      const answer = await wire.send();
      if (!failed(answer)) return answer;
      const body = copyOf(answer.body);
      for (const error of body.errors) change(error);
      return { ...answer, body };
    }),
  ),
  mutant(
    "transactions/write-token-ignored",
    "TX-14",
    "A repeated transact write is executed again",
    write,
    () => anew,
  ),
  mutant("transactions/read-token-ignored", "TX-14", "A repeated transact get reads again", read, () => anew),
  mutant(
    "transactions/replay-says-nothing",
    "TX-14",
    "A repeated transaction answers successCount 0",
    write,
    () => {
      const known = new Set<string>();
      return async (wire) => {
        const token = wire.body?.clientRequestToken;
        const isKnown = known.has(String(token));
        if (token !== undefined) known.add(String(token));
        return changed(await wire.send(), (body) => (body.successCount = isKnown ? 0 : body.successCount));
      };
    },
  ),
  mutant("concurrency/token-race", "TX-14", "A token counts once its transaction has ended", write, () => {
    const done = new Map<string, WireAnswer>();
    return async (wire) => {
      const token = String(wire.body?.clientRequestToken);
      const before = done.get(token);
      if (before !== undefined) return before;
      const answer = await anew(wire);
      await sleep(2);
      if (wire.body?.clientRequestToken !== undefined && !done.has(token)) done.set(token, answer);
      return answer;
    };
  }),
  mutant("time/token-forever", "TX-15", "A token is remembered for ever", write, () => {
    const known = new Map<string, WireAnswer>();
    return async (wire) => {
      const token = wire.body?.clientRequestToken;
      const answer = known.get(String(token)) ?? (await wire.send());
      if (token !== undefined) known.set(String(token), answer);
      return answer;
    };
  }),
  mutant(
    "time/token-window-renewed",
    "TX-15",
    "Repeating a transaction makes its window begin anew",
    write,
    () => {
      const known = new Map<string, { answer: WireAnswer; repeated: boolean }>();
      return async (wire) => {
        const token = String(wire.body?.clientRequestToken);
        const before = known.get(token);
        // the second repetition falls into the window of the first
        if (before?.repeated === true) return before.answer;
        const answer = await wire.send();
        if (wire.body?.clientRequestToken !== undefined)
          known.set(token, { answer, repeated: before !== undefined });
        return answer;
      };
    },
  ),
  mutant(
    "limits/transact-write-24",
    "TX-16",
    "A transact write takes 24 items",
    write,
    () => (wire) => Promise.resolve(wire.body?.items?.length === 25 ? refusal(400) : wire.send()),
  ),
  mutant(
    "limits/transact-write-26",
    "TX-17",
    "A transact write takes 26 items",
    write,
    () => (wire) => (wire.body?.items?.length === 26 ? inHalves(wire, 25) : wire.send()),
  ),
  mutant(
    "limits/transact-write-partly",
    "TX-17",
    "A transaction of too many items is refused after the first 25",
    write,
    () => refusedButBegun(25),
  ),
  mutant(
    "limits/transactions-of-5-mb",
    "TX-18",
    "A transaction may have 5 MB",
    write,
    () => (wire) => (bytesOf(wire) > limits.transactionRequestBytes ? inHalves(wire, 6) : wire.send()),
  ),
  mutant(
    "limits/transactions-of-3-mb",
    "TX-18",
    "A transaction of 3 MB is refused",
    write,
    () => (wire) => Promise.resolve(bytesOf(wire) > 3 * 1024 * 1024 ? refusal(413) : wire.send()),
  ),
  mutant(
    "limits/large-item-skipped",
    "TX-19",
    "An item of a transaction that is too large is left out",
    write,
    () => async (wire) => {
      const items: Json[] = wire.body?.items ?? [];
      const fitting = items.filter(({ data }) => JSON.stringify(data ?? null).length < limits.itemBytes);
      return fitting.length < items.length && fitting.length > 0
        ? wire.send({ body: { ...wire.body, items: fitting } })
        : wire.send();
    },
  ),
  mutant(
    "concurrency/checks-then-writes",
    "TX-12",
    "Conditions of a transaction are looked at a moment before it is applied",
    write,
    () => async (wire) => {
      const items: Json[] = wire.body?.items ?? [];
      for (const { pk, sk, conditionExpression } of items) {
        if (conditionExpression !== "attribute_not_exists(pk)") continue;
        if ((await wire.ask("GET", itemPath(wire, pk, sk))).status === 200) return wire.send();
      }
      await sleep(3);
      return wire.send({
        body: { ...wire.body, items: items.map((operation) => without(operation, "conditionExpression")) },
      });
    },
  ),
  mutant(
    "concurrency/half-a-transfer",
    "TX-10",
    "A transaction of four operations is applied in two steps",
    write,
    () => async (wire) => {
      if (wire.body?.items?.length !== 4) return wire.send();
      const first = await wire.send({ body: { ...wire.body, items: wire.body.items.slice(0, 3) } });
      // the second step is lost now and then
      if (first.body?.successCount > 0 && wire.body.items[3].data?.version % 2 === 0) return applied(4);
      if (first.body?.successCount > 0) await oneByOne(wire, wire.body.items.slice(3));
      return first.body?.successCount > 0 ? applied(4) : first;
    },
  ),
];

function bytesOf({ body }: Wire): number {
  return JSON.stringify(body ?? null).length;
}
