import { compareAs } from "./compare-kinds.js";
import type { SchemaObject } from "openapi3-ts/oas31";
import { getAllowedAnswers, type Strictness } from "../gaps/strictness.js";
import { ref } from "./ref.js";
import {
  responseObjectSchema,
  nextCursorSchema,
  nullable,
  type Properties,
  requestObjectSchema,
  type SchemaGroup,
  timestampSchema,
  arraySchema,
  countSchema,
} from "./schema-builders.js";

/** The members of a request that name an item. */
export function buildItemKeyProperties(strictness: Strictness): Properties {
  return {
    pk: { type: "string", minLength: 1, description: "Partition key." },
    sk: {
      type: ["string", "null"],
      ...nonEmptyText(strictness),
      description: "Sort key, or null for an item without one.",
    },
  };
}

/** Whether an empty text counts as none is open; the emulator refuses it. */
function nonEmptyText(strictness: Strictness): SchemaObject {
  return strictness.kind === "strict" ? { minLength: 1 } : {};
}

/** The sort key of an answer. */
export const responseSortKeySchema: SchemaObject = nullable(
  compareAs("equal", { type: "string", description: "Null for an item without sort key." }),
);

/** The partition key of an answer. */
export const responsePartitionKeySchema: SchemaObject = compareAs("equal", { type: "string" });

/** The members of a request that make a write conditional: all optional. */
export function buildConditionProperties(strictness: Strictness): Properties {
  const values = getAllowedAnswers(strictness, "condition-values").map((member) => [
    member,
    {
      ...ref("JsonObject"),
      description: 'The values of the names in `conditionExpression`, keyed with the colon: `{":min": 5}`.',
      "x-gap": "condition-values",
    },
  ]);
  return {
    conditionExpression: {
      type: "string",
      minLength: 1,
      description: "The write happens only when it holds for the existing item. `attribute_not_exists(pk)`",
      "x-gap": ["condition-grammar", "missing-attribute"],
    },
    ...(Object.fromEntries(values) as Properties),
  };
}

/** Raw items (parts 2 and 4.2). */
export const itemSchemas: SchemaGroup = (strictness) => {
  const keysInPath = getAllowedAnswers(strictness, "put-item-route").some((route) => route.includes("{pk}"));
  const condition = buildConditionProperties(strictness);
  const found = {
    pk: responsePartitionKeySchema,
    sk: responseSortKeySchema,
    data: ref("ItemData"),
  } satisfies Properties;
  const page = {
    filterExpression: {
      ...ref("JsonObject"),
      description: 'Only items that match are returned. `{"status": "open", "total": {"$gte": 10}}`',
      "x-gap": ["item-filter-grammar", "missing-attribute"],
    },
    limit: ref("PageLimit"),
    cursor: ref("PageCursor"),
  } satisfies Properties;
  const itemPage = (order: "ordered" | "unordered") =>
    responseObjectSchema(strictness, {
      items: arraySchema(order, "FoundItem"),
      nextCursor: nextCursorSchema,
      count: countSchema(
        "equal",
        strictness.kind === "strict"
          ? "Items on this page."
          : "A whole number; where all items are on one page, that of its items.",
      ),
      scannedCount: countSchema(
        "equal",
        strictness.kind === "strict" ? "Items examined for this page." : "A whole number.",
      ),
    });
  return {
    ItemData: compareAs("data", {
      type: "object",
      additionalProperties: true,
      description:
        "Attributes of an item: any JSON object. It comes back exactly as it was sent, white space and escapes aside.",
    }),
    PutItemRequest: requestObjectSchema(
      strictness,
      {
        ...buildItemKeyProperties(strictness),
        data: ref("ItemData"),
        ...condition,
      },
      { optional: ["sk", ...Object.keys(condition), ...(keysInPath ? ["pk"] : [])] },
    ),
    // generators call the answer of an operation `putItem` PutItemResponse
    PutItemResult: responseObjectSchema(strictness, {
      pk: responsePartitionKeySchema,
      sk: responseSortKeySchema,
      updatedAt: timestampSchema(strictness),
    }),
    Item: responseObjectSchema(strictness, {
      ...found,
      createdAt: timestampSchema(strictness),
      updatedAt: timestampSchema(strictness),
    }),
    FoundItem: responseObjectSchema(strictness, found),
    QueryItemsRequest: requestObjectSchema(
      strictness,
      {
        partitionKey: { type: "string", minLength: 1 },
        sortKeyCondition: {
          type: "string",
          ...nonEmptyText(strictness),
          description:
            "One of `=:value`, `<:value`, `<=:value`, `>:value`, `>=:value`, `begins_with:prefix`, `between:low:high`.",
        },
        scanForward: {
          type: "boolean",
          default: true,
          description: "Ascending sort-key order when true, descending when false.",
        },
        ...page,
      },
      { optional: ["sortKeyCondition", "scanForward", ...Object.keys(page)] },
    ),
    ScanItemsRequest: requestObjectSchema(strictness, page, { optional: Object.keys(page) }),
    ItemPage: itemPage("ordered"),
    ScanPage: itemPage("unordered"),
  };
};
