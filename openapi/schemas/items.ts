import { withComparisonKind } from "./compare-kinds.js";
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

/** The request fields that identify an item. */
export function buildItemKeyProperties(strictness: Strictness): Properties {
  return {
    pk: { type: "string", minLength: 1, description: "Partition key." },
    sk: {
      type: ["string", "null"],
      ...nonEmptyText(strictness),
      description: "Sort key; null for an item without a sort key.",
    },
  };
}

/** The specification does not say whether an empty sort key counts as none; the emulator refuses it. */
function nonEmptyText(strictness: Strictness): SchemaObject {
  return strictness.kind === "strict" ? { minLength: 1 } : {};
}

/** The sort key in a response. */
export const responseSortKeySchema: SchemaObject = nullable(
  withComparisonKind("equal", {
    type: "string",
    description: "Sort key; null for an item without a sort key.",
  }),
);

/** The partition key in a response. */
export const responsePartitionKeySchema: SchemaObject = withComparisonKind("equal", { type: "string" });

/** The optional request fields that make a write conditional. */
export function buildConditionProperties(strictness: Strictness): Properties {
  const values = getAllowedAnswers(strictness, "condition-values").map((member) => [
    member,
    {
      ...ref("JsonObject"),
      description:
        'Values for the names in `conditionExpression`. The names include the colon: `{":min": 5}`.',
      "x-gap": "condition-values",
    },
  ]);
  return {
    conditionExpression: {
      type: "string",
      minLength: 1,
      description:
        "The item is written only if this condition is true for the existing item, for example `attribute_not_exists(pk)`.",
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
      description:
        'Returns only items that match this filter, for example `{"status": "open", "total": {"$gte": 10}}`.',
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
          ? "Number of items on this page."
          : "If all items are on one page, the number of items; otherwise, a whole number.",
      ),
      scannedCount: countSchema(
        "equal",
        strictness.kind === "strict" ? "Number of items scanned for this page." : "A whole number.",
      ),
    });
  return {
    ItemData: withComparisonKind("data", {
      type: "object",
      additionalProperties: true,
      description:
        "Attributes of an item: any JSON object. The object is returned exactly as it was sent, except for white space and escapes.",
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
    // client generators name the response of the operation `putItem` PutItemResponse
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
            "One of `=:value`, `<:value`, `<=:value`, `>:value`, `>=:value`, `begins_with:prefix` and `between:low:high`.",
        },
        scanForward: {
          type: "boolean",
          default: true,
          description: "True for ascending sort-key order, false for descending order.",
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
