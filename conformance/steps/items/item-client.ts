import { parse } from "lossless-json";
import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { ClauseId } from "../../../openapi/clauses/register.js";
import { limits } from "../../../openapi/clauses/limits.js";
import { getSampleAnswers } from "../../../openapi/gaps/register.js";
import type { components } from "../../../openapi/generated/service-types.js";
import type { ApiResponse, CallOptions } from "../../client/client.js";
import { createValueComparison } from "../../client/value-comparison.js";
import { isClientError } from "../../client/is-client-error.js";
import { isCanceledTransaction } from "../../client/get-retry-plan.js";
import { readAllPages } from "../../client/read-all-pages.js";
import { type JsonText, parseJson, parseJsonAsDoubles, stringifyJson } from "../../client/json-text.js";
import { defineChecksWithSubject } from "../../check/check.js";
import { type CheckContext, formatValue, formatResponse } from "../../check/context.js";
import { parseInstant } from "../parse-instant.js";
import { isPossiblePageCount } from "../pages.js";
import { type ItemKey, formatItemKey } from "../../models/item-key.js";
import { ClauseViolation } from "../../client/violation.js";

/** Data of an item: an object, or its JSON text if the notation of numbers matters. */
export type Data = Readonly<Record<string, unknown>> | JsonText;

/** The fields that make a write conditional: `conditionExpression`, and the values of its names. */
export type ItemCondition = Readonly<Record<string, unknown>>;

/** Further options of a request. */
type How = Pick<CallOptions, "as" | "intent" | "setUp" | "skipValidation">;

export type FoundItem = Readonly<components["schemas"]["FoundItem"]>;
export type ItemPage = Readonly<components["schemas"]["ItemPage"]>;
export type TransactionError = Readonly<components["schemas"]["TransactionError"]>;

export interface BatchEntry extends ItemKey {
  readonly operation: "Put" | "Delete";
  readonly data?: Data | undefined;
  readonly condition?: ItemCondition;
}

export interface TransactionEntry extends ItemKey {
  readonly action: "Put" | "Update" | "Delete" | "ConditionCheck";
  readonly data?: Data | undefined;
  readonly condition?: ItemCondition;
}

/** Maximum number of consecutive empty pages before a list counts as endless. */
const maxEmptyPages = 1000;

/** Maximum number of requests of a batch get, including those for unprocessed keys. */
const maxBatchGets = 20;

/** Maximum number of times that failed entries of a batch are sent. */
const maxAttempts = 5;

/** Defines checks on items of the database that all checks share. */
export const defineItemChecks = defineChecksWithSubject(["database"], (context) =>
  ItemClient.shared(context),
);

/** Creates a condition on whether the item exists. */
export function createExistenceCondition(wanted: boolean): ItemCondition {
  return { conditionExpression: wanted ? "attribute_exists(pk)" : "attribute_not_exists(pk)" };
}

/** Sends requests for the items of one database. */
export class ItemClient {
  /** Keys written in each try and outside of tries, by the list of work at their end. */
  readonly #written = new WeakMap<object, Map<string, ItemKey>>();
  /** Replacements for tokens whose transactions were canceled. */
  readonly #replacedTokens = new Map<string, string>();
  /** The response to a request whose token is a name. */
  #tokenProbe: Promise<ApiResponse> | undefined;

  /** @param deletesItems whether items written in a try are deleted at its end; a separate database is deleted as a whole */
  constructor(
    readonly context: CheckContext,
    readonly databaseId: string,
    readonly deletesItems = false,
  ) {}

  /** Creates a client for the database that all checks share. */
  static async shared(context: CheckContext): Promise<ItemClient> {
    return new ItemClient(context, await context.resources.getDatabase(), true);
  }

  /** Returns a unique partition key. */
  partition(suffix = ""): string {
    return this.context.resources.createName(suffix);
  }

  /** Returns a key in a unique partition. */
  key(sk: string | null = null): ItemKey {
    return { pk: this.partition(), sk };
  }

  /**
   * Returns a unique `clientRequestToken`: a name with the given ending or, if names are refused, a UUID. The specification
   * does not define the form of tokens.
   */
  async token(end = ""): Promise<string> {
    const { resources } = this.context;
    const name = resources.createName(end);
    const probe = { setUp: true, skipValidation: true, intent: "may-be-refused" } as const;
    this.#tokenProbe ??= this.transactGet([this.key()], resources.createName(), probe);
    return isClientError(await this.#tokenProbe) ? randomUUID() : name;
  }

  put(key: ItemKey, data: Data, condition: ItemCondition = {}, how: How = {}): Promise<ApiResponse> {
    this.#recordWrites([key]);
    return this.putBody(key, { ...toKeyFields(key), data, ...condition }, how);
  }

  /** Sends a Put with any body; the key is used by deployments that have it in the path. */
  putBody(key: ItemKey, body: unknown, how: How = {}): Promise<ApiResponse> {
    return this.context.call("putItem", { path: this.#path(key), rawBody: stringifyJson(body), ...how });
  }

  get(key: ItemKey, how: How = {}): Promise<ApiResponse> {
    const operation = key.sk === null ? "getItem" : "getItemWithSortKey";
    return this.context.call(operation, { path: this.#path(key), ...how });
  }

  remove(key: ItemKey, how: How = {}): Promise<ApiResponse> {
    const operation = key.sk === null ? "deleteItem" : "deleteItemWithSortKey";
    return this.context.call(operation, { path: this.#path(key), ...how });
  }

  query(body: unknown, how: How = {}): Promise<ApiResponse> {
    return this.#post("queryItems", body, how);
  }

  scan(body: unknown): Promise<ApiResponse> {
    return this.#post("scanItems", body, {});
  }

  batchWrite(entries: readonly BatchEntry[], how: How = {}): Promise<ApiResponse> {
    this.#recordWrites(entries.filter(({ operation }) => operation === "Put"));
    const items = entries.map(({ operation, data, condition, ...key }) => ({
      operation,
      ...toKeyFields(key),
      data,
      ...condition,
    }));
    return this.#post("batchWriteItems", { items }, how);
  }

  batchGet(keys: readonly ItemKey[], how: How = {}): Promise<ApiResponse> {
    return this.#post("batchGetItems", { keys: keys.map(toKeyFields) }, how);
  }

  /** Gets a batch, repeats the request for unprocessed keys, and returns one response with all items. */
  async batchGetAll(keys: readonly ItemKey[]): Promise<ApiResponse> {
    const items: unknown[] = [];
    let remaining = keys;
    for (let request = 1; ; request++) {
      const response = await this.batchGet(remaining);
      if (response.status !== 200) return response;
      const unprocessed = ((response.body?.unprocessedKeys ?? []) as readonly ItemKey[]).map(
        ({ pk, sk }) => ({ pk, sk }),
      );
      const returned = (response.body.items as readonly ItemKey[]).map(formatItemKey);
      const requested = remaining.map(formatItemKey);
      const wrong = unprocessed
        .map(formatItemKey)
        .filter((key) => !requested.includes(key) || returned.includes(key));
      const what = "unprocessed keys that were not requested, or whose items were returned";
      this.context.assertEqual("BATCH-10", wrong, [], what);
      items.push(...(parse(response.text) as { items: unknown[] }).items);
      remaining = unprocessed;
      if (remaining.length > 0 && request < maxBatchGets) continue;
      const text = stringifyJson({ ...response.body, items });
      return { ...response, text, body: parseJson(text) };
    }
  }

  transactGet(
    entries: readonly (ItemKey & { readonly projection?: readonly string[] })[],
    token?: string,
    how: How = {},
  ): Promise<ApiResponse> {
    const items = entries.map(({ projection, ...key }) => ({
      ...toKeyFields(key),
      projectionExpression: projection,
    }));
    return this.#post("transactGetItems", { items, clientRequestToken: token }, how);
  }

  /**
   * Sends a transact write; a transaction that was canceled for a temporary reason is repeated with a new token, unless
   * another request with the token may have been executed.
   */
  async transactWrite(
    entries: readonly TransactionEntry[],
    token?: string,
    { keepsToken = false, ...how }: How & { readonly keepsToken?: boolean } = {},
  ): Promise<ApiResponse> {
    this.#recordWrites(entries);
    for (let attempt = 1; ; attempt++) {
      const sent = token === undefined ? undefined : (this.#replacedTokens.get(token) ?? token);
      const response = await this.#post("transactWriteItems", buildTransactionBody(entries, sent), how);
      if (token === undefined || keepsToken || !isCanceledTransaction(response) || attempt >= maxAttempts)
        return response;
      const next = isUuid(token) ? randomUUID() : `${this.context.resources.createName()}-${token}`;
      this.#replacedTokens.set(token, next);
    }
  }

  /**
   * Writes a batch, and repeats failed entries a few times, because some entries may fail for a temporary reason.
   *
   * @returns the responses to the whole batch and to the last repetition
   */
  async batchWriteAll(
    entries: readonly BatchEntry[],
    call: Partial<CallOptions> = {},
  ): Promise<{ readonly first: ApiResponse; readonly last: ApiResponse }> {
    const first = await this.batchWrite(entries, call);
    let last = first;
    let failed = entries;
    for (let attempt = 1; ; attempt++) {
      const failedKeys = listFailedKeys(last);
      failed = failed.filter((entry) => failedKeys.includes(formatItemKey(entry)));
      if (failed.length === 0 || attempt >= maxAttempts) return { first, last };
      last = await this.batchWrite(failed, call);
    }
  }

  /** Puts or deletes items as setup, in batches. Returns the responses. */
  async #writeInBatches(entries: readonly BatchEntry[]): Promise<readonly ApiResponse[]> {
    const responses: ApiResponse[] = [];
    for (let start = 0; start < entries.length; start += limits.batchWriteItems) {
      const batch = entries.slice(start, start + limits.batchWriteItems);
      responses.push((await this.batchWriteAll(batch, { setUp: true })).last);
    }
    return responses;
  }

  /** Puts the items that a check needs as setup, in batches. */
  async load(items: readonly (ItemKey & { readonly data: Data })[]): Promise<void> {
    for (const response of await this.#writeInBatches(items.map((item) => ({ operation: "Put", ...item })))) {
      const isApplied = response.status === 200 && listFailedKeys(response).length === 0;
      this.context.assert("BATCH-02", isApplied, "a batch of valid Puts is applied", response.text);
    }
  }

  /** Puts ten items that together have more than a megabyte. Returns their keys and the data that each of them has. */
  async putMegabyte(): Promise<{ readonly keys: readonly ItemKey[]; readonly data: Data }> {
    const pk = this.partition();
    const keys = Array.from({ length: 10 }, (_, n): ItemKey => ({ pk, sk: `s${n}` }));
    const data = { text: "x".repeat(140_000) };
    for (const key of keys) this.context.assertStatus("ITEM-09", await this.put(key, data), 200);
    return { keys, data };
  }

  /**
   * Reads all pages of a list, and asserts the properties that every page must have.
   *
   * @param accepted the clause that is broken if the request is refused
   */
  async pages(
    operation: "queryItems" | "scanItems",
    request: object,
    accepted: ClauseId = "ITEM-28",
  ): Promise<readonly ItemPage[]> {
    const context: CheckContext = this.context;
    const pages: ItemPage[] = [];
    const keys = new Set<string>();
    const { limit } = request as { readonly limit?: number };
    const clause = limit === undefined ? "GEN-07" : "ITEM-31";
    const most = limit ?? limits.defaultPageSize;
    let emptyPages = 0;
    let cursor: string | null | undefined;
    do {
      const response = await this.#post(operation, { ...request, cursor }, {});
      context.assertStatus(cursor === undefined ? accepted : "ITEM-30", response, 200);
      const page = response.body as ItemPage;
      const { items, count } = page;
      context.assert("ITEM-29", count >= items.length, `a count of at least ${items.length}`, count);
      context.assert(clause, items.length <= most, `at most ${most} items on the page`, items.length);
      for (const key of items.map(formatItemKey)) {
        context.assert("ITEM-30", !keys.has(key), "only items that no earlier page had", `${key} again`);
        keys.add(key);
      }
      pages.push(page);
      emptyPages = items.length === 0 ? emptyPages + 1 : 0;
      context.assert("GEN-03", emptyPages <= maxEmptyPages, "a null nextCursor at the end", page);
      cursor = page.nextCursor;
    } while (cursor !== null);
    // Other checks do not write to the partition, but may write during a scan.
    if (operation === "queryItems") this.assertCounts(pages);
    return pages;
  }

  /** Asserts that each page of an unchanged list has the right count. */
  assertCounts(pages: readonly ItemPage[]): void {
    const sizes = pages.map(({ items }) => items.length);
    for (const [at, { count }] of pages.entries())
      this.context.assert(
        "ITEM-29",
        isPossiblePageCount(count, sizes, at),
        `a count equal to the number of items, on pages of ${sizes.join(", ")}`,
        count,
      );
  }

  /** Returns the items of a partition with their data, with numbers as doubles. */
  async readPartition(pk: string): Promise<readonly FoundItem[]> {
    const ask = async (cursor: string | undefined) => {
      const response = await this.query({ partitionKey: pk, cursor });
      return { ...response, body: { ...response.body, items: getItems(response) } };
    };
    return readAllPages<FoundItem>("items", ask, () => []);
  }

  /** Returns all items of a list, in order. */
  async list(operation: "queryItems" | "scanItems", request: object): Promise<readonly FoundItem[]> {
    return (await this.pages(operation, request)).flatMap(({ items }) => items);
  }

  /**
   * Asserts that an item has the given data, or does not exist. If Get returns something else, a batch get shows whether
   * the write or Get itself is at fault.
   *
   * @param clause the clause about the operation on the item
   * @param data the expected data; undefined if the item must not exist
   */
  async expect(clause: ClauseId, key: ItemKey, data: Data | undefined): Promise<void> {
    const context: CheckContext = this.context;
    const response = await this.get(key);
    const wanted = data === undefined ? undefined : normalizeData(data);
    const holds =
      isDeepStrictEqual(getItemData(response), wanted) && (response.status === 404) === (data === undefined);
    const where = `the item ${formatValue([key.pk, key.sk])}`;
    const expected =
      data === undefined ? `${where} does not exist` : `${where} to have ${stringifyJson(data)}`;
    const compare = () => {
      if (response.status !== 200) return undefined;
      const found = (parse(response.text) as { data?: unknown } | null)?.data;
      return createValueComparison(`data of ${where}`, data, found);
    };
    if (!holds) {
      const batch = await this.batchGetAll([key]);
      const found = getItems(batch).find((item) => item.pk === key.pk && item.sk === key.sk)?.data;
      if (batch.status === 200 && isDeepStrictEqual(found, wanted))
        context.assert(
          data === undefined ? "ITEM-13" : "ITEM-12",
          false,
          `${expected}, according to batch get`,
          formatResponse(response),
          compare,
        );
    }
    context.assert(clause, holds, expected, formatResponse(response), compare);
  }

  /** Asserts that a transaction was applied or not applied; its response may have any status. */
  assertApplied(clause: ClauseId, response: ApiResponse, what: string, isWanted = true): void {
    const expected = `${what} is ${isWanted ? "" : "not "}applied`;
    this.context.assert(
      clause,
      isAppliedTransaction(response) === isWanted,
      expected,
      formatResponse(response),
    );
  }

  /** Deletes the items that this client has written in the current try. */
  deleteWrittenItems(): Promise<void> {
    return this.#deleteWritten(this.context.cleanups);
  }

  /** Deletes the items written in a try; whether this succeeds is not judged. */
  async #deleteWritten(cleanups: object): Promise<void> {
    const keys = [...(this.#written.get(cleanups)?.values() ?? [])];
    this.#written.delete(cleanups);
    try {
      await this.#writeInBatches(keys.map((key) => ({ operation: "Delete", ...key })));
    } catch (error) {
      if (!(error instanceof ClauseViolation)) throw error;
    }
  }

  #recordWrites(keys: readonly ItemKey[]): void {
    if (!this.deletesItems || keys.length === 0) return;
    const { cleanups } = this.context;
    const written = this.#written.get(cleanups) ?? new Map<string, ItemKey>();
    if (written.size === 0) cleanups.push(() => this.#deleteWritten(cleanups));
    for (const { pk, sk } of keys) written.set(formatItemKey({ pk, sk }), { pk, sk });
    this.#written.set(cleanups, written);
  }

  #path({ pk, sk }: ItemKey): Readonly<Record<string, string>> {
    return { databaseId: this.databaseId, pk, ...(sk === null ? {} : { sk }) };
  }

  #post(operation: Parameters<CheckContext["call"]>[0], body: unknown, how: How): Promise<ApiResponse> {
    return this.context.call(operation, {
      path: { databaseId: this.databaseId },
      rawBody: stringifyJson(body),
      ...how,
    });
  }
}

/** Whether a token is a UUID, in which the case of letters has no meaning. */
export function isUuid(token: string): boolean {
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(token);
}

/** Builds the body of a transact write. */
export function buildTransactionBody(entries: readonly TransactionEntry[], token?: string): object {
  return {
    items: entries.map(({ action, data, condition, ...key }) => ({
      action,
      ...toKeyFields(key),
      data,
      ...condition,
    })),
    clientRequestToken: token,
  };
}

/** Returns the fields of a request that name an item; without a sort key, `sk` is omitted. */
function toKeyFields({ pk, sk }: ItemKey): object {
  return sk === null ? { pk } : { pk, sk };
}

/** Returns the data in the response to a get, with numbers as doubles. */
export function getItemData(response: ApiResponse): unknown {
  if (response.status !== 200) return undefined;
  return (parseJsonAsDoubles(response.text) as { data?: unknown }).data;
}

/** Returns the items of a response with their data, with numbers as doubles. */
export function getItems(response: ApiResponse): readonly FoundItem[] {
  return response.status === 200 ? (parseJsonAsDoubles(response.text) as ItemPage).items : [];
}

/** Whether a transaction was applied; the response to a transaction that was not applied may have any status. */
export function isAppliedTransaction(response: ApiResponse | undefined): boolean {
  return response?.status === 200 && response.body.successCount > 0;
}

/** Whether a transaction failed because of a condition, not because of a conflict. */
export function hasFailedCondition(response: ApiResponse | undefined): boolean {
  const errors = (response?.body?.errors ?? []) as readonly TransactionError[];
  return errors.some(({ errorType }) => errorType === "ConditionalCheckFailed");
}

/** Returns the instants at which the item in a response was created and updated. */
export function getItemTimestamps({ body }: ApiResponse): readonly (number | undefined)[] {
  return [body?.createdAt, body?.updatedAt].map(parseInstant);
}

/**
 * Asserts that a list contains the items with the given keys, in any order.
 *
 * @param clauses the clauses that forbid other items (`unexpected`), and that demand all items (`missing`)
 */
export function assertFoundItems(
  context: CheckContext,
  clauses: { readonly unexpected: ClauseId; readonly missing: ClauseId },
  found: readonly ItemKey[],
  wanted: readonly ItemKey[],
  what: string,
): void {
  const [foundKeys, wantedKeys] = [found, wanted].map((items) => new Set(items.map(formatItemKey)));
  const unexpected = found.filter((item) => !wantedKeys?.has(formatItemKey(item)));
  context.assertEqual(clauses.unexpected, unexpected, [], `items other than ${what}`);
  const missing = wanted.filter((item) => !foundKeys?.has(formatItemKey(item)));
  const missingKeys = missing.map(({ pk, sk }) => ({ pk, sk }));
  context.assertEqual(clauses.missing, missingKeys, [], `${what} that the response omits`);
}

/** Converts data to the form in which it is compared, with numbers as doubles. */
export function normalizeData(data: Data): unknown {
  return parseJsonAsDoubles(stringifyJson(data));
}

/** Lists the fields that may contain the values of a condition: the field that the target names, then the known fields. */
export function listConditionValueFields(context: CheckContext): readonly string[] {
  const named = context.knownAnswers("condition-values");
  return [...new Set([...(named === undefined ? [] : [named]), ...getSampleAnswers("condition-values")])];
}

/** Lists the keys of the failed entries in the response to a batch write, as {@link formatItemKey} formats them. */
export function listFailedKeys({ status, body }: ApiResponse): readonly string[] {
  const { errors } = (body ?? {}) as { readonly errors?: readonly ItemKey[] | null };
  return status === 200 ? (errors ?? []).map(formatItemKey) : [];
}
