import type { ReferenceObject, SchemaObject } from "openapi3-ts/oas31";
import { compared } from "./compare-kinds.js";
import { type Face, strictAnswer } from "../gaps/face.js";
import { chosenLimits, limits } from "../clauses/limits.js";
import { ref } from "./ref.js";
import { conditionMembers, itemKeyMembers, partitionKeyAnswer, sortKeyAnswer } from "./items.js";
import {
  absent,
  answerObject,
  chosenBy,
  present,
  type Properties,
  requestObject,
  type SchemaGroup,
  takesNulls,
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
export const batchSchemas: SchemaGroup = (face) => {
  const condition = conditionMembers(face);
  const optionalOfEntry = ["sk", "data", ...Object.keys(condition)];
  const keys = {
    pk: partitionKeyAnswer,
    sk: sortKeyAnswer,
  } satisfies Properties;
  const clientRequestToken = {
    type: "string",
    minLength: 1,
    ...(face.kind === "open" ? {} : { maxLength: chosenLimits.tokenLength }),
    description: "Repeating it within 10 minutes answers the original result without executing again.",
    "x-gap": ["failed-transaction-token", "token-reuse-other-body"],
  } satisfies SchemaObject;
  return {
    ItemKey: requestObject(face, itemKeyMembers(face), { optional: ["sk"] }),
    BatchWriteRequest: requestObject(face, {
      items: entries(face, "BatchWriteEntry", limits.batchWriteItems),
    }),
    BatchWriteEntry: {
      ...requestObject(
        face,
        {
          operation: { type: "string", enum: ["Put", "Delete"] },
          ...itemKeyMembers(face),
          data: { ...ref("ItemData"), description: "Required for Put." },
          ...condition,
        },
        { optional: optionalOfEntry },
      ),
      ...requiredWhen(face, "operation", ["Put"], ["data"]),
    },
    BatchWriteResponse: answerObject(face, {
      successCount: compared("equal", { type: "integer", minimum: 0 }),
      failedCount: compared("equal", { type: "integer", minimum: 0 }),
      errors: listAnswer(face, "The entries that failed.", ref("BatchWriteError")),
    }),
    BatchWriteError: answerObject(face, {
      ...keys,
      error: compared("present", { type: "string", description: "Why the entry failed." }),
    }),
    BatchGetRequest: requestObject(face, { keys: entries(face, "ItemKey", limits.batchGetKeys) }),
    BatchGetResponse: answerObject(face, {
      items: {
        type: "array",
        "x-compare": "ordered",
        items: ref("Item"),
        description: "The items found.",
        "x-gap": "duplicate-keys",
      },
      unprocessedKeys: listAnswer(face, "Keys to ask for again.", ref("UnprocessedKey")),
    }),
    UnprocessedKey: answerObject(face, keys),
    TransactGetRequest: requestObject(
      face,
      { items: entries(face, "TransactGetEntry", limits.transactGetItems), clientRequestToken },
      { optional: ["clientRequestToken"] },
    ),
    TransactGetEntry: requestObject(
      face,
      {
        ...itemKeyMembers(face),
        projectionExpression: {
          type: "array",
          items: { type: "string", minLength: 1 },
          description: "Names of the top-level attributes to answer; all of them without it.",
        },
      },
      { optional: ["sk", "projectionExpression"] },
    ),
    TransactGetResponse: answerObject(face, {
      items: {
        type: "array",
        "x-compare": "ordered",
        description: "One entry for every key.",
        "x-gap": "duplicate-keys",
        items: ref("TransactGetResult"),
      },
    }),
    TransactGetResult: {
      ...answerObject(face, {
        ...keys,
        item: transactedItem(face),
        itemExists: compared("equal", { type: "boolean" }),
      }),
      ...(face.kind === "strict"
        ? chosenBy("itemExists", true, { then: { item: present }, otherwise: { item: absent } })
        : {}),
    },
    TransactWriteRequest: requestObject(
      face,
      { items: entries(face, "TransactWriteEntry", limits.transactWriteItems), clientRequestToken },
      { optional: ["clientRequestToken"] },
    ),
    TransactWriteEntry: {
      ...requestObject(
        face,
        {
          action: {
            type: "string",
            enum: ["Put", "Update", "Delete", "ConditionCheck"],
            description: "A ConditionCheck changes nothing.",
          },
          ...itemKeyMembers(face),
          data: { ...ref("ItemData"), description: "Required for Put and Update." },
          ...condition,
        },
        { optional: optionalOfEntry },
      ),
      // one inside the other: generators of clients lose the nulls of members beside `allOf`
      ...requiredWhen(face, "action", ["Put", "Update"], ["data"]),
      ...(face.kind === "strict"
        ? { else: requiredWhen(face, "action", ["ConditionCheck"], ["conditionExpression"]) }
        : {}),
    },
    TransactWriteResponse: answerObject(face, {
      successCount: {
        type: "integer",
        minimum: 0,
        "x-compare": "equal",
        description: "Number of operations applied: all of them, or 0.",
      },
      errors: listAnswer(face, "What failed the transaction.", ref("TransactionError")),
    }),
    TransactionError: answerObject(face, {
      itemIndex: {
        type: "integer",
        "x-compare": "equal",
        minimum: 0,
        description: "Place of the operation in the request.",
      },
      ...keys,
      error: compared("present", { type: "string", description: "Why the operation failed, in words." }),
      errorType: {
        type: "string",
        "x-compare": "equal",
        enum: [...transactionErrorTypes],
        description:
          "`ConditionalCheckFailed`: the condition does not hold. `ItemCollectionSizeLimitExceeded`: the item collection is " +
          "too large. `TransactionCanceled`: the transaction was canceled. `ValidationError`: the operation is not valid. " +
          "`InternalServerError`: the service failed.",
      },
    }),
  };
};

/** A list that is left out in one way or the other when it is empty. */
function listAnswer(face: Face, description: string, items: ReferenceObject): SchemaObject {
  const answer = strictAnswer(face, "empty-list-members");
  const whenEmpty = { "as-null": "null", "as-empty-array": "an empty array" } as const;
  return {
    type: answer === "as-empty-array" ? "array" : ["array", "null"],
    ...(answer === "as-null" ? { minItems: 1 } : {}),
    items,
    "x-compare": "unordered",
    description:
      answer === undefined
        ? `${description} Null or an empty array when there is nothing to list.`
        : `${description} It is ${whenEmpty[answer]} when there is nothing to list.`,
    "x-gap": "empty-list-members",
  };
}

/** The item of an entry that a transact get answers. */
function transactedItem(face: Face): SchemaObject {
  const gap = { "x-gap": "transact-get-item" };
  if (strictAnswer(face, "transact-get-item") === "record")
    return { anyOf: [ref("Item"), { type: "null" }], description: "The item, or null.", ...gap };
  return compared("data", {
    anyOf: [ref("ItemData"), { type: "null" }],
    description: "The item, or null.",
    ...gap,
  });
}

function entries(face: Face, schema: string, maximum: number): SchemaObject {
  return {
    type: "array",
    items: ref(schema),
    ...(strictAnswer(face, "empty-batch") === "accept" ? {} : { minItems: 1 }),
    maxItems: maximum,
    "x-gap": "empty-batch",
  };
}

/** Members that are required for some values of another member. */
function requiredWhen(
  face: Face,
  member: string,
  values: readonly string[],
  required: readonly string[],
): SchemaObject {
  const given = takesNulls(face) ? present : {};
  return {
    if: { type: "object", properties: { [member]: { enum: [...values] } }, required: [member] },
    then: {
      type: "object",
      properties: Object.fromEntries(required.map((name) => [name, given])),
      required: [...required],
    },
  } as SchemaObject;
}
