import { isLosslessNumber, parse, stringify } from "lossless-json";
import { Empty, Table } from "../components.js";
import type { ConsoleApp, ConsoleContext } from "../environment.js";
import { Action, Choice, Field, Form } from "../form.js";
import { errorPage, Link } from "../page.js";
import { fieldsNamed, mistakeIn, type Refusal, refusalOf } from "../refusal.js";
import {
  type DatabaseVisit,
  jsonMistake,
  NextPage,
  objectText,
  onDatabase,
  routeOf,
  shortened,
  showDatabasePage,
} from "./database.js";

/** An item, with its data as it is written. */
interface ShownItem {
  readonly pk: string;
  readonly sk: string | null;
  readonly data: unknown;
}

interface ItemPage {
  readonly items: readonly ShownItem[];
  readonly nextCursor: string | null;
  readonly scannedCount: unknown;
}

/** Items of a database: find, look at, write and delete them. */
export function mountItems(app: ConsoleApp): void {
  const base = "/data/:organizationId/:databaseId";
  app.get(base, onDatabase(list));

  app.get(
    `${base}/item`,
    onDatabase(async (c, of) => {
      const { pk, sk } = c.req.query();
      if (pk === undefined)
        return edit(c, of, { pk: "", sk: "", data: "{\n  \n}", condition: "", isNew: "yes" });
      // one of a batch: a key may hold what an address would lose
      const keys = [sk === undefined ? { pk } : { pk, sk }];
      const reply = await of.ask("POST", `${itemsPath(of)}/batch/get`, { keys });
      const [item] = reply.isOk ? (parse(reply.text) as { items: readonly ShownItem[] }).items : [];
      if (item === undefined) return errorPage(c, "No such item", "There is no item of this key (any more).");
      const data = stringify(item.data, undefined, 2) ?? "";
      return edit(c, of, { pk, sk: sk ?? "", data, condition: "", isNew: "" });
    }),
  );

  app.post(
    `${base}/item`,
    onDatabase(async (c, of) => {
      const { pk = "", sk = "", data = "", condition = "", isNew = "" } = c.get("fields");
      const filled = { pk, sk, data, condition, isNew };
      const mistake = data === "" ? "is empty" : jsonMistake(data);
      if (mistake !== undefined) return edit(c, of, filled, mistakeIn("data", mistake));
      const body = objectText(
        { pk, sk: sk || undefined, conditionExpression: condition || undefined },
        { data },
      );
      const values = { databaseId: of.databaseId, pk, ...(sk === "" ? {} : { sk }) };
      const { method, path } = await routeOf(of.visit, "putItem", values);
      const reply = await of.ask(method, path, body);
      if (!reply.isOk) return edit(c, of, filled, refusalOf(reply, fieldOf));
      return c.redirect(of.link("/item", { pk, sk, done: "saved" }), 303);
    }),
  );

  app.post(
    `${base}/item/delete`,
    onDatabase(async (c, of) => {
      const { pk = "", sk = "" } = c.get("fields");
      const key = sk === "" ? { pk } : { pk, sk };
      // a path of dots would be folded on its way
      const isOdd = [pk, sk].some((text) => text === "." || text === "..");
      const path = Object.values(key).map(encodeURIComponent).join("/");
      const reply = isOdd
        ? await of.ask("POST", `${itemsPath(of)}/batch/write`, { items: [{ operation: "Delete", ...key }] })
        : await of.ask("DELETE", `${itemsPath(of)}/${path}`);
      if (!reply.isOk)
        return edit(c, of, { pk, sk, data: "", condition: "", isNew: "" }, refusalOf(reply, fieldOf));
      return c.redirect(of.link("", { done: "deleted" }), 303);
    }),
  );
}

function itemsPath({ id }: DatabaseVisit): string {
  return `/api/v1/databases/${id}/items`;
}

const fieldOf = fieldsNamed({ conditionExpression: "condition" });

async function list(c: ConsoleContext, of: DatabaseVisit): Promise<Response> {
  const { pk = "", condition = "", filter = "", order = "ascending", limit = "20", cursor } = c.req.query();
  const mistake = jsonMistake(filter);
  const ofPartition = {
    partitionKey: pk,
    sortKeyCondition: condition || undefined,
    scanForward: order === "descending" ? false : undefined,
  };
  const asked = {
    ...(pk === "" ? {} : ofPartition),
    limit: Number(limit) > 0 ? Math.min(Math.trunc(Number(limit)), 100) : 20,
    cursor,
  };
  const body = objectText(asked, { filterExpression: mistake === undefined ? filter : "" });
  const reply = await of.ask("POST", `${itemsPath(of)}/${pk === "" ? "scan" : "query"}`, body);
  const names = fieldsNamed({
    partitionKey: "pk",
    sortKeyCondition: "condition",
    filterExpression: "filter",
  });
  const page = reply.isOk ? (parse(reply.text) as ItemPage) : undefined;
  const query = { pk, condition, filter, order, limit };
  return showDatabasePage(
    c,
    of,
    { tab: "", refusal: reply.isOk ? undefined : refusalOf(reply, names) },
    <>
      <Form to="" isSearch label="Find items" values={query}>
        <Field label="Partition key" name="pk" placeholder="all items" />
        <Field
          label="Sort-key condition"
          name="condition"
          placeholder="begins_with:order#"
          problem={condition !== "" && pk === "" ? "needs a partition key" : undefined}
        />
        <Field label="Filter" name="filter" placeholder='{"total":{"$gt":50}}' problem={mistake} />
        <Choice label="Order" name="order" options={["ascending", "descending"]} />
        <Choice label="Per page" name="limit" options={["20", "50", "100"]} />
        <button class="main">Find</button>
        <Link to="/item" isButton>
          Add an item
        </Link>
      </Form>
      {page === undefined ? null : <Items page={page} query={query} isFirst={cursor === undefined} />}
    </>,
  );
}

interface ItemsProps {
  readonly page: ItemPage;
  readonly query: Readonly<Record<string, string>>;
  readonly isFirst: boolean;
}

function Items({ page: { items, nextCursor, scannedCount }, query, isFirst }: ItemsProps) {
  const scanned = isLosslessNumber(scannedCount) ? scannedCount.value : String(scannedCount);
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
          <Link to="/item" query={{ pk, sk: sk ?? undefined }}>
            {pk}
          </Link>,
          sk ?? <span class="muted">none</span>,
          shortened(stringify(data) ?? ""),
        ])}
        empty={
          <Empty title={query.pk === "" && isFirst ? "No items here" : "Nothing found on this page"}>
            {nextCursor === null
              ? "Add an item, or ask for less: a partition key alone finds all of its items."
              : "A filter looks at one page at a time: go on to the next one."}
          </Empty>
        }
      />
      <p class="buttons">
        {isFirst ? null : (
          <Link to="" query={query} isButton>
            First page
          </Link>
        )}
        <NextPage to="" query={{ ...query, cursor: nextCursor ?? undefined }} isThere={nextCursor !== null} />
        <span class="muted">
          {items.length} found, {scanned} looked at
        </span>
      </p>
    </>
  );
}

/** An item as its form holds it. */
type FilledItem = Readonly<Record<"pk" | "sk" | "data" | "condition" | "isNew", string>>;

function edit(c: ConsoleContext, of: DatabaseVisit, item: FilledItem, refusal?: Refusal) {
  const { pk, sk, isNew } = item;
  return showDatabasePage(
    c,
    of,
    { tab: "", title: isNew === "" ? "Item" : "New item", refusal },
    <>
      <Form
        to="/item"
        label="Item"
        values={item}
        hidden={{ isNew }}
        submit="Save"
        back={["", "Back to the items"]}
      >
        <div class="pair">
          <Field label="Partition key (pk)" name="pk" />
          <Field label="Sort key (sk)" name="sk" hint="Empty for an item without one." />
        </div>
        <Field label="Data" name="data" lines={14} hint="A JSON object." />
        <Field
          label="Condition"
          name="condition"
          hint="Written only if this is true, for example attribute_not_exists(pk)."
        />
      </Form>
      {isNew === "" ? (
        <Action
          to="/item/delete"
          label="Delete this item"
          kind="danger"
          fields={{ pk, sk }}
          question="Delete this item?"
        />
      ) : null}
    </>,
  );
}
