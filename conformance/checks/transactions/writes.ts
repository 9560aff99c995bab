import fc from "fast-check";
import { transactionErrorTypes } from "../../../openapi/schemas/batches.js";
import { defineChecks } from "../../check.js";
import type { CheckContext } from "../../context.js";
import { smallData } from "../../generators/item-data.js";
import { partitionSuffix, sortKey } from "../../generators/item-keys.js";
import { findComparison } from "../items/conditional-puts.js";
import {
  answerText,
  exists,
  ItemCalls,
  type TransactionEntry,
  isApplied,
  type TransactionError,
} from "../items/item-calls.js";

/** What an entry of a transaction does to its item, and what is there before. */
const kinds = ["put-new", "put-over", "delete", "delete-missing", "update", "check"] as const;
type Kind = (typeof kinds)[number];

/** An entry whose condition is false. */
type Fault =
  | "put-over-existing"
  | "put-needs-item"
  | "delete-needs-none"
  | "update-needs-none"
  | "check-missing"
  | "check-existing";
const faults: readonly Fault[] = [
  "put-over-existing",
  "put-needs-item",
  "delete-needs-none",
  "update-needs-none",
  "check-missing",
  "check-existing",
];

const old = { a: 0, kept: "yes" } as const;

/** Transact write (part 4.2 rules 9 and 10, part 7). */
export const transactionWriteChecks = defineChecks(
  {
    id: "transactions/write",
    title: "A transact write applies every operation, and says so",
    clauses: ["TX-06", "TX-07", "TX-08", "TX-09"],
    needs: ["database"],
    run: async (context: CheckContext) => {
      const items = await ItemCalls.shared(context);
      await context.property(
        [
          fc.array(fc.tuple(fc.constantFrom(...kinds), fc.option(partitionSuffix), sortKey, smallData), {
            minLength: 1,
            maxLength: 8,
          }),
        ],
        async (plans) => {
          const entries = [];
          for (const [kind, suffix, sk, data] of plans) {
            // a partition of its own, so that no key stands twice
            const key = { pk: items.partition(suffix ?? ""), sk };
            const isThere = kind !== "put-new" && kind !== "delete-missing";
            if (isThere) await items.put(key, old, {}, { setUp: true });
            entries.push({ kind, key, data, entry: entryOf(kind, key, data) });
          }
          const answer = await items.transactWrite(entries.map(({ entry }) => entry));
          context.demandStatus("TX-06", answer, 200);
          for (const { kind, key, data, entry } of entries)
            if (kind === "update") await items.expect("TX-08", key, { ...old, ...data });
            else if (kind === "check") await items.expect("TX-09", key, old);
            else await items.expect("TX-07", key, entry.data);
          context.demandEqual("TX-06", answer.body.successCount, entries.length, "successCount");
          context.demandEqual("TX-06", answer.body.errors, null, "errors");
          await items.tidy();
        },
        {
          examples: [
            [
              [
                ["put-new", "", null, { a: 1 }],
                ["put-over", "", "s", { b: 2 }],
                ["delete", "", "s", {}],
                ["delete-missing", "", "s", {}],
                ["update", "", "s", { a: 5, c: null }],
                ["check", "", null, {}],
              ],
            ],
          ],
        },
      );
    },
  },
  {
    id: "transactions/update",
    title: "Update sets the given attributes and leaves the others, nested values whole",
    clauses: ["TX-08"],
    needs: ["database"],
    run: async (context: CheckContext) => {
      const items = await ItemCalls.shared(context);
      const wide = fc.dictionary(
        fc.constantFrom("a", "b", "c", "d", "10", "9"),
        fc.oneof(fc.integer(), fc.constantFrom<unknown>("x", null, false, [], {}, { x: 1 })),
        { noNullPrototype: true },
      );
      await context.property(
        [wide, wide, sortKey],
        async (before, change, sk) => {
          const key = items.key(sk);
          await items.put(key, before, {}, { setUp: true });
          const answer = await items.transactWrite([{ action: "Update", ...key, data: change }]);
          context.demand(
            "TX-08",
            answer.status === 200,
            "an Update of an existing item to be applied",
            answerText(answer),
          );
          const { body } = await items.get(key);
          // whether an object replaces an object or goes into it is open
          const settled = (data: object) => Object.entries(data).filter(([, value]) => !isObject(value));
          const seen = Object.fromEntries(settled(body?.data ?? {}));
          const expected = Object.fromEntries(settled({ ...before, ...change }));
          context.demandEqual(
            "TX-08",
            seen,
            expected,
            `attributes ${JSON.stringify(before)} after Update with ${JSON.stringify(change)}`,
          );
          const names = Object.keys(body?.data ?? {}).sort();
          const all = Object.keys({ ...before, ...change }).sort();
          context.demandEqual("TX-08", names, all, "the names of all attributes");
          await items.tidy();
        },
        {
          examples: [
            [{ a: 1, b: 2 }, { b: 3, c: 4 }, "s"],
            [{ a: 1 }, { a: null }, null],
          ],
        },
      );
    },
  },
  {
    id: "transactions/atomicity",
    title: "When one operation fails nothing is applied, and the answer names what failed",
    clauses: ["TX-10", "TX-11", "TX-12", "TX-13"],
    needs: ["database"],
    run: async (context: CheckContext) => {
      const items = await ItemCalls.shared(context);
      await context.property(
        [
          fc.array(fc.constantFrom(...kinds), { minLength: 0, maxLength: 8 }),
          fc.array(fc.tuple(fc.constantFrom(...faults), fc.nat()), { minLength: 1, maxLength: 3 }),
          sortKey,
        ],
        async (good, bad, sk) => {
          const plans: (Kind | Fault)[] = [...good];
          for (const [fault, at] of bad) plans.splice(at % (plans.length + 1), 0, fault);
          await demandAtomic(items, plans, sk);
          await items.tidy();
        },
        {
          share: 1.5,
          examples: [
            [["put-new", "put-over", "delete", "update"], [["check-missing", 4]], "s"],
            [["put-new", "put-over", "delete", "update"], [["put-over-existing", 0]], null],
            [["update", "delete"], [["delete-needs-none", 1]], "s"],
            [["put-new"], [["update-needs-none", 1]], "s"],
            [
              ["put-new"],
              [
                ["check-existing", 0],
                ["put-needs-item", 2],
              ],
              "s",
            ],
          ],
        },
      );
    },
  },
  {
    id: "transactions/condition-check",
    title: "ConditionCheck lets a transaction pass exactly when its condition holds, and changes nothing",
    clauses: ["TX-09", "TX-12"],
    needs: ["database"],
    run: async (context: CheckContext) => {
      const items = await ItemCalls.shared(context);
      const compare = await findComparison(items);
      await context.property(
        [
          fc.constantFrom("exists", "missing", "at-least"),
          fc.boolean(),
          sortKey,
          fc.integer({ min: -1, max: 1 }),
        ],
        async (form, isThere, sk, difference) => {
          const key = items.key(sk);
          const data = { amount: 10 };
          if (isThere) await items.put(key, data, {}, { setUp: true });
          const comparison =
            form === "at-least" ? compare?.("amount >= :least", { ":least": 10 + difference }) : undefined;
          const condition = comparison ?? exists(form !== "missing");
          const holds =
            comparison === undefined ? isThere === (form !== "missing") : isThere && difference <= 0;
          const other = items.key("other");
          const answer = await items.transactWrite(
            [
              { action: "ConditionCheck", ...key, condition },
              { action: "Put", ...other, data: { n: 1 } },
            ],
            undefined,
            holds ? {} : { intent: "invalid" },
          );
          const what = `a ConditionCheck of ${JSON.stringify(condition)}, which is ${String(holds)}`;
          if (holds)
            context.demand(
              "TX-09",
              answer.status === 200 && answer.body.successCount === 2,
              `${what}, to pass`,
              answerText(answer),
            );
          else
            context.demand(
              "TX-09",
              !isApplied(answer),
              `${what}, to fail the transaction`,
              answerText(answer),
            );
          await items.expect("TX-09", key, isThere ? data : undefined);
          await items.expect(holds ? "TX-07" : "TX-10", other, holds ? { n: 1 } : undefined);
          if (!holds) {
            const errors = (answer.body?.errors ?? []) as readonly TransactionError[];
            const types = errors.filter(({ itemIndex }) => itemIndex === 0).map(({ errorType }) => errorType);
            context.demandEqual(
              "TX-12",
              types,
              ["ConditionalCheckFailed"],
              "the errorType of the ConditionCheck",
            );
          }
          await items.tidy();
        },
        {
          share: 0.7,
          examples: [
            ["exists", false, "s", 0],
            ["missing", true, null, 0],
            ["at-least", true, "s", 1],
            ["at-least", true, "s", 0],
          ],
        },
      );
    },
  },
);

function entryOf(
  kind: Kind | Fault,
  key: { readonly pk: string; readonly sk: string | null },
  data: object,
): TransactionEntry {
  const given = data as Readonly<Record<string, unknown>>;
  switch (kind) {
    case "put-new":
      return { action: "Put", ...key, data: given, condition: exists(false) };
    case "put-over":
      return { action: "Put", ...key, data: given };
    case "delete":
    case "delete-missing":
      return { action: "Delete", ...key };
    case "update":
      return { action: "Update", ...key, data: given };
    case "check":
      return { action: "ConditionCheck", ...key, condition: exists(true) };
    case "put-over-existing":
      return { action: "Put", ...key, data: given, condition: exists(false) };
    case "put-needs-item":
      return { action: "Put", ...key, data: given, condition: exists(true) };
    case "delete-needs-none":
      return { action: "Delete", ...key, condition: exists(false) };
    case "update-needs-none":
      return { action: "Update", ...key, data: given, condition: exists(false) };
    case "check-missing":
      return { action: "ConditionCheck", ...key, condition: exists(true) };
    case "check-existing":
      return { action: "ConditionCheck", ...key, condition: exists(false) };
  }
}

const absentBefore: readonly (Kind | Fault)[] = [
  "put-new",
  "delete-missing",
  "put-needs-item",
  "check-missing",
];

/** Sends a transaction some of whose conditions are false, and demands what parts 4.2 and 7 say of it. */
async function demandAtomic(
  items: ItemCalls,
  plans: readonly (Kind | Fault)[],
  sk: string | null,
): Promise<void> {
  const context: CheckContext = items.context;
  const pk = items.partition();
  const entries: {
    readonly kind: Kind | Fault;
    readonly isThere: boolean;
    readonly entry: TransactionEntry;
  }[] = [];
  for (const [n, kind] of plans.entries()) {
    const key = { pk: `${pk}/${n}`, sk };
    const isThere = !absentBefore.includes(kind);
    if (isThere) await items.put(key, old, {}, { setUp: true });
    entries.push({ kind, isThere, entry: entryOf(kind, key, { a: 1, fresh: true }) });
  }
  const answer = await items.transactWrite(
    entries.map(({ entry }) => entry),
    undefined,
    { intent: "invalid" },
  );
  for (const { isThere, entry } of entries) await items.expect("TX-10", entry, isThere ? old : undefined);
  context.demandEqual("TX-10", answer.body?.successCount, 0, "successCount of a failed transaction");
  const errors = (answer.body?.errors ?? []) as readonly TransactionError[];
  context.demand(
    "TX-11",
    Array.isArray(errors) && errors.length > 0,
    "entries for what failed",
    answerText(answer),
  );
  const wrongTypes = errors.filter(
    ({ errorType }) => !(transactionErrorTypes as readonly string[]).includes(errorType),
  );
  context.demandEqual("TX-13", wrongTypes, [], "errorTypes of the five; others");
  const failing = entries.map(({ kind }) => (faults as readonly string[]).includes(kind));
  for (const error of errors) {
    const entry = entries[error.itemIndex]?.entry;
    const isRight = entry?.pk === error.pk && entry.sk === error.sk;
    context.demand("TX-11", isRight, "pk and sk of the operation at itemIndex, counted from 0", error);
    context.demand(
      "TX-11",
      typeof error.error === "string" && error.error !== "",
      "a message in error",
      error,
    );
    const claims = error.errorType === "ConditionalCheckFailed";
    // entries of operations that are not at fault would have to say that they were canceled
    if (failing[error.itemIndex] === true)
      context.demand("TX-12", claims, "errorType ConditionalCheckFailed", error);
    else context.demand("TX-11", !claims, "itemIndex of an operation whose condition is false", error);
  }
  const found = errors.some(({ itemIndex }) => failing[itemIndex] === true);
  context.demand("TX-11", found, `an entry for an operation at fault, of ${JSON.stringify(failing)}`, errors);
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
