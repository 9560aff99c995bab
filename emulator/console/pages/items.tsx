import { parse } from "lossless-json";
import { EmptyState, truncateText, Table } from "../../../openapi/html/components.js";
import { indentJson } from "../indent-json.js";
import { buildBody } from "../contract.js";
import { attemptOrShowRefusal } from "../environment.js";
import { ActionButton, Form } from "../form.js";
import { Link } from "../page.js";
import type { Schemas } from "../page-visit.js";
import { RejectedRequestError } from "../rejected-request-error.js";
import { createDatabasePage, NextPageLink } from "./database.js";

/** The values of `scanForward`. */
const orders = [
  ["", "ascending"],
  ["false", "descending"],
] as const;

/** The items of a database: all, or those that match a query. */
export const itemsPage = createDatabasePage("", async (c, visit, { as, databaseId, base }) => {
  const { cursor, ...query } = visit.query;
  const { partitionKey = "", sortKeyCondition = "" } = query;
  const operation = partitionKey + sortKeyCondition === "" ? "scanItems" : "queryItems";
  const pageSizes = [20, 50, 100].filter((size) => size === visit.getPageSize(size)).map(String);
  const found = await attemptOrShowRefusal(c, () => {
    const body = buildBody(operation, visit.profile, { limit: "20", ...query, cursor });
    return visit.read(operation, { params: { databaseId }, as, body });
  });
  return {
    content: (
      <>
        <Form
          search={base}
          operation="queryItems"
          label="Find items"
          values={query}
          fields={{
            partitionKey: { label: "Partition key", placeholder: "all items" },
            sortKeyCondition: { label: "Sort-key condition", placeholder: "begins_with:order#" },
            filterExpression: { label: "Filter", placeholder: '{"total":{"$gt":50}}' },
            scanForward: { label: "Order", options: orders },
            limit: { label: "Per page", options: pageSizes },
          }}
          submit="Find"
        >
          <Link to={`${base}/item`} isButton>
            Add an item
          </Link>
        </Form>
        {found === undefined ? null : (
          <Items page={found} {...{ base, query, isFirst: cursor === undefined }} />
        )}
      </>
    ),
  };
});

interface ItemsProps {
  readonly page: Schemas["ItemPage"];
  readonly base: string;
  readonly query: Readonly<Record<string, string>>;
  readonly isFirst: boolean;
}

function Items({ page, base, query, isFirst }: ItemsProps) {
  const { items, nextCursor, scannedCount } = page;
  return (
    <>
      <Table
        label="Items"
        head={[
          ["Partition key", "key"],
          ["Sort key", "key"],
          ["Data", "data"],
        ]}
        rows={items.map(({ pk, sk, data }) => [
          <Link to={`${base}/item`} query={{ pk, sk: sk ?? undefined }}>
            {pk}
          </Link>,
          sk ?? <span class="muted">none</span>,
          truncateText(JSON.stringify(data)),
        ])}
        empty={
          <EmptyState title="Nothing found on this page">
            {nextCursor === null
              ? "Add an item, or use fewer conditions: a partition key alone finds all items with that key."
              : "The filter is applied to each page separately, so the next page may contain matching items."}
          </EmptyState>
        }
      />
      <p class="buttons">
        {isFirst ? null : (
          <Link to={base} query={query} isButton>
            First page
          </Link>
        )}
        <NextPageLink to={base} query={query} cursor={nextCursor} />
        <span class="muted">
          Items found on this page: {items.length} of {scannedCount} scanned
        </span>
      </p>
    </>
  );
}

/** An item, to view, edit and delete; a new one if the address has no key. */
export const itemPage = createDatabasePage("", async (_c, visit, { as, databaseId, base }) => {
  const { pk, sk } = visit.query;
  const params = { databaseId };
  const next = visit.link(base);
  let data = "{\n  \n}";
  if (pk !== undefined) {
    // Read by batch: a key may contain characters that a URL path cannot carry.
    const keys = [sk === undefined ? { pk } : { pk, sk }];
    const { text } = await visit.call("batchGetItems", { params, as, body: { keys } });
    const [found] = (parse(text) as { items: readonly { data: unknown }[] }).items;
    if (found === undefined) throw new RejectedRequestError(404, ["There is no item with this key."]);
    data = indentJson(found.data);
  }
  return {
    title: pk === undefined ? "New item" : "Item",
    content: (
      <>
        <Form
          label="Item"
          call={{ operation: "putItem", params, as, done: "saved", next }}
          values={{ pk, sk, data }}
          fields={{
            pk: { label: "Partition key (pk)", hint: undefined },
            sk: { label: "Sort key (sk)", hint: "Leave empty for an item without a sort key." },
            data: { label: "Data", lines: 14 },
            conditionExpression: "Condition",
          }}
          submit="Save"
        />
        {pk === undefined ? null : (
          <ActionButton
            call={{
              operation: sk === undefined ? "deleteItem" : "deleteItemWithSortKey",
              params: { ...params, pk, sk },
              as,
              done: "deleted",
              next,
            }}
            label="Delete this item"
            kind="danger"
            question="Delete this item?"
          />
        )}
      </>
    ),
  };
});
