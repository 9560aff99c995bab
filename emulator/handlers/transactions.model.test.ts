import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Profile } from "../../openapi/gaps/profile.js";
import { createItemsClient, type ItemsClient } from "../testing/items-client.js";
import { type TestResponse, type TestEmulator } from "../testing/test-client.js";
import { useTestEmulator } from "../testing/use-test-emulator.js";
import {
  type Condition,
  type Data,
  type Item,
  ItemsModel,
  type Key,
  type ModelProfile,
  type Operation,
  TransactionTokensModel,
} from "./testing/transactions.model.js";

type Write = Extract<Operation, { action: "Put" } | { action: "Delete" }>;
type Projected = Key & { readonly projection: readonly string[] | undefined };

type Step =
  | { readonly kind: "put" | "delete"; readonly operation: Write }
  | { readonly kind: "batchWrite"; readonly entries: readonly Write[] }
  | { readonly kind: "batchGet"; readonly keys: readonly Key[] }
  | {
      readonly kind: "transactWrite";
      readonly operations: readonly Operation[];
      readonly token: string | undefined;
    }
  | {
      readonly kind: "transactGet";
      readonly entries: readonly Projected[];
      readonly token: string | undefined;
    }
  | { readonly kind: "query"; readonly pk: string; readonly forward: boolean }
  | { readonly kind: "wait" };

const everyKey: readonly Key[] = [
  { pk: "a", sk: null },
  { pk: "a", sk: "1" },
  { pk: "a", sk: "2" },
  { pk: "b/ %", sk: null },
];
const names = ["n", "10", "2", "__proto__", "z"];
const texts = [
  "0",
  "1",
  "1.0",
  "2",
  "12345678901234567890",
  "true",
  "null",
  '"ü\\n"',
  '[{"b":1e2,"2":-0,"1":{}}]',
];

const key = fc.constantFrom(...everyKey);
const data: fc.Arbitrary<Data> = fc.uniqueArray(
  fc.tuple(fc.constantFrom(...names), fc.constantFrom(...texts)),
  { selector: ([name]) => name, maxLength: 4 },
);
const plainCondition: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({ kind: fc.constantFrom("exists", "absent") }),
  fc.record({
    kind: fc.constant("compare"),
    attribute: fc.constantFrom("n", "__proto__"),
    comparator: fc.constantFrom("=", "<", ">="),
    number: fc.nat(2),
  }),
);
const condition: fc.Arbitrary<Condition> = fc.oneof(
  { arbitrary: plainCondition, weight: 3 },
  plainCondition.map((term) => ({ kind: "not", term }) as const),
);
const maybe = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined, freq: 2 });

const put = fc
  .tuple(key, data, maybe(condition))
  .map(([at, value, when]): Write => ({ ...at, action: "Put", data: value, condition: when }));
const remove = fc
  .tuple(key, maybe(condition))
  .map(([at, when]): Write => ({ ...at, action: "Delete", condition: when }));
const update = fc
  .tuple(key, data, maybe(condition))
  .map(([at, value, when]): Operation => ({ ...at, action: "Update", data: value, condition: when }));
const check = fc
  .tuple(key, condition)
  .map(([at, when]): Operation => ({ ...at, action: "ConditionCheck", condition: when }));
const token = fc.option(fc.constantFrom("t1", "t2"), { nil: undefined, freq: 1 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: put.map((operation): Step => ({ kind: "put", operation })), weight: 3 },
  key.map((at): Step => ({ kind: "delete", operation: { ...at, action: "Delete" } })),
  fc.record({
    kind: fc.constant("batchWrite"),
    entries: fc.array(fc.oneof(put, remove), { minLength: 1, maxLength: 5 }),
  }),
  fc.record({ kind: fc.constant("batchGet"), keys: fc.array(key, { minLength: 1, maxLength: 5 }) }),
  {
    arbitrary: fc.record({
      kind: fc.constant("transactWrite"),
      operations: fc.array(fc.oneof(put, update, remove, check), { minLength: 1, maxLength: 4 }),
      token,
    }),
    weight: 5,
  },
  fc.record({
    kind: fc.constant("transactGet"),
    entries: fc.array(
      fc
        .tuple(key, maybe(fc.array(fc.constantFrom(...names), { maxLength: 3 })))
        .map(([at, projection]): Projected => ({ ...at, projection })),
      { minLength: 1, maxLength: 4 },
    ),
    token,
  }),
  fc.record({ kind: fc.constant("query"), pk: fc.constantFrom("a", "b/ %"), forward: fc.boolean() }),
  fc.record({ kind: fc.constant("wait") }),
);
/** Steps that often repeat the previous step, so that tokens are often repeated. */
const steps = fc
  .array(fc.tuple(step, fc.nat(4)), { minLength: 1, maxLength: 12 })
  .map((drawn) => drawn.flatMap(([one, repeat]) => (repeat === 0 ? [one, one] : [one])));

const numRuns = Number(process.env.PROPERTY_RUNS ?? 20);

describe("random operations on few keys match a model", () => {
  const running = useTestEmulator();

  const profiles: readonly [title: string, profile: Partial<Profile>, model: ModelProfile][] = [
    ["by default", {}, { updateMissingItem: "ConditionalCheckFailed" }],
    ["with updates that create", { "update-missing-item": "create" }, { updateMissingItem: "create" }],
    [
      "with updates that fail otherwise",
      { "update-missing-item": "ValidationError" },
      { updateMissingItem: "ValidationError" },
    ],
  ];

  it.each(profiles)(
    "[BATCH-02] [BATCH-03] [BATCH-04] [TX-01] [TX-08] [TX-10] [TX-14] everything readable equals the model, %s",
    { timeout: 600_000 },
    async (_title, profile, modelProfile) => {
      await fc.assert(
        fc.asyncProperty(steps, async (drawn) => {
          const items = await createItemsClient(running, profile);
          const session = new Session(running, items, modelProfile);
          for (const one of drawn) await session.take(one);
        }),
        { numRuns },
      );
    },
  );
});

/** A database and its model, which execute the same steps. */
class Session {
  readonly #model: ItemsModel;
  readonly #tokens = new TransactionTokensModel();
  #waits = 0;

  constructor(
    readonly running: TestEmulator,
    readonly items: ItemsClient,
    profile: ModelProfile,
  ) {
    this.#model = new ItemsModel(profile);
  }

  async take(one: Step): Promise<void> {
    switch (one.kind) {
      case "wait":
        // do not advance the clock by more than an hour, because the caller's access token would expire
        if (this.#waits < 10) this.running.emulator.clock.advance("PT5M");
        this.#waits += 1;
        return;
      case "put":
        await this.#put(one.operation);
        break;
      case "delete":
        expect((await this.items.delete(one.operation.pk, one.operation.sk)).status).toBe(204);
        this.#model.write(one.operation, this.#now());
        break;
      case "batchWrite":
        await this.#batchWrite(one.entries);
        break;
      case "batchGet":
        await this.#batchGet(one.keys);
        return;
      case "transactWrite":
        await this.#transactWrite(one.operations, one.token);
        break;
      case "transactGet":
        await this.#transactGet(one.entries, one.token);
        return;
      case "query":
        await this.#query(one.pk, one.forward);
        return;
    }
    await this.#readEverything();
  }

  /** The time of the last request. */
  #now(): string {
    return this.running.emulator.clock.get().now;
  }

  async #put(operation: Write): Promise<void> {
    const answer = await this.items.send("PUT", "", `{${formatWrite(operation)}}`);
    const written = this.#model.write(operation, this.#now());
    expect(answer.status).toBe(written ? 200 : 409);
    const { updatedAt = "" } = this.#model.item(operation) ?? {};
    if (written) expect(answer.text).toBe(`{${keyText(operation)},"updatedAt":"${updatedAt}"}`);
  }

  async #batchWrite(entries: readonly Write[]): Promise<void> {
    const texts = entries.map((entry) => `{"operation":"${entry.action}",${formatWrite(entry)}}`);
    const answer = await this.items.send("POST", "/batch/write", `{"items":[${texts.join(",")}]}`);
    const failed = entries.filter((entry) => !this.#model.write(entry, this.#now()));
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        successCount: entries.length - failed.length,
        failedCount: failed.length,
        errors:
          failed.length === 0
            ? null
            : failed.map(({ pk, sk }) => ({ pk, sk, error: expect.any(String) as string })),
      },
    ]);
  }

  async #batchGet(keys: readonly Key[]): Promise<void> {
    const answer = await this.items.batchGet(keys);
    const once = keys.filter(
      (at, index) => keys.findIndex((other) => keyText(other) === keyText(at)) === index,
    );
    const found = once.flatMap((at) => this.#model.item(at) ?? []);
    expect(answer.text).toBe(`{"items":[${found.map(wholeText).join(",")}],"unprocessedKeys":null}`);
  }

  async #transactWrite(operations: readonly Operation[], token: string | undefined): Promise<void> {
    const body = (sorted: boolean) => {
      const texts = operations.map((one) => `{"action":"${one.action}",${formatWrite(one, sorted)}}`);
      return transactionText(texts, token);
    };
    const usage = await this.items.usage();
    const answer = await this.items.send("POST", "/transact/write", body(false));
    const fresh = this.#answeredAnew("write", token, body(true), answer);
    const faults = fresh ? this.#model.transact(operations, this.#now()) : [];
    if (fresh) {
      expect([answer.status, answer.body]).toEqual([
        200,
        faults.length === 0
          ? { successCount: operations.length, errors: null }
          : {
              successCount: 0,
              errors: faults.map((fault) => ({ ...fault, error: expect.any(String) as string })),
            },
      ]);
    }
    if (!fresh || faults.length > 0) expect(await this.items.usage()).toEqual(usage);
  }

  async #transactGet(entries: readonly Projected[], token: string | undefined): Promise<void> {
    const texts = entries.map(({ projection, ...at }) => {
      const more = projection === undefined ? "" : `,"projectionExpression":${JSON.stringify(projection)}`;
      return `{${keyText(at)}${more}}`;
    });
    const body = transactionText(texts, token);
    const answer = await this.items.send("POST", "/transact/get", body);
    if (!this.#answeredAnew("get", token, body, answer)) return;
    const expected = entries.map((entry) => {
      const item = this.#model.item(entry);
      const shown = item === undefined ? "null" : dataText(project(item.data, entry.projection));
      return `{${keyText(entry)},"item":${shown},"itemExists":${item !== undefined}}`;
    });
    expect(answer.text).toBe(`{"items":[${expected.join(",")}]}`);
  }

  /** Whether a transaction was executed. If its token was used before, checks the response. */
  #answeredAnew(kind: string, token: string | undefined, fingerprint: string, answer: TestResponse): boolean {
    if (token === undefined) return true;
    const now = Date.parse(this.#now());
    const recalled = this.#tokens.recall(kind, token, fingerprint, now);
    if (recalled === undefined) this.#tokens.remember(kind, token, fingerprint, answer.text, now);
    else if (recalled === "refused") expect(answer.status).toBe(400);
    else expect(answer.text).toBe(recalled.answer);
    return recalled === undefined;
  }

  async #query(pk: string, forward: boolean): Promise<void> {
    const answer = await this.items.send("POST", "/query", { partitionKey: pk, scanForward: forward });
    const partition = this.#model.all().filter((item) => item.pk === pk);
    expect(answer.text).toBe(pageText(forward ? partition : partition.toReversed()));
  }

  async #readEverything(): Promise<void> {
    const all = this.#model.all();
    expect((await this.items.send("POST", "/scan", {})).text).toBe(pageText(all));
    await this.#batchGet(everyKey);
    expect(await this.items.usage()).toMatchObject({
      itemCount: all.length,
      storageBytes: all.reduce((sum, item) => sum + bytesOf(item), 0),
    });
  }
}

function dataText(members: Data): string {
  return `{${members.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(",")}}`;
}

function keyText({ pk, sk }: Key): string {
  return `"pk":${JSON.stringify(pk)},"sk":${JSON.stringify(sk)}`;
}

function wholeText({ data: members, createdAt, updatedAt, ...at }: Item): string {
  return `{${keyText(at)},"data":${dataText(members)},"createdAt":"${createdAt}","updatedAt":"${updatedAt}"}`;
}

function pageText(found: readonly Item[]): string {
  const texts = found.map((item) => `{${keyText(item)},"data":${dataText(item.data)}}`);
  return `{"items":[${texts.join(",")}],"nextCursor":null,"count":${found.length},"scannedCount":${found.length}}`;
}

function transactionText(entries: readonly string[], token: string | undefined): string {
  return `{"items":[${entries.join(",")}]${token === undefined ? "" : `,"clientRequestToken":"${token}"`}}`;
}

/** Formats the fields of a write. With `sorted`, bodies that differ only in the order of fields have the same text. */
function formatWrite(operation: Operation, sorted = false): string {
  const members = [keyText(operation)];
  if ("data" in operation)
    members.push(`"data":${dataText(sorted ? operation.data.toSorted() : operation.data)}`);
  const { condition: when } = operation;
  if (when !== undefined) {
    const { text, value } = spell(when);
    members.push(`"conditionExpression":${JSON.stringify(text)}`);
    if (value !== undefined) members.push(`"filterValues":{":value":${value}}`);
  }
  return members.join(",");
}

function spell(when: Condition): { readonly text: string; readonly value?: number } {
  switch (when.kind) {
    case "exists":
      return { text: "attribute_exists(pk)" };
    case "absent":
      return { text: "attribute_not_exists(pk)" };
    case "not": {
      const term = spell(when.term);
      return { ...term, text: `NOT (${term.text})` };
    }
    case "compare":
      return { text: `${when.attribute} ${when.comparator} :value`, value: when.number };
  }
}

function project(members: Data, projection: readonly string[] | undefined): Data {
  if (projection === undefined) return members;
  return [...new Set(projection)].flatMap((name) => members.filter((member) => member[0] === name));
}

function bytesOf({ pk, sk, data: members }: Item): number {
  return Buffer.byteLength(pk + (sk ?? "") + dataText(members));
}
