import type { SchemaObject } from "openapi3-ts/oas31";
import { type Face, strictAnswer } from "../face.js";
import { limits } from "../limits.js";
import { ref } from "../operations/operation.js";
import { conditionMembers, itemKeyMembers, sortKeyAnswer } from "./items.js";
import {
  answerObject,
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
    pk: { type: "string" },
    sk: sortKeyAnswer,
  } satisfies Properties;
  const clientRequestToken = {
    type: "string",
    minLength: 1,
    maxLength: 1024,
    description: "Repeating it within 10 minutes answers the original result without executing again.",
  } satisfies SchemaObject;
  return {
    ItemKey: requestObject(face, itemKeyMembers, { optional: ["sk"] }),
    BatchWriteRequest: requestObject(face, {
      items: entries(face, "BatchWriteEntry", limits.batchWriteItems),
    }),
    BatchWriteEntry: {
      ...requestObject(
        face,
        {
          operation: { type: "string", enum: ["Put", "Delete"] },
          ...itemKeyMembers,
          data: { ...ref("JsonObject"), description: "Required for Put." },
          ...condition,
        },
        { optional: optionalOfEntry },
      ),
      ...requiredWhen(face, "operation", ["Put"], ["data"]),
    },
    BatchWriteResponse: answerObject(face, {
      successCount: { type: "integer", minimum: 0 },
      failedCount: { type: "integer", minimum: 0 },
      errors: {
        type: ["array", "null"],
        items: answerObject(face, {
          ...keys,
          error: { type: "string", description: "Why the entry failed." },
        }),
        description: "The entries that failed, or null when there are none.",
      },
    }),
    BatchGetRequest: requestObject(face, { keys: entries(face, "ItemKey", limits.batchGetKeys) }),
    BatchGetResponse: answerObject(face, {
      items: { type: "array", items: ref("Item"), description: "The items found, in the order of the keys." },
      unprocessedKeys: {
        type: ["array", "null"],
        items: answerObject(face, keys),
        description: "Keys to ask for again, or null when there are none.",
      },
    }),
    TransactGetRequest: requestObject(
      face,
      { items: entries(face, "TransactGetEntry", limits.transactGetItems), clientRequestToken },
      { optional: ["clientRequestToken"] },
    ),
    TransactGetEntry: requestObject(
      face,
      {
        ...itemKeyMembers,
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
        description: "One entry for every key, in the order of the request.",
        items: answerObject(face, {
          ...keys,
          item: { type: ["object", "null"], additionalProperties: true, description: "The data, or null." },
          itemExists: { type: "boolean" },
        }),
      },
    }),
    TransactWriteRequest: requestObject(
      face,
      { items: entries(face, "TransactWriteEntry", limits.transactWriteItems), clientRequestToken },
      { optional: ["clientRequestToken"] },
    ),
    TransactWriteEntry: {
      ...requestObject(
        face,
        {
          action: { type: "string", enum: ["Put", "Update", "Delete", "ConditionCheck"] },
          ...itemKeyMembers,
          data: { ...ref("JsonObject"), description: "Required for Put and Update." },
          ...condition,
        },
        { optional: optionalOfEntry },
      ),
      allOf: [
        requiredWhen(face, "action", ["Put", "Update"], ["data"]),
        requiredWhen(face, "action", ["ConditionCheck"], ["conditionExpression"]),
      ],
    },
    TransactWriteResponse: answerObject(face, {
      successCount: {
        type: "integer",
        minimum: 0,
        description: "Number of operations applied: all of them, or 0.",
      },
      errors: {
        type: ["array", "null"],
        description: "The operations at fault, or null when the transaction succeeded.",
        items: answerObject(face, {
          itemIndex: { type: "integer", minimum: 0, description: "Place of the operation in the request." },
          ...keys,
          error: { type: "string" },
          errorType: { type: "string", enum: [...transactionErrorTypes] },
        }),
      },
    }),
  };
};

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
  const present = takesNulls(face) ? { not: { type: "null" } } : {};
  return {
    if: { type: "object", properties: { [member]: { enum: [...values] } }, required: [member] },
    then: {
      type: "object",
      properties: Object.fromEntries(required.map((name) => [name, present])),
      required: [...required],
    },
  } as SchemaObject;
}
