import fc from "fast-check";
import { defineChecks } from "../check/check.js";
import type { Answer } from "../client/client.js";
import { isRefused } from "../client/is-refused.js";
import type { CheckContext } from "../check/context.js";
import type { ItemKey } from "../models/items-model.js";
import { linearize, type Operation } from "../models/linearizability.js";
import { assertComparison } from "./items/conditional-puts.js";
import { answerText, exists, hasFailedCondition, isApplied, type ItemCalls } from "./items/item-calls.js";
import { allOf, race, settled, unlessLost, wasNotDone } from "./items/races.js";
import { Transacted } from "./items/transacted.js";

const racers = fc.integer({ min: 2, max: 8 });

/** Requests under way at the same time. */
export const concurrencyChecks = defineChecks(
  {
    id: "concurrency/one-winner",
    title: "Of conditional Puts raced on one key one wins, and its data stays",
    clauses: ["ITEM-04", "ITEM-07"],
    needs: ["database"],
    run: async (context: CheckContext) => {
      const items = await settled(context);
      await context.property(
        [racers],
        async (count) => {
          const key = items.key("s");
          const answers = await race(count, (by) => items.put(key, { by }, exists(false)));
          await assertOneWinner(items, "ITEM-04", answers, key);
          await items.tidy();
        },
        { names: ["count"], examples: [[8], [2]] },
      );
    },
  },
  {
    id: "concurrency/compare-and-set",
    title: "Of Puts raced with a comparison that holds once, one wins in each round",
    clauses: ["ITEM-06", "ITEM-07"],
    needs: ["database"],
    run: async (context: CheckContext) => {
      const items = await settled(context);
      const compare = await assertComparison(items);
      await context.property(
        [racers, fc.integer({ min: 1, max: 3 })],
        async (count, rounds) => {
          const key = items.key("s");
          await items.put(key, { version: 0 }, {}, { setUp: true });
          for (let version = 0; version < rounds; version++) {
            const condition = compare("version = :seen", { ":seen": version });
            const answers = await race(count, (by) =>
              items.put(key, { version: version + 1, by }, condition),
            );
            await assertOneWinner(items, "ITEM-06", answers, key);
          }
          await items.tidy();
        },
        { names: ["count", "rounds"], share: 0.5, examples: [[6, 2]] },
      );
    },
  },
  {
    id: "concurrency/one-transaction",
    title: "Of transactions raced for one key one is applied, and nothing of the others",
    clauses: ["TX-10", "TX-12"],
    needs: ["database"],
    run: async (context: CheckContext) => {
      const items = await settled(context);
      await context.property(
        [racers],
        async (count) => {
          const key = items.key("s");
          const marks = Array.from({ length: count }, (_, by) => ({ pk: key.pk, sk: `mark-${by}` }));
          const answers = await race(count, (by) =>
            items.transactWrite([
              { action: "Put", ...(marks[by] ?? key), data: { by } },
              { action: "Put", ...key, data: { by }, condition: exists(false) },
            ]),
          );
          const sure = answers.filter((answer) => answer !== undefined);
          const winners = sure.filter(isApplied).length;
          // all of them may have been in each other's way
          const isOpen = sure.length < count || !sure.some(hasFailedCondition);
          const isOne = winners === 1 || (winners === 0 && isOpen);
          context.assert("TX-12", isOne, "one transaction to be applied", `${winners} applied`);
          for (const [by, answer] of answers.entries()) {
            const mark = marks[by];
            // what came of a transaction without an answer is nobody's to say
            if (answer === undefined || mark === undefined) continue;
            await items.expect("TX-10", mark, isApplied(answer) ? { by } : undefined);
            if (isApplied(answer)) await items.expect("TX-10", key, { by });
          }
          await items.tidy();
        },
        { names: ["count"], share: 0.5, examples: [[6]] },
      );
    },
  },
  {
    id: "concurrency/one-token",
    title: "A transaction whose token is raced is applied once",
    clauses: ["TX-14"],
    needs: ["database"],
    run: async (context: CheckContext) => {
      const items = await settled(context);
      await context.property(
        [racers],
        async (count) => {
          const key = items.key("s");
          const token = await items.token();
          const send = () =>
            items.transactWrite([{ action: "Put", ...key, data: { n: 1 }, condition: exists(false) }], token);
          const answers = await race(count, send);
          // a second execution would find the item there; to be told to wait for the first is all right
          for (const answer of answers.filter((one) => one !== undefined))
            context.assert(
              "TX-14",
              !hasFailedCondition(answer),
              "no second execution of the transaction",
              answerText(answer),
            );
          const last = await send();
          context.assert("TX-14", isApplied(last), "the result of the first execution", answerText(last));
          await items.expect("TX-14", key, { n: 1 });
          await items.tidy();
        },
        { names: ["count"], share: 0.7, examples: [[8]] },
      );
    },
  },
  {
    id: "concurrency/transfers",
    title: "Under transfers between accounts transact get sees one consistent point in time",
    clauses: ["TX-03", "TX-10"],
    needs: ["database"],
    run: async (context: CheckContext) => {
      await context.property(
        [fc.integer({ min: 2, max: 4 }), fc.integer({ min: 2, max: 4 }), fc.nat()],
        async (accounts, writers, seed) => {
          const items = await settled(context);
          const bank = new Bank(items, await Transacted.of(items), accounts);
          await bank.open();
          let isOpen = true;
          const reading = Array.from({ length: 3 }, async () => {
            while (isOpen) await bank.read();
          });
          const writing = Promise.all(
            Array.from({ length: writers }, (_, n) => bank.transfers(seed + n)),
          ).finally(() => (isOpen = false));
          // a reader may fail while writers still work: all of them are awaited from the start
          await allOf([writing, ...reading]);
          await bank.read();
          bank.assertConsistency();
          await bank.items.tidy();
        },
        { names: ["accounts", "writers", "seed"], share: 0.3, examples: [[3, 3, 1]] },
      );
    },
  },
  {
    id: "concurrency/histories",
    title: "What clients write to one item at the same time could have been written one after the other",
    clauses: ["ITEM-03"],
    needs: ["database"],
    run: async (context: CheckContext) => {
      const act = fc.constantFrom("put", "get", "get", "claim", "delete");
      await context.property(
        [fc.array(fc.array(act, { minLength: 1, maxLength: 6 }), { minLength: 2, maxLength: 4 })],
        async (clients) => {
          const items = await settled(context);
          const history = new History(items);
          await Promise.all(clients.map((acts) => history.perform(acts)));
          await history.end();
          const order = linearize<number | undefined>(undefined, history.operations, String);
          context.assert(
            "ITEM-03",
            order !== undefined,
            "an order in which the writes could have been done one after the other, to what is there at the end",
            history.operations
              .map(({ called, returned, name }) => `${called}-${returned} ${name}`)
              .join("; "),
          );
          await items.tidy();
        },
        {
          names: ["clients"],
          examples: [
            [
              [
                ["put", "get", "delete", "get"],
                ["get", "put", "get", "put"],
                ["get", "get", "claim", "get"],
              ],
            ],
          ],
        },
      );
    },
  },
);

async function assertOneWinner(
  items: ItemCalls,
  clause: "ITEM-04" | "ITEM-06",
  answers: readonly (Answer | undefined)[],
  key: ItemKey,
): Promise<void> {
  const context: CheckContext = items.context;
  const winners = answers.flatMap((answer, by) => (answer?.status === 200 ? [by] : []));
  const lost = answers.filter((answer) => answer === undefined).length;
  const isOne = winners.length === 1 || (winners.length === 0 && lost > 0);
  const statuses = answers.map((answer) => answer?.status ?? "no answer");
  context.assert(clause, isOne, "one Put to be accepted", statuses);
  const { body } = await items.get(key);
  const isWinner = winners.length === 0 || body?.data?.by === winners[0];
  context.assert("ITEM-07", isWinner, `the data of the Put that was accepted, by ${winners.join()}`, body);
}

/** How often a transact get is sent that others are in the way of. */
const maxReads = 20;

/** The accounts as one transact get saw them. */
type Snapshot = readonly { readonly balance: number; readonly version: number }[];

const gone = { balance: NaN, version: -1 };

/** Accounts in items; every transfer is a transaction that moves money and counts the versions of both on. */
class Bank {
  /** Accounts in turns: a transaction is about items of any partitions. */
  readonly #partitions: readonly [string, string];
  readonly #snapshots: Snapshot[] = [];
  #applied = 0;

  constructor(
    readonly items: ItemCalls,
    readonly transacted: Transacted,
    readonly accounts: number,
  ) {
    this.#partitions = [items.partition(), items.partition()];
  }

  async open(): Promise<void> {
    await this.items.load(this.#keys.map((key) => ({ ...key, data: { balance: 100, version: 0 } })));
  }

  async read(): Promise<Snapshot> {
    let answer = await this.items.transactGet(this.#keys);
    // what writes are under way to may be refused: the status of a transaction that fails is not said
    for (let again = 0; again < maxReads && isRefused(answer); again++)
      answer = await this.items.transactGet(this.#keys);
    this.items.context.assertStatus("TX-01", answer, 200);
    const snapshot = this.#keys.map(
      // an account that is gone adds up to nothing
      (key) => (this.transacted.dataOf(answer, key) as Snapshot[number] | undefined) ?? gone,
    );
    this.#snapshots.push(snapshot);
    return snapshot;
  }

  /** Makes a few transfers; one whose accounts have changed meanwhile is not applied, and not tried again. */
  async transfers(seed: number): Promise<void> {
    for (let n = 0; n < 4; n++) {
      const [from, to] = [
        (seed + n) % this.accounts,
        (seed + n + 1 + (seed % (this.accounts - 1))) % this.accounts,
      ];
      const snapshot = await this.read();
      const [giver, taker] = [snapshot[from], snapshot[to]];
      if (giver === undefined || taker === undefined || from === to) continue;
      const amount = 1 + ((seed + n) % 7);
      const answer = await unlessLost(
        this.items.transactWrite([
          // a key for each version can be taken once: whoever read an older one fails
          { action: "Put", ...this.#key(from, giver.version + 1), data: {}, condition: exists(false) },
          { action: "Put", ...this.#key(to, taker.version + 1), data: {}, condition: exists(false) },
          {
            action: "Put",
            ...this.#key(from),
            data: { balance: giver.balance - amount, version: giver.version + 1 },
          },
          {
            action: "Put",
            ...this.#key(to),
            data: { balance: taker.balance + amount, version: taker.version + 1 },
          },
        ]),
      );
      if (answer !== undefined && isApplied(answer)) this.#applied++;
    }
  }

  assertConsistency(): void {
    const context: CheckContext = this.items.context;
    const last = this.#snapshots.at(-1) ?? [];
    const total = 100 * this.accounts;
    // what nobody moves any more tells lost halves of transfers from torn reads
    const versions = last.reduce((count, { version }) => count + version, 0);
    context.assert(
      "TX-10",
      versions >= 2 * this.#applied,
      `both accounts changed by each of ${this.#applied} transfers`,
      shown(last),
    );
    for (const snapshot of this.#snapshots)
      context.assertEqual(
        "TX-03",
        sum(snapshot),
        total,
        `the balances ${shown(snapshot)} of one transact get to add up`,
      );
    for (const [index, one] of this.#snapshots.entries())
      for (const other of this.#snapshots.slice(index + 1))
        context.assert(
          "TX-03",
          isBefore(one, other) || isBefore(other, one),
          "of two transact gets one that saw every account as the other did, or later",
          `${shown(one)} and ${shown(other)}`,
        );
  }

  get #keys() {
    return Array.from({ length: this.accounts }, (_, account) => this.#key(account));
  }

  #key(account: number, version?: number) {
    const pk = this.#partitions[account % 2] ?? this.#partitions[0];
    return { pk, sk: `account-${account}${version === undefined ? "" : `-version-${version}`}` };
  }
}

function sum(snapshot: Snapshot): number {
  return snapshot.reduce((total, { balance }) => total + balance, 0);
}

function isBefore(one: Snapshot, other: Snapshot): boolean {
  return one.every(({ version }, account) => version <= (other[account]?.version ?? -1));
}

function shown(snapshot: Snapshot): string {
  return snapshot.map(({ balance, version }) => `${balance} (version ${version})`).join(", ");
}

type Act = "put" | "get" | "claim" | "delete";

/** What clients did to one key, and what came of it: that reads show at once what others write is not said. */
class History {
  readonly operations: Operation<number | undefined>[] = [];
  readonly #key: { readonly pk: string; readonly sk: string };
  #clock = 0;
  #value = 0;

  constructor(readonly items: ItemCalls) {
    this.#key = { pk: items.partition(), sk: "s" };
  }

  async perform(acts: readonly Act[]): Promise<void> {
    for (const act of acts) {
      const value = ++this.#value;
      const called = ++this.#clock;
      const answer = await unlessLost(this.#send(act, value));
      const returned = answer === undefined ? Infinity : ++this.#clock;
      if (act === "get") {
        const seen = answer?.body?.data?.value as number | undefined;
        const isKnown = seen === undefined || (seen > 0 && seen <= this.#value);
        this.items.context.assert("ITEM-03", isKnown, "a value that was put before", seen);
        continue;
      }
      // what others were in the way of says nothing
      if (act !== "claim" && answer !== undefined && wasNotDone(answer)) continue;
      this.operations.push({ called, returned, ...meaningOf(act, value, answer) });
    }
  }

  /** Reads what is there when all is done. */
  async end(): Promise<void> {
    const called = ++this.#clock;
    const answer = await this.#send("get", 0);
    this.operations.push({ called, returned: ++this.#clock, ...meaningOf("get", 0, answer) });
  }

  #send(act: Act, value: number): Promise<Answer> {
    switch (act) {
      case "put":
        return this.items.put(this.#key, { value });
      case "claim":
        return this.items.put(this.#key, { value }, exists(false));
      case "get":
        return this.items.get(this.#key);
      case "delete":
        return this.items.remove(this.#key);
    }
  }
}

function meaningOf(
  act: Act,
  value: number,
  answer: Answer | undefined,
): Pick<Operation<number | undefined>, "name" | "apply"> {
  const name = `${act}${act === "put" || act === "claim" ? ` ${value}` : ""}`;
  switch (act) {
    case "put":
      return { name, apply: () => ({ state: value }) };
    case "claim": {
      const claimed = answer === undefined || answer.status === 200;
      return {
        name: `${name}: ${claimed ? "accepted" : "refused"}`,
        apply: (state) =>
          (state === undefined) === claimed ? { state: claimed ? value : state } : undefined,
      };
    }
    case "get": {
      const seen = answer?.status === 404 ? undefined : (answer?.body?.data?.value as number);
      return { name: `get: ${String(seen)}`, apply: (state) => (state === seen ? { state } : undefined) };
    }
    case "delete": {
      // where a missing item is answered with 404, that is an observation as well
      const isMissing = answer?.status === 404;
      return {
        name: `delete: ${answer?.status ?? "no answer"}`,
        apply: (state) => (isMissing && state !== undefined ? undefined : { state: undefined }),
      };
    }
  }
}
