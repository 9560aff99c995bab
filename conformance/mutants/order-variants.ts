import { type Json, type Wire, type Tamper, withBody, changed } from "./intercept.js";
import { type Variant, variant } from "./mutant.js";
import { refusal } from "./tampers.js";

type Compare = (a: string, b: string) => number;

/** The whole partition of a query, without what the query selects of it. */
async function partitionOf(wire: Wire): Promise<{ readonly items: readonly Json[]; readonly first: Json }> {
  const { partitionKey, filterExpression } = wire.body;
  const items: Json[] = [];
  const ask = (cursor?: Json) => wire.send({ body: { partitionKey, filterExpression, cursor, limit: 100 } });
  const first = await ask();
  for (let page = first; page.status === 200; page = await ask(page.body.nextCursor)) {
    items.push(...page.body.items);
    if (page.body.nextCursor === null) break;
  }
  return { items, first };
}

/** Whether a condition selects a sort key; nothing where it has bounds in the wrong order. */
function selection(text: string | undefined, compare: Compare): ((sk: string) => boolean) | undefined {
  const [, operator = "", value = ""] = /^(=|<=|>=|<|>|begins_with|between):(.*)$/s.exec(text ?? "") ?? [];
  if (operator === "between") {
    const middle = value.indexOf(":");
    const [low, high] = [value.slice(0, middle), value.slice(middle + 1)];
    return compare(low, high) > 0 ? undefined : (sk) => compare(sk, low) >= 0 && compare(sk, high) <= 0;
  }
  const tests: Readonly<Record<string, (sk: string) => boolean>> = {
    "=": (sk) => sk === value,
    "<": (sk) => compare(sk, value) < 0,
    "<=": (sk) => compare(sk, value) <= 0,
    ">": (sk) => compare(sk, value) > 0,
    ">=": (sk) => compare(sk, value) >= 0,
    begins_with: (sk) => sk.startsWith(value),
  };
  return tests[operator] ?? (() => true);
}

/** Queries in an order of the deployment's own, by which conditions select as well. */
function inOrder(compare: Compare): () => Tamper {
  return () => async (wire) => {
    const { body } = wire;
    const { sortKeyCondition, scanForward = true, limit = 20, cursor } = body ?? {};
    const isOrdered = typeof body?.partitionKey === "string" && Number.isInteger(limit) && limit > 0;
    const isKnown =
      sortKeyCondition === undefined || /^(?:[<>]=?|=|begins_with|between):/.test(String(sortKeyCondition));
    if (!isOrdered || !isKnown) return wire.send();
    const { items, first } = await partitionOf(wire);
    if (first.status !== 200) return first;
    const selects = selection(sortKeyCondition as string | undefined, compare);
    if (selects === undefined) return refusal(400);
    const turned = scanForward === false ? -1 : 1;
    // the item without sort key comes first, and satisfies no condition
    const place = ({ sk }: Json, { sk: other }: Json): number =>
      sk === null || other === null ? Number(other === null) - Number(sk === null) : compare(sk, other);
    const after = typeof cursor === "string" ? JSON.parse(cursor) : undefined;
    const left = items
      .filter(({ sk }) => (sk === null ? sortKeyCondition === undefined : selects(sk as string)))
      .toSorted((a, b) => turned * place(a, b))
      .filter((item) => after === undefined || turned * place(item, after) > 0);
    const page = left.slice(0, limit);
    const nextCursor = left.length > page.length ? JSON.stringify({ sk: page.at(-1)?.sk }) : null;
    return withBody(
      changed(first, () => undefined),
      { items: page, count: page.length, scannedCount: page.length, nextCursor },
    );
  };
}

/** The order of a language, in which texts that it does not tell apart have that of their code units. */
function ofLanguage(options: Intl.CollatorOptions): Compare {
  const { compare } = new Intl.Collator("en", options);
  return (a, b) => compare(a, b) || (a < b ? -1 : a > b ? 1 : 0);
}

/** Sort keys in the order that a store has by its collation: "ascending" says nothing about capitals and accents. */
export const orderVariants: readonly Variant[] = (
  [
    ["language", {}],
    ["language-capitals-first", { caseFirst: "upper" }],
    ["language-without-punctuation", { ignorePunctuation: true }],
  ] as const
).map(([name, options]) =>
  variant(`items/order-of-${name}`, ["queryItems"]).by(inOrder(ofLanguage(options))),
);
