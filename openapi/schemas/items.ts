import { withComparisonKind } from "./compare-kinds.js";
import type { SchemaObject } from "openapi3-ts/oas31";
import { ref } from "./ref.js";
import * as schema from "./schema-builders.js";

/** The request fields that identify an item. */
export function buildItemKeyProperties(builder: schema.SchemaBuilder): schema.Properties {
  return {
    pk: { type: "string", minLength: 1, description: "Partition key." },
    "sk?": {
      type: ["string", "null"],
      ...nonEmptyText(builder),
      description: "Sort key; null for an item without a sort key.",
    },
  };
}

/** The specification does not say whether an empty sort key counts as none; the emulator refuses it. */
function nonEmptyText({ isStrict }: schema.SchemaBuilder): SchemaObject {
  return isStrict ? { minLength: 1 } : {};
}

/** The sort key in a response. */
export const responseSortKeySchema: SchemaObject = schema.nullable(
  schema.text("equal", "Sort key; null for an item without a sort key."),
);

/** The optional request fields that make a write conditional. */
export function buildConditionProperties(builder: schema.SchemaBuilder): schema.Properties {
  const values = schema.describedRef(
    "JsonObject",
    'The value for each `:<name>` in `conditionExpression`. The keys include the colon: `{":min": 5}`.',
    { "x-gap": "condition-values" },
  );
  return schema.makeOptional({
    conditionExpression: {
      type: "string",
      minLength: 1,
      description:
        "The item is written only if this condition is true for the existing item, for example `attribute_not_exists(pk)`.",
      "x-gap": ["condition-grammar", "missing-attribute"],
    },
    ...Object.fromEntries(builder.allowed("condition-values").map((member) => [member, values])),
  });
}

/** Raw items (parts 2 and 4.2). */
export const itemSchemas: schema.SchemaGroup = (builder) => {
  const { isStrict } = builder;
  const keysInPath = builder.allowed("put-item-route").some((route) => route.includes("{pk}"));
  const { pk = {}, ...sk } = buildItemKeyProperties(builder);
  const responseKey = { pk: schema.text("equal", "Partition key."), sk: responseSortKeySchema };
  const updatedAt = builder.timestamp("Time of the last change.");
  const page = schema.makeOptional({
    filterExpression: schema.describedRef(
      "JsonObject",
      'Returns only items that match this filter, for example `{"status": "open", "total": {"$gte": 10}}`.',
      { "x-gap": ["item-filter-grammar", "missing-attribute"] },
    ),
    limit: ref("PageLimit"),
    cursor: ref("PageCursor"),
  });
  const itemPage = (description: string, items: SchemaObject) =>
    builder.response(description, {
      items,
      nextCursor: schema.nextCursor,
      count: schema.count(
        "equal",
        isStrict
          ? "Number of items on this page."
          : "The number of items if they are all on one page; otherwise, any whole number.",
      ),
      scannedCount: schema.count(
        "equal",
        isStrict ? "Number of items scanned for this page." : "A whole number.",
      ),
    });
  return {
    ItemData: withComparisonKind(
      "data",
      schema.freeObject(
        "Attributes of an item: any JSON object. The object is returned exactly as it was sent, except for white space and escapes.",
      ),
    ),
    PutItemRequest: builder.request("The item to create or replace.", {
      [keysInPath ? "pk?" : "pk"]: pk,
      ...sk,
      data: ref("ItemData"),
      ...buildConditionProperties(builder),
    }),
    // client generators name the response of the operation `putItem` PutItemResponse
    PutItemResult: builder.response("The item that was written.", {
      ...responseKey,
      updatedAt: builder.timestamp("Time of the write."),
    }),
    Item: builder.response("A raw item.", {
      ...responseKey,
      data: ref("ItemData"),
      createdAt: builder.timestamp("Creation time."),
      updatedAt,
    }),
    FoundItem: builder.response("An item in the result of a query or scan.", {
      ...responseKey,
      data: ref("ItemData"),
    }),
    QueryItemsRequest: builder.request("Which items of a partition to read.", {
      partitionKey: { type: "string", minLength: 1, description: "The partition to read." },
      "sortKeyCondition?": {
        type: "string",
        ...nonEmptyText(builder),
        description:
          "One of `=:value`, `<:value`, `<=:value`, `>:value`, `>=:value`, `begins_with:prefix` and `between:low:high`.",
      },
      "scanForward?": {
        type: "boolean",
        default: true,
        description: "True for ascending sort-key order, false for descending order.",
      },
      ...page,
    }),
    ScanItemsRequest: builder.request("Which items of the database to read.", page),
    ItemPage: itemPage(
      "A page of items from one partition.",
      schema.array("ordered", "FoundItem", "The items, in sort-key order."),
    ),
    ScanPage: itemPage(
      "A page of items from a database.",
      schema.array("unordered", "FoundItem", "The items on the page."),
    ),
  };
};
