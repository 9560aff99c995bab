import type { ReferenceObject, SchemaObject } from "openapi3-ts/oas31";
import { withComparisonKind } from "./compare-kinds.js";
import { emulatorDefinedLimits, limits } from "../clauses/limits.js";
import { ref } from "./ref.js";
import { buildConditionProperties, buildItemKeyProperties, responseSortKeySchema } from "./items.js";
import * as schema from "./schema-builders.js";

/** Why an operation of a transaction failed (part 7). */
export const transactionErrorTypes = [
  "ConditionalCheckFailed",
  "ItemCollectionSizeLimitExceeded",
  "TransactionCanceled",
  "ValidationError",
  "InternalServerError",
] as const;
export type TransactionErrorType = (typeof transactionErrorTypes)[number];

/** Batches and transactions of raw items (part 4.2). */
export const batchSchemas: schema.SchemaGroup = (builder) => {
  const { isStrict } = builder;
  const key = buildItemKeyProperties(builder);
  const keyOfResponse = (pk: string) => ({ pk: schema.text("equal", pk), sk: responseSortKeySchema });
  const keyOfItem = keyOfResponse("Partition key of the item.");
  const token = {
    "clientRequestToken?": {
      type: "string",
      minLength: 1,
      ...(isStrict ? { maxLength: emulatorDefinedLimits.tokenLength } : {}),
      description:
        "A request repeated with the same token within 10 minutes returns the original result and is not executed again.",
    },
  } as const;
  const entries = (entry: string, maxItems: number, description: string): SchemaObject => ({
    type: "array",
    items: ref(entry),
    minItems: 1,
    maxItems,
    description,
  });
  return {
    ItemKey: builder.request("The key of an item.", key),
    BatchWriteRequest: builder.request("Writes that succeed or fail independently of each other.", {
      items: entries("BatchWriteEntry", limits.batchWriteItems, "At most 25 writes."),
    }),
    BatchWriteEntry: builder.request(
      "A write in a batch.",
      {
        operation: {
          type: "string",
          enum: ["Put", "Delete"],
          description: "`Put` creates or replaces the item, `Delete` deletes it.",
        },
        ...key,
        "data?": schema.describedRef("ItemData", "Required for Put."),
        ...buildConditionProperties(builder),
      },
      requireWhen(builder, "operation", ["Put"], "data"),
    ),
    BatchWriteResponse: builder.response(
      "The result of a batch. The status is 200 even if some writes failed.",
      {
        successCount: schema.count("equal", "Number of writes that succeeded."),
        failedCount: schema.count("equal", "Number of writes that failed."),
        errors: responseList(builder, "Entries that failed.", ref("BatchWriteError")),
      },
    ),
    BatchWriteError: builder.response("A failed write in a batch.", {
      ...keyOfItem,
      error: schema.text("present", "Why the entry failed."),
    }),
    BatchGetRequest: builder.request("Keys of the items to read.", {
      keys: entries("ItemKey", limits.batchGetKeys, "At most 100 keys."),
    }),
    BatchGetResponse: builder.response(
      "The items that were found, and the keys that could not be processed.",
      {
        items: schema.array("ordered", "Item", "The items that were found.", { "x-gap": "duplicate-keys" }),
        unprocessedKeys: responseList(builder, "Keys to request again.", ref("UnprocessedKey")),
      },
    ),
    UnprocessedKey: builder.response("A key that could not be processed. Request this key again.", keyOfItem),
    TransactGetRequest: builder.request("The items to read at one point in time.", {
      items: entries("TransactGetEntry", limits.transactGetItems, "At most 100 keys."),
      ...token,
    }),
    TransactGetEntry: builder.request("An item to read.", {
      ...key,
      "projectionExpression?": {
        type: "array",
        items: { type: "string", minLength: 1 },
        description: "Names of the top-level attributes to return. Defaults to all attributes.",
      },
    }),
    TransactGetResponse: builder.response("The items, as they were at one point in time.", {
      items: schema.array("ordered", "TransactGetResult", "One entry for every key.", {
        "x-gap": "duplicate-keys",
      }),
    }),
    TransactGetResult: builder.response(
      "An item, as read at one point in time.",
      {
        ...keyOfResponse("The requested partition key."),
        item: buildTransactedItemSchema(builder),
        itemExists: schema.flag("Whether there is an item with this key."),
      },
      isStrict
        ? schema.ifThenElse("itemExists", true, { item: schema.notNull }, { item: schema.onlyNull })
        : {},
    ),
    TransactWriteRequest: builder.request("Operations that are applied either all together or not at all.", {
      items: entries(
        "TransactWriteEntry",
        limits.transactWriteItems,
        "At most 25 operations. The maximum size of the request is 4 MB.",
      ),
      ...token,
    }),
    TransactWriteEntry: builder.request(
      "An operation in a transaction.",
      {
        action: {
          type: "string",
          enum: ["Put", "Update", "Delete", "ConditionCheck"],
          description: "`ConditionCheck` changes nothing.",
        },
        ...key,
        "data?": schema.describedRef("ItemData", "Required for Put and Update."),
        ...buildConditionProperties(builder),
      },
      {
        // nested, because client generators lose nullable fields next to `allOf`
        ...requireWhen(builder, "action", ["Put", "Update"], "data"),
        ...(isStrict
          ? { else: requireWhen(builder, "action", ["ConditionCheck"], "conditionExpression") }
          : {}),
      },
    ),
    TransactWriteResponse: builder.response("The result of a transaction.", {
      successCount: schema.count("equal", "Number of operations that were applied: all or 0."),
      errors: responseList(builder, "Failed operations, with the reasons.", ref("TransactionError")),
    }),
    TransactionError: builder.response("Why an operation in a transaction failed.", {
      itemIndex: schema.count("equal", "Index of the operation in the request."),
      ...keyOfItem,
      error: schema.text("present", "Why the operation failed, in words."),
      errorType: schema.choice(
        "equal",
        transactionErrorTypes,
        "`ConditionalCheckFailed`: the condition is false. `ItemCollectionSizeLimitExceeded`: the item collection is " +
          "too large. `TransactionCanceled`: the transaction was canceled. `ValidationError`: the operation is not valid. " +
          "`InternalServerError`: the service failed.",
      ),
    }),
  };
};

/** A list that is null or an empty array when it has no entries. */
function responseList(
  builder: schema.SchemaBuilder,
  description: string,
  items: ReferenceObject,
): SchemaObject {
  return withComparisonKind("unordered", {
    type: ["array", "null"],
    ...(builder.isStrict ? { minItems: 1 } : {}),
    items,
    description: `${description} ${builder.isStrict ? "Null" : "Null or an empty array"} if there are none.`,
  });
}

/** The item in a result of a transactional get. */
function buildTransactedItemSchema(builder: schema.SchemaBuilder): SchemaObject {
  const isRecord = builder.answer("transact-get-item") === "record";
  const item: SchemaObject = {
    anyOf: [ref(isRecord ? "Item" : "ItemData"), { type: "null" }],
    description: "The item, or null.",
    "x-gap": "transact-get-item",
  };
  return isRecord ? item : withComparisonKind("data", item);
}

/** Requires a field for some values of another field. */
function requireWhen(
  { acceptsNulls }: schema.SchemaBuilder,
  member: string,
  values: readonly string[],
  required: string,
): SchemaObject {
  return {
    if: { type: "object", properties: { [member]: { enum: [...values] } }, required: [member] },
    then: {
      type: "object",
      properties: { [required]: acceptsNulls ? schema.notNull : {} },
      required: [required],
    },
  } as SchemaObject;
}
