import type { Answer, Client } from "../../client/client.js";
import type { CheckContext } from "../../check/context.js";
import type { ItemKey } from "../../models/items-model.js";
import type { ItemCalls } from "../../steps/items/item-calls.js";

/** What `item` in the answer of a transact get is: the item's attributes, or the record of part 2. */
type ItemForm = "data" | "record";

/** One entry of the answer, with the item's attributes in either form. */
export interface TransactedEntry extends ItemKey {
  /** Null where there is no item. */
  readonly item: unknown;
  readonly itemExists: unknown;
}

/** What a record has beside its attributes. */
const recordMembers = ["pk", "sk", "createdAt", "updatedAt"];

/** One look a run: a deployment does not change its form. */
const forms = new WeakMap<Client, Promise<ItemForm>>();

/** Reads answers of transact get, whose form and order are open. */
export class Transacted {
  constructor(readonly form: ItemForm) {}

  /** Knows the form, or finds out by looking at an item whose data cannot be taken for a record. */
  static async of(items: ItemCalls): Promise<Transacted> {
    const context: CheckContext = items.context;
    const known = context.known("transact-get-item");
    if (known !== undefined) return new Transacted(known);
    let form = forms.get(context.client);
    if (form === undefined) {
      form = findForm(items);
      forms.set(context.client, form);
      // a look that failed says nothing
      form.catch(() => forms.delete(context.client));
    }
    return new Transacted(await form);
  }

  /** All entries, in the order of the answer. */
  entries({ body }: Answer): readonly TransactedEntry[] {
    const listed = (body as { items?: TransactedEntry[] } | undefined)?.items ?? [];
    return listed.map(({ pk, sk, item, itemExists }) => ({
      pk,
      sk,
      item: this.attributes(item),
      itemExists,
    }));
  }

  /** The entries of one key. */
  entriesOf(answer: Answer, key: ItemKey): readonly TransactedEntry[] {
    return this.entries(answer).filter(({ pk, sk }) => pk === key.pk && sk === key.sk);
  }

  /** The attributes of one key's item; nothing where there is no item, or no entry. */
  dataOf(answer: Answer, key: ItemKey): Readonly<Record<string, unknown>> | undefined {
    const [entry] = this.entriesOf(answer, key);
    return isObject(entry?.item) ? entry.item : undefined;
  }

  /** The attributes in an `item`. A projection may leave those of a record in its `data`, or put them in its place. */
  attributes(item: unknown): unknown {
    if (this.form === "data" || !isObject(item)) return item;
    if ("data" in item) return item.data;
    return Object.fromEntries(Object.entries(item).filter(([name]) => !recordMembers.includes(name)));
  }
}

async function findForm(items: ItemCalls): Promise<ItemForm> {
  const key = items.key("s");
  await items.put(key, { probe: { n: 1 } }, {}, { setUp: true });
  const answer = await items.transactGet([key], undefined, { setUp: true });
  const item = (answer.body as { items?: { item?: unknown }[] } | undefined)?.items?.[0]?.item;
  const isRecord = isObject(item) && !("probe" in item) && isObject(item.data) && "probe" in item.data;
  return isRecord ? "record" : "data";
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
