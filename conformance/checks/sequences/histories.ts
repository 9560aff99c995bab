import fc from "fast-check";
import type { ClauseId } from "../../../openapi/clauses/register.js";
import type { ApiResponse } from "../../client/client.js";
import type { CheckContext } from "../../check/context.js";
import type { ItemKey } from "../../models/item-key.js";
import {
  type Anomaly,
  findAnomaly,
  maxHistoryLength,
  type TimedRequest,
} from "../../models/serializability.js";
import {
  createExistenceCondition,
  hasFailedCondition,
  isAppliedTransaction,
  type ItemClient,
} from "../../steps/items/item-client.js";
import { catchMissingResponse } from "../../steps/catch-missing-response.js";
import { defineRaceChecks, mayBeConflictRejection } from "../items/races.js";
import { TransactGetReader } from "../items/transact-get-reader.js";

/** Number of keys in a history; it is small, so that clients conflict. */
const keyCount = 3;
const keyIndexes = fc.uniqueArray(fc.nat(keyCount - 1), { minLength: 1, maxLength: keyCount });

/** A request of a client on some keys. */
interface Step {
  readonly kind: "put" | "delete" | "get" | "transact" | "claim" | "retry" | "read" | "batch" | "clear";
  readonly keys: readonly number[];
}

const step: fc.Arbitrary<Step> = fc.record({
  // Shrinking prefers the first kinds: failures with requests for single items are the easiest to understand.
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
  keys: keyIndexes,
});

/** Generates the steps of clients. Their operations on single keys do not exceed the maximum length of a history. */
const clientSteps = fc
  .array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 })
  .filter((clients) => {
    const operations = clients.flat().reduce((sum, { keys }) => sum + keys.length, 0);
    return 2 * (operations + keyCount) <= maxHistoryLength;
  });

const allKeys = [0, 1, 2];
const write: Step = { kind: "transact", keys: allKeys };
const read: Step = { kind: "read", keys: allKeys };
const retry: Step = { kind: "retry", keys: [0] };
const put = (key: number): Step => ({ kind: "put", keys: [key] });
const get = (key: number): Step => ({ kind: "get", keys: [key] });

/** The clause that each anomaly breaks, and what the clause demands. */
const expectations: readonly (readonly [Anomaly, ClauseId, string])[] = [
  ["torn-read", "TX-03", "a transactional get reads all items at one consistent point in time"],
  ["twice", "TX-14", "a transaction is applied once"],
  ["torn-write", "TX-10", "transactions are applied completely or not at all"],
  ["other", "ITEM-03", "the requests took effect in some order, each between its call and its response"],
];

/** Checks of conflicting requests from several clients. */
export const historyChecks = defineRaceChecks({
  id: "sequences/serial-histories",
  title: "Concurrent operations on a few items have the same results as if they ran in some sequential order",
  clauses: ["TX-03", "TX-10", "TX-14", "ITEM-03"],
  run: async (items, context: CheckContext) => {
    const reader = await TransactGetReader.detect(items);
    await context.property(
      { clients: clientSteps },
      async ({ clients }) => {
        const history = new History(items, reader);
        await Promise.all(clients.map((steps, client) => history.perform(client, steps)));
        await history.readFinalState();
        const found = findAnomaly(keyCount, history.requests);
        for (const [anomaly, clause, expected] of expectations)
          context.assert(clause, found !== anomaly, expected, history.format());
      },
      {
        examples: [
          { clients: [[write, write], [write]] },
          {
            clients: [
              [put(0), put(0)],
              [get(0), get(0)],
            ],
          },
          { clients: [[write, put(0), retry]] },
          { clients: [[write, read], [read, write], [read]] },
          {
            clients: [
              [{ kind: "claim", keys: allKeys }, read],
              [{ kind: "claim", keys: [1, 0] }, read],
              [read],
            ],
          },
        ],
      },
    );
  },
});

/** What a response says about the items, without the times of the request; `called` if it is not the actual time. */
type Observation = Omit<TimedRequest, "called" | "returned"> & Partial<Pick<TimedRequest, "called">>;

/** A transaction with its token. */
interface SentTransaction {
  readonly token: string;
  readonly step: Step;
  readonly value: number;
}

/**
 * The requests of clients on a few keys, and their results. A get need not show the writes of other clients immediately,
 * so only the results of transact get, at some point in time, and the final state count.
 */
class History {
  readonly requests: TimedRequest[] = [];
  /** Keys are in alternating partitions, because a transaction may span partitions. */
  readonly #partitions: readonly [string, string];
  /** The last transaction of each client. */
  readonly #sent = new Map<number, SentTransaction>();
  #clock = 0;
  #value = 0;

  constructor(
    readonly items: ItemClient,
    readonly reader: TransactGetReader,
  ) {
    this.#partitions = [items.partition(), items.partition()];
  }

  /** Sends the requests of one client. */
  async perform(client: number, steps: readonly Step[]): Promise<void> {
    for (const step of steps) {
      const value = ++this.#value;
      const called = ++this.#clock;
      const response = await catchMissingResponse(this.#send(client, step, value));
      // The deployment may forget the token of a failed transaction.
      if (response !== undefined && step.kind === "claim" && !isAppliedTransaction(response))
        this.#sent.delete(client);
      const returned = response === undefined ? Infinity : ++this.#clock;
      for (const observation of this.#interpret(step, value, response))
        this.requests.push({ called, returned, ...observation });
    }
  }

  /** Reads the final state: each item, and the items of each partition. */
  async readFinalState(): Promise<void> {
    for (const n of allKeys) {
      const called = ++this.#clock;
      const value = (await this.items.get(this.#key(n))).body?.data?.value as number | undefined;
      const name = `get ${n}: ${String(value)}`;
      this.requests.push({ called, returned: ++this.#clock, name, reads: [[n, value]] });
    }
    for (const pk of this.#partitions) {
      const called = ++this.#clock;
      const found = new Map((await this.items.readPartition(pk)).map(({ sk, data }) => [sk, data.value]));
      const keys = allKeys.filter((n) => this.#key(n).pk === pk);
      const reads = keys.map((n) => [n, found.get(this.#key(n).sk) as number | undefined] as const);
      const name = `query ${keys.join(" and ")}: ${formatValues(reads)}`;
      this.requests.push({ called, returned: ++this.#clock, name, reads });
    }
  }

  /** Formats the requests with the logical times of their calls and responses. */
  format(): string {
    return this.requests
      .toSorted((a, b) => a.called - b.called)
      .map(({ called, returned, name }) => `${called}-${returned === Infinity ? "?" : returned} ${name}`)
      .join("; ");
  }

  #key(n: number): ItemKey {
    return { pk: this.#partitions[n % 2] ?? this.#partitions[0], sk: `key-${n}` };
  }

  async #send(client: number, { kind, keys }: Step, value: number): Promise<ApiResponse> {
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
        const sent = { token: await this.items.token(), step: { kind, keys }, value };
        this.#sent.set(client, sent);
        return this.#transact(sent);
      }
      case "retry": {
        // Sent again with its token, the last transaction has no effect.
        const sent = this.#sent.get(client);
        return sent === undefined ? this.items.get(key) : this.#transact(sent);
      }
    }
  }

  #transact({ token, step: { kind, keys }, value }: SentTransaction): Promise<ApiResponse> {
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

  /** Returns what a response says about the items; a missing response says that writes may have taken effect. */
  #interpret({ kind, keys }: Step, value: number, response: ApiResponse | undefined): readonly Observation[] {
    const [first = 0] = keys;
    const all = keys.join(" and ");
    const writes = keys.map((n) => [n, value] as const);
    const isTransaction = kind === "transact" || kind === "claim";
    if (response !== undefined && !isTransaction && mayBeConflictRejection(response)) return [];
    switch (kind) {
      case "put":
        return [{ name: `put ${value} to ${first}`, writes: [[first, value]] }];
      case "delete":
        // A 404 also shows that there was no item.
        return [
          {
            name: `delete ${first}: ${response?.status ?? "no response"}`,
            writes: [[first, undefined]],
            ...(response?.status === 404 ? { absent: [first] } : {}),
          },
        ];
      case "read": {
        if (response === undefined) return [];
        const reads = keys.map((n) => {
          const found = this.reader.dataOf(response, this.#key(n))?.value;
          return [n, found as number | undefined] as const;
        });
        const name = `transact get ${all}: ${formatValues(reads)}`;
        // The specification does not say at which point in time it reads.
        return [{ name, reads, called: 0 }];
      }
      case "batch":
      case "clear": {
        // Entries are independent, and some may fail.
        const failed = (response?.body?.errors ?? []) as readonly ItemKey[];
        const written = kind === "batch" ? value : undefined;
        return keys
          .filter((n) => !failed.some(({ sk }) => sk === this.#key(n).sk))
          .map((n) => ({ name: `${kind} of ${n}: ${String(written)}`, writes: [[n, written]] }));
      }
      case "transact":
      case "claim": {
        const absent = kind === "claim" ? [first] : [];
        const name = `transact put ${value} to ${all}${kind === "claim" ? ` if there is no ${first}` : ""}`;
        if (response === undefined || isAppliedTransaction(response))
          return [{ name, writes, absent, hasToken: true }];
        // A transaction that was canceled for another reason shows nothing.
        return hasFailedCondition(response) ? [{ name: `${name}: refused`, present: absent }] : [];
      }
      case "get":
      case "retry":
        return [];
    }
  }
}

function formatValues(reads: NonNullable<TimedRequest["reads"]>): string {
  return reads.map(([, value]) => String(value)).join(" and ");
}
