import fc from "fast-check";
import type { ClauseId } from "../../../openapi/clauses/register.js";
import type { ApiResponse } from "../../client/client.js";
import { type CheckContext, formatAnswer } from "../../check/context.js";
import type { ItemKey } from "../../models/item-key.js";
import {
  type Anomaly,
  findAnomaly,
  maxHistoryLength,
  type TimedRequest,
} from "../../models/serializability.js";
import { findTransactionConditionBuilder } from "../transactions/conditions.js";
import {
  createExistenceCondition,
  hasFailedCondition,
  isAppliedTransaction,
  type ItemClient,
  type TransactionEntry,
} from "../../steps/items/item-client.js";
import { defineRaceChecks, catchMissingResponse, mayBeConflictRejection } from "../items/races.js";
import { TransactGetReader } from "../items/transact-get-reader.js";

/** Number of keys in a history; there are few, so that clients conflict. */
const keyCount = 3;
const someKeys = fc.uniqueArray(fc.nat(keyCount - 1), { minLength: 1, maxLength: keyCount });

interface Act {
  readonly kind: "put" | "delete" | "get" | "transact" | "claim" | "retry" | "read" | "batch" | "clear";
  readonly keys: readonly number[];
}

const act: fc.Arbitrary<Act> = fc.record({
  // what a request shrinks to stands before it: a history of single requests tells most
  kind: fc.constantFrom(
    "put",
    "transact",
    "get",
    "delete",
    "batch",
    "clear",
    "claim",
    "retry",
    "read",
    "read",
  ),
  keys: someKeys,
});

/** Generates the requests of clients, within the maximum number of operations of a history when all are split. */
const clientActs = fc
  .array(fc.array(act, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 })
  .filter((clients) => {
    const most = clients.flat().reduce((sum, { keys }) => sum + keys.length, 0);
    return 2 * (most + keyCount) <= maxHistoryLength;
  });

const everything = [0, 1, 2];
const write: Act = { kind: "transact", keys: everything };
const read: Act = { kind: "read", keys: everything };
const retry: Act = { kind: "retry", keys: [0] };
const put = (key: number): Act => ({ kind: "put", keys: [key] });
const get = (key: number): Act => ({ kind: "get", keys: [key] });

/** The clause that each anomaly breaks. */
const clauseOf: Readonly<Record<Anomaly, ClauseId>> = {
  "torn-read": "TX-03",
  twice: "TX-14",
  "torn-write": "TX-10",
  other: "ITEM-03",
};
const meaningOf: Readonly<Record<Anomaly, string>> = {
  "torn-read": "a transactional get reads all items at one consistent point in time",
  twice: "a transaction is applied once",
  "torn-write": "transactions are applied completely or not at all",
  other: "the requests took effect in some order, each between its call and its response",
};
const anomalies = Object.keys(clauseOf) as Anomaly[];

/** Checks of conflicting requests from several clients. */
export const historyChecks = defineRaceChecks(
  {
    id: "sequences/raced-increments",
    title: "When clients increment counters concurrently, no increment is lost or counted twice",
    clauses: ["TX-08", "TX-12"],
    run: async (items, context: CheckContext) => {
      const compare = await findTransactionConditionBuilder(items);
      if (compare === undefined) context.notOffered("transactions reject a comparison that Put accepts");
      await context.property(
        [
          fc.array(fc.array(fc.subarray([0, 1], { minLength: 1 }), { maxLength: 3 }), {
            minLength: 2,
            maxLength: 4,
          }),
        ],
        async (clients) => {
          const pk = items.partition();
          const counters = [0, 1].map((n) => ({ key: { pk, sk: `counter-${n}` }, taken: [] as number[] }));
          await items.load(counters.map(({ key }) => ({ ...key, data: { count: 0, note: "kept" } })));
          let lost = 0;
          /** Increments some counters in one transaction, based on their current values. Returns whether other clients were faster. */
          const raise = async (which: readonly number[]): Promise<boolean> => {
            const chosen = counters.filter((_, n) => which.includes(n));
            const read = await Promise.all(chosen.map(({ key }) => catchMissingResponse(items.get(key))));
            if (read.includes(undefined)) return false;
            const counts = read.map((answer) => answer?.body?.data?.count as number);
            const raised = chosen.map(({ key }, n): TransactionEntry => ({
              action: "Update",
              ...key,
              data: { count: (counts[n] ?? 0) + 1 },
              condition: compare("count = :seen", { ":seen": counts[n] }),
            }));
            const answer = await catchMissingResponse(items.transactWrite(raised));
            // without an answer the counters may have been raised or not
            if (answer === undefined) lost++;
            else if (isAppliedTransaction(answer))
              for (const [n, { taken }] of chosen.entries()) taken.push(counts[n] ?? 0);
            return answer !== undefined && !isAppliedTransaction(answer);
          };
          const raiseAll = async (raises: readonly (readonly number[])[]) => {
            for (const which of raises) for (let tries = 0; tries < 3 && (await raise(which));) tries++;
          };
          await Promise.all(clients.map(raiseAll));
          for (const [n, { key, taken }] of counters.entries()) {
            const isOnce = new Set(taken).size === taken.length;
            const one = "only one applied transaction among the transactions with the same previous count";
            context.assert("TX-12", isOnce, one, `counter ${n} was incremented from ${taken.join(", ")}`);
            const answer = await items.get(key);
            const { count, note } = (answer.body?.data ?? {}) as { count?: number; note?: unknown };
            const isRight = count !== undefined && count >= taken.length && count <= taken.length + lost;
            const expected = `counter ${n} with the value ${taken.length} after ${taken.length} increments, and with its note`;
            context.assert("TX-08", isRight && note === "kept", expected, formatAnswer(answer));
          }
        },
        {
          names: ["clients"],
          share: 0.5,
          examples: [
            [[[[0]], [[0]]]],
            [
              [
                [[0, 1], [0]],
                [[1], [0, 1]],
                [[0], [1]],
              ],
            ],
          ],
        },
      );
    },
  },
  {
    id: "sequences/serial-histories",
    title:
      "Concurrent operations on a few items have the same results as if they ran in some sequential order",
    clauses: ["TX-03", "TX-10", "TX-14", "ITEM-03"],
    run: async (items, context: CheckContext) => {
      const transacted = await TransactGetReader.detect(items);
      await context.property(
        [clientActs],
        async (clients) => {
          const history = new History(items, transacted);
          await Promise.all(clients.map((acts, client) => history.perform(client, acts)));
          await history.end();
          const found = findAnomaly(keyCount, history.requests);
          for (const anomaly of anomalies)
            context.assert(clauseOf[anomaly], found !== anomaly, meaningOf[anomaly], history.witness());
        },
        {
          names: ["clients"],
          examples: [
            [[[write, write], [write]]],
            [
              [
                [put(0), put(0)],
                [get(0), get(0)],
              ],
            ],
            [[[write, put(0), retry]]],
            [[[write, read], [read, write], [read]]],
            [[[{ kind: "claim", keys: everything }, read], [{ kind: "claim", keys: [1, 0] }, read], [read]]],
          ],
        },
      );
    },
  },
);

type Meaning = Omit<TimedRequest, "called" | "returned"> & Partial<Pick<TimedRequest, "called">>;

/** A transaction with its token. */
interface Sent {
  readonly token: string;
  readonly act: Act;
  readonly value: number;
}

/**
 * The requests of clients on a few keys, and their results. A get need not return writes of other clients at once, so only
 * the results of transact get, at some point in time, and the final state count.
 */
class History {
  readonly requests: TimedRequest[] = [];
  /** Keys in alternating partitions, because a transaction may affect any partitions. */
  readonly #partitions: readonly [string, string];
  readonly #sent = new Map<number, Sent>();
  #clock = 0;
  #value = 0;

  constructor(
    readonly items: ItemClient,
    readonly transacted: TransactGetReader,
  ) {
    this.#partitions = [items.partition(), items.partition()];
  }

  async perform(client: number, acts: readonly Act[]): Promise<void> {
    for (const given of acts) {
      const value = ++this.#value;
      const called = ++this.#clock;
      const answer = await catchMissingResponse(this.#send(client, given, value));
      // what the token of a failed transaction answers is not said (gap `failed-transaction-token`)
      if (answer !== undefined && given.kind === "claim" && !isAppliedTransaction(answer))
        this.#sent.delete(client);
      const returned = answer === undefined ? Infinity : ++this.#clock;
      for (const meaning of this.#meaning(given, value, answer))
        this.requests.push({ called, returned, ...meaning });
    }
  }

  /** Reads the final state: each item, and the items of each partition. */
  async end(): Promise<void> {
    for (const n of everything) {
      const called = ++this.#clock;
      const seen = (await this.items.get(this.#key(n))).body?.data?.value as number | undefined;
      const name = `get ${n}: ${String(seen)}`;
      this.requests.push({ called, returned: ++this.#clock, name, reads: [[n, seen]] });
    }
    for (const pk of this.#partitions) {
      const called = ++this.#clock;
      const found = new Map((await this.items.readPartition(pk)).map(({ sk, data }) => [sk, data.value]));
      const keys = everything.filter((n) => this.#key(n).pk === pk);
      const reads = keys.map((n) => [n, found.get(this.#key(n).sk) as number | undefined] as const);
      const name = `query ${keys.join(" and ")}: ${reads.map(([, seen]) => String(seen)).join(" and ")}`;
      this.requests.push({ called, returned: ++this.#clock, name, reads });
    }
  }

  /** Formats the requests with the numbers of their calls and answers. */
  witness(): string {
    return this.requests
      .toSorted((a, b) => a.called - b.called)
      .map(({ called, returned, name }) => `${called}-${returned === Infinity ? "?" : returned} ${name}`)
      .join("; ");
  }

  #key(n: number): ItemKey {
    return { pk: this.#partitions[n % 2] ?? this.#partitions[0], sk: `key-${n}` };
  }

  async #send(client: number, { kind, keys }: Act, value: number): Promise<ApiResponse> {
    const [first = 0] = keys;
    const key = this.#key(first);
    switch (kind) {
      case "put":
        return this.items.put(key, { value });
      case "delete":
        return this.items.remove(key);
      case "get":
        return this.items.get(key);
      case "read":
        return this.items.transactGet(keys.map((n) => this.#key(n)));
      case "batch":
        return this.items.batchWrite(
          keys.map((n) => ({ operation: "Put", ...this.#key(n), data: { value } })),
        );
      case "clear":
        return this.items.batchWrite(keys.map((n) => ({ operation: "Delete", ...this.#key(n) })));
      case "transact":
      case "claim": {
        const sent = { token: await this.items.token(), act: { kind, keys }, value };
        this.#sent.set(client, sent);
        return this.#transact(sent);
      }
      case "retry": {
        // the last transaction again, with its token: its result comes once more, and nothing happens
        const sent = this.#sent.get(client);
        return sent === undefined ? this.items.get(key) : this.#transact(sent);
      }
    }
  }

  #transact({ token, act: { kind, keys }, value }: Sent): Promise<ApiResponse> {
    return this.items.transactWrite(
      keys.map((n, index) => ({
        action: "Put",
        ...this.#key(n),
        data: { value },
        condition: kind === "claim" && index === 0 ? createExistenceCondition(false) : {},
      })),
      token,
    );
  }

  /** Returns the content of an answer; empty if the answer shows nothing. */
  #meaning({ kind, keys }: Act, value: number, answer: ApiResponse | undefined): readonly Meaning[] {
    const [first = 0] = keys;
    const all = keys.join(" and ");
    const writes = keys.map((n) => [n, value] as const);
    const isTransaction = kind === "transact" || kind === "claim";
    if (answer !== undefined && !isTransaction && mayBeConflictRejection(answer)) return [];
    switch (kind) {
      case "put":
        return [{ name: `put ${value} to ${first}`, writes: [[first, value]] }];
      case "delete":
        // where a missing item is answered with 404, that is an observation as well
        return [
          {
            name: `delete ${first}: ${answer?.status ?? "no response"}`,
            writes: [[first, undefined]],
            ...(answer?.status === 404 ? { absent: [first] } : {}),
          },
        ];
      case "read": {
        if (answer === undefined) return [];
        const reads = keys.map((n) => {
          const seen = this.transacted.dataOf(answer, this.#key(n))?.value;
          return [n, seen as number | undefined] as const;
        });
        const name = `transact get ${all}: ${reads.map(([, seen]) => String(seen)).join(" and ")}`;
        // at which point in time it reads is not said
        return [{ name, reads, called: 0 }];
      }
      case "batch":
      case "clear": {
        // entries stand for themselves, and one may fail
        const failed = (answer?.body?.errors ?? []) as readonly ItemKey[];
        const written = kind === "batch" ? value : undefined;
        return keys
          .filter((n) => !failed.some(({ sk }) => sk === this.#key(n).sk))
          .map((n) => ({ name: `${kind} of ${n}: ${String(written)}`, writes: [[n, written]] }));
      }
      case "transact":
      case "claim": {
        const absent = kind === "claim" ? [first] : [];
        const name = `transact put ${value} to ${all}${kind === "claim" ? ` if there is no ${first}` : ""}`;
        if (answer === undefined || isAppliedTransaction(answer))
          return [{ name, writes, absent, hasToken: true }];
        // canceled for another reason: nothing happened, and nothing is said
        return hasFailedCondition(answer) ? [{ name: `${name}: refused`, present: absent }] : [];
      }
      case "get":
      case "retry":
        return [];
    }
  }
}
