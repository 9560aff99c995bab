import type { Context } from "hono";
import { isLosslessNumber, parse, stringify } from "lossless-json";
import type { ConsoleApp, ConsoleEnvironment } from "../console-app.js";
import { DatabaseFrame, type DatabaseVisit, visitDatabase } from "../database-frame.js";
import { errorPage } from "../error-page.js";
import { noDatabase } from "../no-database.js";
import { type Refusal, refusalOf } from "../field-problems.js";
import { Action, Choice, Field, Form } from "../form.js";
import { DoneNotice, Empty, RefusalNotice, Table } from "../notices.js";
import { routeOf } from "../route-of.js";

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
  app.get("/data/:organizationId/:databaseId", async (c) => {
    const { organizationId, databaseId } = c.req.param();
    const of = await visitDatabase(c, organizationId, databaseId);
    return of === undefined ? noDatabase(c) : list(c, of);
  });

  app.get("/data/:organizationId/:databaseId/item", async (c) => {
    const { organizationId, databaseId } = c.req.param();
    const of = await visitDatabase(c, organizationId, databaseId);
    if (of === undefined) return noDatabase(c);
    const { pk, sk } = c.req.query();
    if (pk === undefined)
      return edit(c, of, { pk: "", sk: "", data: "{\n  \n}", condition: "", isNew: true });
    // one of a batch: a key may hold what an address would lose
    const reply = await of.visit.ask("POST", `${itemsPath(of)}/batch/get`, {
      token: of.token,
      body: { keys: [sk === undefined ? { pk } : { pk, sk }] },
    });
    const [item] = reply.isOk ? (parse(reply.text) as { items: readonly ShownItem[] }).items : [];
    if (item === undefined)
      return errorPage(c, 404, "No such item", "There is no item of this key (any more).");
    const data = stringify(item.data, undefined, 2) ?? "";
    return edit(c, of, { pk, sk: sk ?? "", data, condition: "", isNew: false });
  });

  app.post("/data/:organizationId/:databaseId/item", async (c) => {
    const { organizationId, databaseId } = c.req.param();
    const of = await visitDatabase(c, organizationId, databaseId);
    if (of === undefined) return noDatabase(c);
    const { pk = "", sk = "", data = "", condition = "", isNew } = c.get("fields");
    const filled = { pk, sk, data, condition, isNew: isNew === "yes" };
    const mistake = jsonMistake(data);
    if (mistake !== undefined)
      return edit(c, of, filled, { status: 400, general: [], fields: { data: { text: mistake } } });
    const members = [
      `"pk":${JSON.stringify(pk)}`,
      ...(sk === "" ? [] : [`"sk":${JSON.stringify(sk)}`]),
      // as it was written: numbers keep their digits
      `"data":${data}`,
      ...(condition === "" ? [] : [`"conditionExpression":${JSON.stringify(condition)}`]),
    ];
    const { method, path } = await routeOf(of.visit, "putItem", {
      databaseId: of.databaseId,
      pk,
      ...(sk === "" ? {} : { sk }),
    });
    const reply = await of.visit.ask(method, path, { token: of.token, body: `{${members.join(",")}}` });
    if (!reply.isOk) return edit(c, of, filled, refusalOf(reply, fieldOf));
    return c.redirect(of.link("/item", { pk, sk, done: "saved" }), 303);
  });

  app.post("/data/:organizationId/:databaseId/item/delete", async (c) => {
    const { organizationId, databaseId } = c.req.param();
    const of = await visitDatabase(c, organizationId, databaseId);
    if (of === undefined) return noDatabase(c);
    const { pk = "", sk = "" } = c.get("fields");
    const key = sk === "" ? { pk } : { pk, sk };
    // a path of dots would be folded on its way
    const isOdd = [pk, sk].some((text) => text === "." || text === "..");
    const reply = isOdd
      ? await of.visit.ask("POST", `${itemsPath(of)}/batch/write`, {
          token: of.token,
          body: { items: [{ operation: "Delete", ...key }] },
        })
      : await of.visit.ask(
          "DELETE",
          `${itemsPath(of)}/${Object.values(key).map(encodeURIComponent).join("/")}`,
          {
            token: of.token,
          },
        );
    if (!reply.isOk)
      return edit(c, of, { pk, sk, data: "", condition: "", isNew: false }, refusalOf(reply, fieldOf));
    return c.redirect(of.link("", { done: "deleted" }), 303);
  });
}

function itemsPath({ databaseId }: DatabaseVisit): string {
  return `/api/v1/databases/${encodeURIComponent(databaseId)}/items`;
}

/** What is wrong with a text that should be JSON. */
export function jsonMistake(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return `is no JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function fieldOf(pointer: string): string | undefined {
  const [, member = ""] = pointer.split("/");
  return { pk: "pk", sk: "sk", data: "data", conditionExpression: "condition" }[member];
}

const sizes = ["20", "50", "100"] as const;

async function list(c: Context<ConsoleEnvironment>, of: DatabaseVisit): Promise<Response> {
  const { pk = "", condition = "", filter = "", order = "ascending", limit = "20", cursor } = c.req.query();
  const mistake = filter === "" ? undefined : jsonMistake(filter);
  const shared = [
    ...(filter === "" || mistake !== undefined ? [] : [`"filterExpression":${filter}`]),
    `"limit":${Number(limit) > 0 ? Math.min(Math.trunc(Number(limit)), 100) : 20}`,
    ...(cursor === undefined ? [] : [`"cursor":${JSON.stringify(cursor)}`]),
  ];
  const ofPartition = [
    `"partitionKey":${JSON.stringify(pk)}`,
    ...(condition === "" ? [] : [`"sortKeyCondition":${JSON.stringify(condition)}`]),
    ...(order === "descending" ? ['"scanForward":false'] : []),
  ];
  const reply = await of.visit.ask("POST", `${itemsPath(of)}/${pk === "" ? "scan" : "query"}`, {
    token: of.token,
    body: `{${[...(pk === "" ? [] : ofPartition), ...shared].join(",")}}`,
  });
  const fields = {
    partitionKey: "pk",
    sortKeyCondition: "condition",
    filterExpression: "filter",
    limit: "limit",
  };
  const refusal = reply.isOk
    ? undefined
    : refusalOf(reply, (pointer) => fields[(pointer.split("/")[1] ?? "") as keyof typeof fields]);
  const page = reply.isOk ? (parse(reply.text) as ItemPage) : undefined;
  const again = { pk, condition, filter, order, limit };
  return c.html(
    <DatabaseFrame of={of} tab="">
      <DoneNotice done={c.req.query("done")} />
      <form method="get" action={of.link("")} class="row" aria-label="Find items">
        <Field label="Partition key" name="pk" value={pk} placeholder="all items" />
        <Field
          label="Sort-key condition"
          name="condition"
          value={condition}
          placeholder="begins_with:order#"
          problem={
            refusal?.fields.condition ??
            (condition !== "" && pk === "" ? { text: "needs a partition key" } : undefined)
          }
        />
        <Field
          label="Filter"
          name="filter"
          value={filter}
          placeholder='{"total":{"$gt":50}}'
          problem={mistake === undefined ? refusal?.fields.filter : { text: mistake }}
        />
        <Choice label="Order" name="order" value={order} options={["ascending", "descending"]} />
        <Choice label="Per page" name="limit" value={limit} options={sizes} />
        <button class="main">Find</button>
        <a class="button" href={of.link("/item")}>
          Add an item
        </a>
      </form>
      <RefusalNotice refusal={refusal} />
      {page === undefined ? null : <Items of={of} page={page} query={again} isFirst={cursor === undefined} />}
    </DatabaseFrame>,
  );
}

interface ItemsProps {
  readonly of: DatabaseVisit;
  readonly page: ItemPage;
  readonly query: Readonly<Record<string, string>>;
  readonly isFirst: boolean;
}

function Items({ of, page, query, isFirst }: ItemsProps) {
  const { items, nextCursor, scannedCount } = page;
  const scanned = isLosslessNumber(scannedCount) ? scannedCount.value : String(scannedCount);
  return (
    <>
      {items.length === 0 ? (
        <Empty title={query.pk === "" && isFirst ? "No items here" : "Nothing found on this page"}>
          <p>
            {nextCursor === null
              ? "Add an item, or ask for less: a partition key alone finds all of its items."
              : "A filter looks at one page at a time: go on to the next one."}
          </p>
        </Empty>
      ) : (
        <Table label="Items" head={["Partition key", "Sort key", "Data"]}>
          {items.map(({ pk, sk, data }) => (
            <tr>
              <th scope="row" class="key">
                <a href={of.link("/item", { pk, sk: sk ?? undefined })} dir="auto">
                  {pk}
                </a>
              </th>
              <td class="key" dir="auto">
                {sk ?? <span class="muted">none</span>}
              </td>
              <td class="data" dir="auto">
                {shortened(stringify(data) ?? "")}
              </td>
            </tr>
          ))}
        </Table>
      )}
      <p class="buttons">
        {isFirst ? null : (
          <a class="button" href={of.link("", query)}>
            First page
          </a>
        )}
        {nextCursor === null ? null : (
          <a class="button" href={of.link("", { ...query, cursor: nextCursor })}>
            Next page
          </a>
        )}
        <span class="muted">
          {items.length} found, {scanned} looked at
        </span>
      </p>
    </>
  );
}

/** What a row of a table holds of a long text. */
export function shortened(text: string): string {
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}

interface FilledItem {
  readonly pk: string;
  readonly sk: string;
  readonly data: string;
  readonly condition: string;
  readonly isNew: boolean;
}

function edit(
  c: Context<ConsoleEnvironment>,
  of: DatabaseVisit,
  item: FilledItem,
  refusal?: Refusal,
): Response | Promise<Response> {
  if (refusal !== undefined) c.status(400);
  const { pk, sk, data, condition, isNew } = item;
  return c.html(
    <DatabaseFrame of={of} tab="" title={isNew ? "New item" : "Item"}>
      <DoneNotice done={c.req.query("done")} />
      <RefusalNotice refusal={refusal} />
      <Form action={of.link("/item")} class="stack" label="Item">
        <input type="hidden" name="isNew" value={isNew ? "yes" : ""} />
        <div class="pair">
          <Field label="Partition key (pk)" name="pk" value={pk} problem={refusal?.fields.pk} />
          <Field
            label="Sort key (sk)"
            name="sk"
            value={sk}
            hint="Empty for an item without one."
            problem={refusal?.fields.sk}
          />
        </div>
        <Field
          label="Data"
          name="data"
          value={data}
          lines={14}
          hint="A JSON object."
          problem={refusal?.fields.data}
        />
        <Field
          label="Condition"
          name="condition"
          value={condition}
          hint="Written only when it holds, as attribute_not_exists(pk)."
          problem={refusal?.fields.condition}
        />
        <div class="buttons">
          <button class="main">Save</button>
          <a class="button" href={of.link("")}>
            Back to the items
          </a>
        </div>
      </Form>
      {isNew ? null : (
        <Action
          action={of.link("/item/delete")}
          label="Delete this item"
          kind="danger"
          fields={{ pk, sk }}
          question="Delete this item?"
        />
      )}
    </DatabaseFrame>,
  );
}
