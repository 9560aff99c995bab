import fc from "fast-check";
import { limits } from "../../../openapi/clauses/limits.js";
import { writeJson } from "../../client/json-text.js";
import type { CheckContext } from "../../check/context.js";
import { smallData } from "../../generators/item-data.js";
import { unknownWord } from "../../generators/unknown-word.js";
import { partitionSuffix, sortKey } from "../../generators/item-keys.js";
import {
  answerText,
  exists,
  isApplied,
  defineItemChecks,
  type ItemCalls,
  timesIn,
  type TransactionEntry,
} from "../../steps/items/item-calls.js";
import { assertFailure } from "./assert-failure.js";
import { assertSuccess } from "../items/assert-success.js";
import { KeyForms } from "../items/key-forms.js";

/** What an entry of a transaction does to its item, and what is there before. */
const kinds = ["put-new", "put-over", "delete", "update", "check"] as const;
/** Whether Delete of a missing item succeeds is open. */
type Kind = (typeof kinds)[number] | "delete-missing";
const anyKind = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom<Kind>(...kinds) },
  { weight: 1, arbitrary: fc.constant<Kind>("delete-missing") },
);

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
export const transactionWriteChecks = defineItemChecks(
  {
    id: "transactions/write",
    title: "A transact write applies every operation, and says so",
    clauses: ["TX-06", "TX-07", "TX-08", "TX-09"],
    run: async (items, context: CheckContext) => {
      const keys = await KeyForms.of(items);
      await context.property(
        [
          fc.oneof(
            { weight: 5, arbitrary: plansOf(1, 8) },
            { weight: 1, arbitrary: plansOf(9, limits.transactWriteItems) },
          ),
        ],
        async (plans) => {
          const entries = [];
          const together = items.partition();
          for (const [n, [kind, suffix, data]] of plans.entries()) {
            // without a suffix in one partition, so that keys differ in the sort key alone; no key stands twice
            const key =
              suffix === null
                ? { pk: together, sk: `s${n}` }
                : { pk: items.partition(keys.of(suffix[0])), sk: keys.of(suffix[1]) };
            const isThere = kind !== "put-new" && kind !== "delete-missing";
            if (isThere) await items.put(key, old, {}, { setUp: true });
            const times = kind === "check" ? timesIn(await items.get(key)) : undefined;
            entries.push({ kind, key, data, isThere, times, entry: entryOf(kind, key, data) });
          }
          const answer = await items.transactWrite(entries.map(({ entry }) => entry));
          if (entries.some(({ kind }) => kind === "delete-missing") && !isApplied(answer)) {
            for (const { key, isThere } of entries)
              await items.expect("TX-10", key, isThere ? old : undefined);
            return;
          }
          context.assertStatus("TX-06", answer, 200);
          for (const { kind, key, data, entry, times } of entries)
            if (kind === "update") await items.expect("TX-08", key, { ...old, ...data });
            else if (kind === "check") {
              await items.expect("TX-09", key, old);
              // an item that is written back as it was has another updatedAt
              context.assertEqual(
                "TX-09",
                timesIn(await items.get(key)),
                times,
                "the times of an item checked",
              );
            } else await items.expect("TX-07", key, entry.data);
          assertSuccess(
            context,
            answer,
            entries.map(({ entry }) => entry),
          );
        },
        {
          names: ["plans"],
          examples: [
            [
              [
                ["put-new", ["", null], { a: 1 }],
                ["put-over", ["", "s"], { b: 2 }],
                ["delete", ["", "s"], {}],
                ["update", ["", "s"], { a: 5, c: null }],
                ["check", ["", null], {}],
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
    run: async (items, context: CheckContext) => {
      const keys = await KeyForms.of(items);
      const wide = fc.dictionary(
        fc.constantFrom("a", "b", "c", "d", "10", "9"),
        fc.oneof(fc.integer(), fc.constantFrom<unknown>("x", null, false, [], {}, { x: 1 })),
        { noNullPrototype: true },
      );
      await context.property(
        [wide, wide, sortKey],
        async (before, change, sk) => {
          const key = items.key(keys.of(sk));
          await items.put(key, before, {}, { setUp: true });
          const answer = await items.transactWrite([{ action: "Update", ...key, data: change }]);
          context.assert(
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
          context.assertEqual(
            "TX-08",
            seen,
            expected,
            `attributes ${JSON.stringify(before)} after Update with ${JSON.stringify(change)}`,
          );
          const names = Object.keys(body?.data ?? {}).sort();
          const all = Object.keys({ ...before, ...change }).sort();
          context.assertEqual("TX-08", names, all, "the names of all attributes");
        },
        {
          names: ["before", "change", "sk"],
          examples: [
            [{ a: 1, b: 2 }, { b: 3, c: 4 }, "s"],
            [{ a: 1 }, { a: null }, null],
          ],
        },
      );
    },
  },
  {
    id: "transactions/unknown-action",
    title: "A transaction with an action that is none of the four is not applied",
    clauses: ["TX-20"],
    run: async (items, context: CheckContext) => {
      await context.property(
        [unknownWord(["Put", "Update", "Delete", "ConditionCheck"]), fc.boolean(), fc.boolean()],
        async (action, isThere, isFirst) => {
          const [key, good] = [items.key("s"), items.key("s")];
          if (isThere) await items.put(key, old, {}, { setUp: true });
          const data = { a: 1 };
          const entries = [
            { action, ...key, data },
            { action: "Put", ...good, data },
          ];
          const body = { items: isFirst ? entries : entries.toReversed() };
          const answer = await items.transactWriteText(writeJson(body), { intent: "invalid" });
          context.assert("TX-20", !isApplied(answer), `${action} not to be applied`, answerText(answer));
          await items.expect("TX-20", key, isThere ? old : undefined);
          await items.expect("TX-20", good, undefined);
        },
        { names: ["action", "isThere", "isFirst"], share: 0.5, examples: [["Get", true, false]] },
      );
    },
  },
  {
    id: "transactions/atomicity",
    title: "When one operation fails nothing is applied, and the answer names what failed",
    clauses: ["TX-10", "TX-11", "TX-12", "TX-13"],
    run: async (items, context: CheckContext) => {
      const keys = await KeyForms.of(items);
      await context.property(
        [
          fc.oneof(
            { weight: 5, arbitrary: fc.array(fc.constantFrom(...kinds), { maxLength: 8 }) },
            // with three at fault as many as there may be
            { weight: 1, arbitrary: fc.array(fc.constantFrom(...kinds), { minLength: 9, maxLength: 22 }) },
          ),
          fc.array(fc.tuple(fc.constantFrom(...faults), fc.nat()), { minLength: 1, maxLength: 3 }),
          sortKey,
        ],
        async (good, bad, sk) => {
          const plans: (Kind | Fault)[] = [...good];
          for (const [fault, at] of bad) plans.splice(at % (plans.length + 1), 0, fault);
          await assertAtomic(items, plans, keys.of(sk));
        },
        {
          names: ["good", "bad", "sk"],
          examples: [
            [["put-new", "put-over", "delete", "update"], [["check-missing", 4]], "s"],
            [Array.from({ length: 24 }, () => "put-new" as const), [["check-missing", 24]], "s"],
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
);

/** What entries do, where their items are, and what they write; without a place, in one partition. */
function plansOf(minLength: number, maxLength: number) {
  const place = fc.option(fc.tuple(partitionSuffix, sortKey));
  return fc.array(fc.tuple(anyKind, place, smallData), { minLength, maxLength });
}

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

/** Sends a transaction some of whose conditions are false, and asserts what parts 4.2 and 7 say of it. */
async function assertAtomic(
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
    const key = { pk: `${pk}-${n}`, sk };
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
  context.assertEqual("TX-10", answer.body?.successCount, 0, "successCount of a failed transaction");
  const failing = entries.flatMap(({ kind, entry }) =>
    (faults as readonly string[]).includes(kind) ? [entry] : [],
  );
  assertFailure(
    context,
    answer,
    entries.map(({ entry }) => entry),
    failing,
  );
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
