import type { ReferenceObject, SchemaObject } from "openapi3-ts/oas31";
import { withComparisonKind } from "./compare-kinds.js";
import { type Strictness, getStrictAnswer } from "../gaps/strictness.js";
import { emulatorDefinedLimits, limits } from "../clauses/limits.js";
import { ref } from "./ref.js";
import {
  buildConditionProperties,
  buildItemKeyProperties,
  responsePartitionKeySchema,
  responseSortKeySchema,
} from "./items.js";
import {
  nullSchema,
  responseObjectSchema,
  buildIfThenElseSchema,
  notNullSchema,
  type Properties,
  requestObjectSchema,
  type SchemaGroup,
  acceptsNulls,
  countSchema,
  arraySchema,
} from "./schema-builders.js";

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
export const batchSchemas: SchemaGroup = (strictness) => {
  const condition = buildConditionProperties(strictness);
  const optionalOfEntry = ["sk", "data", ...Object.keys(condition)];
  const keys = {
    pk: responsePartitionKeySchema,
    sk: responseSortKeySchema,
  } satisfies Properties;
  const clientRequestToken = {
    type: "string",
    minLength: 1,
    ...(strictness.kind === "open" ? {} : { maxLength: emulatorDefinedLimits.tokenLength }),
    description:
      "Repeating a request with the same token within 10 minutes returns the original result without executing it again.",
    "x-gap": ["failed-transaction-token", "token-reuse-other-body"],
  } satisfies SchemaObject;
  return {
    ItemKey: requestObjectSchema(strictness, buildItemKeyProperties(strictness), { optional: ["sk"] }),
    BatchWriteRequest: requestObjectSchema(strictness, {
      items: entries(strictness, "BatchWriteEntry", limits.batchWriteItems),
    }),
    BatchWriteEntry: {
      ...requestObjectSchema(
        strictness,
        {
          operation: { type: "string", enum: ["Put", "Delete"] },
          ...buildItemKeyProperties(strictness),
          data: { ...ref("ItemData"), description: "Required for Put." },
          ...condition,
        },
        { optional: optionalOfEntry },
      ),
      ...requireWhen(strictness, "operation", ["Put"], ["data"]),
    },
    BatchWriteResponse: responseObjectSchema(strictness, {
      successCount: countSchema("equal"),
      failedCount: countSchema("equal"),
      errors: responseList(strictness, "Entries that failed.", ref("BatchWriteError")),
    }),
    BatchWriteError: responseObjectSchema(strictness, {
      ...keys,
      error: withComparisonKind("present", { type: "string", description: "Why the entry failed." }),
    }),
    BatchGetRequest: requestObjectSchema(strictness, {
      keys: entries(strictness, "ItemKey", limits.batchGetKeys),
    }),
    BatchGetResponse: responseObjectSchema(strictness, {
      items: arraySchema("ordered", "Item", "The items that were found.", { "x-gap": "duplicate-keys" }),
      unprocessedKeys: responseList(strictness, "Keys to request again.", ref("UnprocessedKey")),
    }),
    UnprocessedKey: responseObjectSchema(strictness, keys),
    TransactGetRequest: requestObjectSchema(
      strictness,
      { items: entries(strictness, "TransactGetEntry", limits.transactGetItems), clientRequestToken },
      { optional: ["clientRequestToken"] },
    ),
    TransactGetEntry: requestObjectSchema(
      strictness,
      {
        ...buildItemKeyProperties(strictness),
        projectionExpression: {
          type: "array",
          items: { type: "string", minLength: 1 },
          description: "Names of the top-level attributes to return. Defaults to all attributes.",
        },
      },
      { optional: ["sk", "projectionExpression"] },
    ),
    TransactGetResponse: responseObjectSchema(strictness, {
      items: arraySchema("ordered", "TransactGetResult", "One entry for every key.", {
        "x-gap": "duplicate-keys",
      }),
    }),
    TransactGetResult: {
      ...responseObjectSchema(strictness, {
        ...keys,
        item: transactedItem(strictness),
        itemExists: withComparisonKind("equal", { type: "boolean" }),
      }),
      ...(strictness.kind === "strict"
        ? buildIfThenElseSchema("itemExists", true, {
            then: { item: notNullSchema },
            otherwise: { item: nullSchema },
          })
        : {}),
    },
    TransactWriteRequest: requestObjectSchema(
      strictness,
      { items: entries(strictness, "TransactWriteEntry", limits.transactWriteItems), clientRequestToken },
      { optional: ["clientRequestToken"] },
    ),
    TransactWriteEntry: {
      ...requestObjectSchema(
        strictness,
        {
          action: {
            type: "string",
            enum: ["Put", "Update", "Delete", "ConditionCheck"],
            description: "`ConditionCheck` changes nothing.",
          },
          ...buildItemKeyProperties(strictness),
          data: { ...ref("ItemData"), description: "Required for Put and Update." },
          ...condition,
        },
        { optional: optionalOfEntry },
      ),
      // nested, because client generators lose nullable fields next to `allOf`
      ...requireWhen(strictness, "action", ["Put", "Update"], ["data"]),
      ...(strictness.kind === "strict"
        ? { else: requireWhen(strictness, "action", ["ConditionCheck"], ["conditionExpression"]) }
        : {}),
    },
    TransactWriteResponse: responseObjectSchema(strictness, {
      successCount: countSchema("equal", "Number of operations that were applied: all or 0."),
      errors: responseList(strictness, "Failed operations, with the reasons.", ref("TransactionError")),
    }),
    TransactionError: responseObjectSchema(strictness, {
      itemIndex: countSchema("equal", "Index of the operation in the request."),
      ...keys,
      error: withComparisonKind("present", {
        type: "string",
        description: "Why the operation failed, in words.",
      }),
      errorType: {
        type: "string",
        "x-compare": "equal",
        enum: [...transactionErrorTypes],
        description:
          "`ConditionalCheckFailed`: the condition is false. `ItemCollectionSizeLimitExceeded`: the item collection is " +
          "too large. `TransactionCanceled`: the transaction was canceled. `ValidationError`: the operation is not valid. " +
          "`InternalServerError`: the service failed.",
      },
    }),
  };
};

/** A list that is null or an empty array when it has no entries. */
function responseList(strictness: Strictness, description: string, items: ReferenceObject): SchemaObject {
  const answer = getStrictAnswer(strictness, "empty-list-members");
  const whenEmpty = { "as-null": "Null", "as-empty-array": "An empty array" } as const;
  return {
    type: answer === "as-empty-array" ? "array" : ["array", "null"],
    ...(answer === "as-null" ? { minItems: 1 } : {}),
    items,
    "x-compare": "unordered",
    description:
      answer === undefined
        ? `${description} Null or an empty array if there are none.`
        : `${description} ${whenEmpty[answer]} if there are none.`,
    "x-gap": "empty-list-members",
  };
}

/** The item in a result of a transactional get. */
function transactedItem(strictness: Strictness): SchemaObject {
  const gap = { "x-gap": "transact-get-item" };
  if (getStrictAnswer(strictness, "transact-get-item") === "record")
    return { anyOf: [ref("Item"), { type: "null" }], description: "The item, or null.", ...gap };
  return withComparisonKind("data", {
    anyOf: [ref("ItemData"), { type: "null" }],
    description: "The item, or null.",
    ...gap,
  });
}

function entries(strictness: Strictness, schema: string, maximum: number): SchemaObject {
  return {
    type: "array",
    items: ref(schema),
    ...(getStrictAnswer(strictness, "empty-batch") === "accept" ? {} : { minItems: 1 }),
    maxItems: maximum,
    "x-gap": "empty-batch",
  };
}

/** Requires fields for some values of another field. */
function requireWhen(
  strictness: Strictness,
  member: string,
  values: readonly string[],
  required: readonly string[],
): SchemaObject {
  const given = acceptsNulls(strictness) ? notNullSchema : {};
  return {
    if: { type: "object", properties: { [member]: { enum: [...values] } }, required: [member] },
    then: {
      type: "object",
      properties: Object.fromEntries(required.map((name) => [name, given])),
      required: [...required],
    },
  } as SchemaObject;
}
