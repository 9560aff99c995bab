import fc from "fast-check";
import { isDeepStrictEqual } from "node:util";
import type { ClauseId } from "../../../openapi/clauses/register.js";
import { isClientError } from "../../client/is-client-error.js";
import { isWidelySupportedJson } from "../../generators/is-widely-supported-json.js";
import type { ApiResponse } from "../../client/client.js";
import { JsonText } from "../../client/json-text.js";
import { type CheckContext, formatResponse } from "../../check/context.js";
import { listDataCalls } from "../../steps/data-calls.js";
import {
  areTimestampsClose,
  assertCurrentTime,
  waitForLaterTime,
  assertTimestamp,
  getMillisecondsBetween,
  maxClockSkewMs,
} from "../../steps/timestamps.js";
import {
  anyData,
  dataOfEveryType,
  exampleData,
  nonObject,
  exampleNonObjects,
  smallData,
  dataWithManyFields,
} from "../../generators/item-data.js";
import {
  distinctKeysArbitrary,
  exampleKeys,
  keyText,
  partitionSuffix,
  sortKey,
} from "../../generators/item-keys.js";
import type { ItemKey } from "../../models/item-key.js";
import {
  type Data,
  getItemData,
  getItemTimestamps,
  defineItemChecks,
  type ItemClient,
  getItems,
  normalizeData,
} from "../../steps/items/item-client.js";
import { startOwnerSession } from "../../steps/create-new-user.js";
import { readUntil } from "../../steps/read-until.js";
import { KeyRestrictions } from "./key-restrictions.js";
import { TransactGetReader } from "./transact-get-reader.js";

/** Checks of Put, Get and Delete of single items (part 4.2 rules 1 and 2). */
export const singleItemChecks = defineItemChecks(
  {
    id: "items/put-get-delete",
    title: "An item can be created, replaced, read and deleted",
    clauses: ["ITEM-01", "ITEM-02", "ITEM-03", "ITEM-10", "ITEM-12", "ITEM-15"],
    run: async (items, context: CheckContext) => {
      const keys = await KeyRestrictions.detect(items);
      const transacted = await TransactGetReader.detect(items);
      await context.property(
        { suffix: partitionSuffix, sk: sortKey, first: smallData, second: smallData },
        async ({ suffix, sk, first, second }) => {
          const key = { pk: items.partition(keys.adapt(suffix)), sk: keys.adapt(sk) };
          assertPut(context, await items.put(key, { ...first, was: 1 }), key);
          await items.expect("ITEM-02", key, { ...first, was: 1 });
          assertItem(context, await items.get(key), key);
          assertPut(context, await items.put(key, second), key);
          await items.expect("ITEM-03", key, second);
          await assertRead(items, transacted, "ITEM-03", key, second);
          const deleted = context.assertStatus("ITEM-15", await items.remove(key), 204);
          context.assertEqual("ITEM-15", deleted.text, "", "the body");
          await items.expect("ITEM-15", key, undefined);
          const found = await items.readPartition(key.pk);
          context.assertEqual("ITEM-15", found, [], "the items in the partition after Delete");
          // A new item contains nothing of a deleted item with the same key.
          await items.put(key, { again: 1 });
          await items.expect("ITEM-02", key, { again: 1 });
        },
        {
          examples: [
            { suffix: "", sk: null, first: { a: 1 }, second: { b: 2 } },
            { suffix: "", sk: "s", first: { a: 1 }, second: {} },
            { suffix: keys.unusualText, sk: keys.unusualText, first: { a: 1 }, second: dataWithManyFields },
          ],
        },
      );
    },
  },
  {
    id: "items/data",
    title: "Any data is returned unchanged",
    clauses: ["ITEM-09"],
    run: async (items, context: CheckContext) => {
      const transacted = await TransactGetReader.detect(items);
      await context.property(
        { data: anyData },
        async ({ data }) => {
          const key = items.key("s");
          const put = await items.put(key, data);
          if (isClientError(put) && !isWidelySupportedJson(data)) return;
          context.assert(
            "ITEM-09",
            put.status === 200,
            "any object is accepted as data",
            formatResponse(put),
          );
          await assertRead(items, transacted, "ITEM-09", key, data);
        },
        { examples: [{ data: dataOfEveryType }, ...exampleData.map((data) => ({ data }))] },
      );
      // The specification does not limit the depth of data; accepted data must be returned.
      for (const [depth, open, close] of [
        [20, "[", "]"],
        [60, '{"a":', "}"],
        [200, "[", "]"],
      ] as const) {
        const key = items.key();
        const data = new JsonText(`{"deep":${open.repeat(depth)}1${close.repeat(depth)}}`);
        const put = await items.put(key, data);
        await items.expect("ITEM-09", key, put.status === 200 ? data : undefined);
      }
    },
  },
  {
    id: "items/identity",
    title: "Keys that differ in any character identify different items",
    clauses: ["ITEM-10", "ITEM-11"],
    run: async (items, context: CheckContext) => {
      const keys = await KeyRestrictions.detect(items);
      await context.property(
        { given: distinctKeysArbitrary(12), chosen: fc.nat() },
        async ({ given, chosen }) => {
          const pk = items.partition();
          const all = given.map(([suffix, sk], n) => ({
            key: { pk: pk + keys.adapt(suffix), sk: keys.adapt(sk) },
            data: { n },
          }));
          for (const { key, data } of all) context.assertStatus("ITEM-11", await items.put(key, data), 200);
          for (const { key, data } of all) await items.expect("ITEM-11", key, data);
          for (const { key } of all.filter((each) => each.key.sk === null)) {
            const { body } = await items.get(key);
            context.assertEqual("ITEM-10", body?.sk, null, "sk of an item without one");
          }
          const [gone] = all.splice(chosen % all.length, 1);
          if (gone !== undefined) await items.remove(gone.key);
          for (const { key, data } of all) await items.expect("ITEM-11", key, data);
        },
        {
          share: 0.7,
          examples: [
            { given: exampleKeys, chosen: 0 },
            {
              given: [
                ["a/b", "c"],
                ["a", "b/c"],
                ["a%2Fb", "c"],
                ["a", "b "],
                ["a", "b"],
                ["a#b", null],
              ],
              chosen: 1,
            },
            // Each pair is the same text if a store joins the parts of a key with this separator.
            {
              given: Array.from(":|_-., ;$~@+").flatMap((separator): [string, string][] => [
                [`x${separator}y`, "z"],
                ["x", `y${separator}z`],
              ]),
              chosen: 0,
            },
          ],
        },
      );
    },
  },
  {
    id: "items/missing",
    title: "A Get for a missing item returns 404 with a problem body",
    clauses: ["ITEM-13", "ITEM-14"],
    after: ["items/put-get-delete"],
    run: async (items, context: CheckContext) => {
      const keys = await KeyRestrictions.detect(items);
      await context.property(
        {
          suffix: partitionSuffix,
          given: keyText,
          how: fc.constantFrom("never", "other-sk", "no-sk", "with-sk", "deleted"),
        },
        async ({ suffix, given, how }) => {
          const [pk, sk] = [items.partition(keys.adapt(suffix)), keys.adapt(given)];
          const there: Readonly<Record<typeof how, ItemKey | undefined>> = {
            never: undefined,
            "other-sk": { pk, sk: `${sk}x` },
            "no-sk": { pk, sk },
            "with-sk": { pk, sk: null },
            deleted: { pk, sk },
          };
          const put = there[how];
          if (put !== undefined) await items.put(put, { n: 1 }, {}, { setUp: true });
          const missing = { pk, sk: how === "no-sk" ? null : sk };
          if (how === "deleted") await items.remove(missing, { setUp: true });
          const response = await items.get(missing, { intent: "invalid" });
          context.assertStatus("ITEM-13", response, 404);
          const { type, title, status, detail } = response.body ?? {};
          // A bare code is not a URL, although it is a valid relative reference.
          const isUrl = isText(type) && /[:/#]/.test(type) && URL.canParse(type, "http://localhost");
          context.assert("ITEM-14", isUrl, "a type that is a URL", response.body);
          context.assertEqual("ITEM-14", status, 404, "status in the problem");
          context.assert("ITEM-14", isText(title) && isText(detail), "title and detail", response.body);
        },
        {
          examples: [
            { suffix: "", given: "a", how: "never" },
            { suffix: "", given: "a", how: "no-sk" },
            { suffix: "", given: "a", how: "with-sk" },
            { suffix: "", given: "a", how: "deleted" },
          ],
        },
      );
      const nothing = items.key("s");
      // The status of these requests is left open, but they must not create items.
      await items.remove(nothing, { intent: "may-be-refused" });
      await items.remove({ ...nothing, sk: null }, { intent: "may-be-refused" });
      await items.expect("ITEM-13", nothing, undefined);
    },
  },
  {
    id: "items/refused-puts",
    title: "A Put without pk or data is rejected and changes nothing",
    clauses: ["ITEM-08"],
    run: async (items, context: CheckContext) => {
      // If the key is in the path, the body need not contain it.
      const isInPath = context.client.getPath("putItem").includes("{pk}");
      const noKeys: readonly object[] = isInPath ? [] : [{ pk: null }, { pk: undefined }];
      await context.property(
        {
          fault: fc.oneof(
            nonObject.map((data): object => ({ data })),
            ...noKeys.map((noKey) => fc.constant(noKey)),
          ),
          isThere: fc.boolean(),
        },
        async ({ fault, isThere }) => {
          const key = items.key("s");
          if (isThere) await items.put(key, { kept: true }, {}, { setUp: true });
          const body = { ...key, data: { a: 1 }, ...fault };
          const response = await items.putBody(key, body, { intent: "invalid" });
          context.assertRefused(
            "ITEM-08",
            response,
            `the Put ${JSON.stringify(body)} has no valid pk or data`,
          );
          await items.expect("ITEM-08", key, isThere ? { kept: true } : undefined);
        },
        {
          examples: [...exampleNonObjects.map((data) => ({ data })), ...noKeys].map((fault, n) => ({
            fault,
            isThere: n % 2 === 0,
          })),
        },
      );
    },
  },
  {
    id: "items/timestamps",
    title:
      "createdAt is the time at which the item was created, and updatedAt is the timestamp returned by the last Put",
    clauses: ["ITEM-38", "GEN-01"],
    run: async (items, context: CheckContext) => {
      const [key, earlier] = [items.key("s"), items.key("s")];
      await items.put(earlier, {});
      for (const n of [1, 2]) {
        const { body: put } = await items.put(key, { n });
        const { body: got } = await items.get(key);
        const both = await items.batchGetAll([earlier, key]);
        const listed = both.body?.items?.find(({ pk }: ItemKey) => pk === key.pk);
        for (const time of [
          put?.updatedAt,
          ...[got, listed].flatMap((item) => [item?.createdAt, item?.updatedAt]),
        ])
          assertTimestamp(context, time, "each time");
        const isLast = areTimestampsClose(got.updatedAt, put.updatedAt);
        context.assert("ITEM-38", isLast, `the updatedAt that Put returned, ${put.updatedAt}`, got.updatedAt);
        const isSame =
          areTimestampsClose(listed?.updatedAt, got.updatedAt) &&
          areTimestampsClose(listed?.createdAt, got.createdAt);
        context.assert("ITEM-38", isSame, "the same times from batch get as from get", { got, listed });
        const isCreation =
          n > 1 || Math.abs(getMillisecondsBetween(got.createdAt, put.updatedAt)) < maxClockSkewMs;
        await assertCurrentTime(context, put.updatedAt, "the updatedAt of a Put");
        const expected = `a createdAt close to ${put.updatedAt}, when the item was put`;
        context.assert("ITEM-38", isCreation, expected, got.createdAt);
        await waitForLaterTime(context);
      }
      const [createdAt] = getItemTimestamps(await items.get(key));
      await items.transactWrite([{ action: "Update", ...key, data: { n: 3 } }]);
      const [after] = getItemTimestamps(await items.get(key));
      context.assertEqual("ITEM-38", after, createdAt, "createdAt after an Update");
    },
  },
  {
    id: "items/content-type",
    title: "A JSON body sent as application/json is accepted",
    clauses: ["GEN-09"],
    run: async (items, context: CheckContext) => {
      const key = items.key();
      const headers = { "Content-Type": "application/json" };
      for (const [operation, call] of listCallsWithBody(items, key))
        await context.assertSuccess("GEN-09", operation, { ...call, headers });
      await items.expect("GEN-09", key, { changed: true });
    },
  },
  {
    id: "items/reads-after-writes",
    title: "Every kind of read shows every kind of write",
    clauses: ["ITEM-02", "ITEM-03", "ITEM-15", "BATCH-02", "BATCH-03", "TX-07", "TX-08", "GEN-01"],
    after: ["items/put-get-delete", "batches/write", "transactions/write"],
    run: async (items, context: CheckContext) => {
      const transacted = await TransactGetReader.detect(items);
      const key = items.key("s");
      const batch = async (operation: "Put" | "Delete", data?: Data) =>
        (await items.batchWriteAll([{ operation, ...key, data }])).last;
      const transact = async (action: "Put" | "Update" | "Delete", data?: Data) =>
        items.transactWrite([{ action, ...key, data }], await items.token());
      // A deployment may keep the results of reads, but must forget them at each write.
      await assertRead(items, transacted, "ITEM-02", key, undefined);
      for (const [clause, write, data] of [
        ["ITEM-02", () => items.put(key, { n: 1 }), { n: 1 }],
        ["ITEM-03", () => items.put(key, { n: 2 }), { n: 2 }],
        ["ITEM-15", () => items.remove(key), undefined],
        ["BATCH-02", () => batch("Put", { n: 3 }), { n: 3 }],
        ["BATCH-02", () => batch("Put", { n: 4 }), { n: 4 }],
        ["BATCH-03", () => batch("Delete"), undefined],
        ["TX-07", () => transact("Put", { n: 5 }), { n: 5 }],
        ["TX-08", () => transact("Update", { m: 6 }), { n: 5, m: 6 }],
        ["TX-07", () => transact("Delete"), undefined],
      ] as const) {
        context.assertStatus(clause, await write(), "2XX");
        await assertRead(items, transacted, clause, key, data);
        if (data === undefined) continue;
        const { body } = await items.get(key);
        for (const time of [body.createdAt, body.updatedAt])
          await assertCurrentTime(context, time, "a time of an item that was just written");
      }
      if (!(await context.canUseTokensForData())) return;
      const other = await startOwnerSession(context, "owner in another session");
      const [own, byOther] = [{ by: 1 }, { by: 2 }];
      await items.put(key, own);
      await assertRead(items, transacted, "ITEM-02", key, own);
      await items.put(key, byOther, {}, { as: other });
      await assertRead(items, transacted, "ITEM-03", key, byOther, true);
    },
  },
  {
    id: "items/json",
    title: "A body that is not JSON is rejected; responses are JSON",
    clauses: ["GEN-06"],
    run: async (items, context: CheckContext) => {
      const key = items.key("s");
      await items.put(key, { kept: true }, {}, { setUp: true });
      const path = { databaseId: items.databaseId, pk: key.pk, sk: "s" };
      const operations = listCallsWithBody(items, key).map(([operation]) => operation);
      // These texts are invalid even for parsers that accept single quotes, unquoted names or trailing text.
      const noJson = fc.oneof(
        fc.constantFrom("", "limit=5", '{"limit" 5}'),
        fc.tuple(anyData, fc.nat()).map(([{ text }, end]) => text.slice(0, 1 + (end % (text.length - 1)))),
      );
      await context.property(
        { operation: fc.constantFrom(...operations), rawBody: noJson },
        async ({ operation, rawBody }) => {
          // Scans, batches and transactions have no required field, so they need no body.
          if (rawBody === "" && operation !== "putItem" && operation !== "queryItems") return;
          const response = await context.call(operation, { path, rawBody, intent: "invalid" });
          context.assertRefused("GEN-06", response, `the body ${JSON.stringify(rawBody)} is not JSON`);
        },
        { share: 2, examples: operations.map((operation) => ({ operation, rawBody: '{"limit":' })) },
      );
      await items.expect("GEN-06", key, { kept: true });
    },
  },
);

/** Valid requests for every item operation that accepts a body. */
function listCallsWithBody({ databaseId }: ItemClient, { pk }: ItemKey) {
  return listDataCalls({ databaseId, pk, sk: "s" }).filter(([, { body }]) => body !== undefined);
}

/**
 * Asserts that every read operation returns the data of the only item of a partition; undefined if there must be none.
 *
 * @param byOther whether another caller has written the data
 */
async function assertRead(
  items: ItemClient,
  transacted: TransactGetReader,
  clause: ClauseId,
  key: ItemKey,
  data: Data | undefined,
  byOther = false,
): Promise<void> {
  const context: CheckContext = items.context;
  const getFirst = (response: ApiResponse) =>
    getItems(response)[0] as { data?: unknown; item?: unknown } | undefined;
  const readers = {
    get: async () => getItemData(await items.get(key)),
    query: async () => (await items.readPartition(key.pk))[0]?.data,
    "batch get": async () => getFirst(await items.batchGetAll([key]))?.data,
    "transact get": async () => transacted.attributes(getFirst(await items.transactGet([key]))?.item),
  };
  const expected = data && normalizeData(data);
  for (const [reader, read] of Object.entries(readers)) {
    // The specification does not say when a read shows what another client has just written.
    const isDone = (seen: unknown) => !byOther || isDeepStrictEqual(seen, expected);
    const seen = await readUntil(context, async () => (await read()) ?? undefined, isDone);
    context.assertEqual(clause, seen, expected, `the data that ${reader} returns`);
  }
}

function assertPut(context: CheckContext, response: ApiResponse, key: ItemKey): void {
  const { body } = context.assertStatus("ITEM-01", response, 200);
  context.assertFields("ITEM-01", body, key, "the Put response");
}

function assertItem(context: CheckContext, response: ApiResponse, key: ItemKey): void {
  const { body } = context.assertStatus("ITEM-12", response, 200);
  if (key.sk === null) context.assertEqual("ITEM-10", body.sk, null, "sk of an item without one");
  context.assertFields("ITEM-12", body, key, "the Get response");
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
