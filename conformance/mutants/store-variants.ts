import { operationIds } from "../../openapi/operations/register.js";
import { hasPlainNames } from "../generators/field-plans.js";
import { type Json, type Wire, type Tamper, changed } from "./intercept.js";
import { type Variant, variant, variantIn } from "./mutant.js";
import { refusal } from "./tampers.js";

/** Whether an array stands in an array. */
function hasNestedArray(value: Json): boolean {
  if (typeof value !== "object" || value === null) return false;
  const members = Object.values<Json>(value);
  return members.some((member) => (Array.isArray(value) && Array.isArray(member)) || hasNestedArray(member));
}

/** Has no room for arrays in arrays. */
const refusingNestedArrays: () => Tamper = () => (wire) =>
  hasNestedArray(wire.body?.data) ? Promise.resolve(refusal(400)) : wire.send();

/** The entities of a repository, as its list has them. */
async function entitiesOf(wire: Wire): Promise<readonly Json[]> {
  const entities: Json[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const from: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const { body } = await wire.ask("GET", `/api/v1/repositories/${wire.path.repositoryId}?limit=100${from}`);
    entities.push(...body.entities);
    cursor = body.nextCursor as string | null;
  }
  return entities;
}

const mark = "elements.";

/** A filter finds arrays with the value in them as well, on pages behind the others. */
const matchingElements: () => Tamper = () => async (wire) => {
  const { filter, filterValues, limit = 20, cursor } = wire.body ?? {};
  const [, field = "", name = ""] = /^(\w+) = (:\w+)$/.exec(String(filter)) ?? [];
  if (field === "") return wire.send();
  const isBehind = typeof cursor === "string" && cursor.startsWith(mark);
  const answer = await wire.send(isBehind ? { body: { filter, filterValues, limit } } : {});
  const found = (await entitiesOf(wire)).filter(
    ({ data }) => Array.isArray(data[field]) && data[field].includes(filterValues?.[name]),
  );
  const start = isBehind ? Number(cursor.slice(mark.length)) : 0;
  return changed(answer, (body) => {
    if (!isBehind && (body.nextCursor !== null || found.length === 0)) {
      body.nextCursor ??= null;
      return;
    }
    if (isBehind) body.entities = found.slice(start, start + Number(limit));
    const next = isBehind ? start + Number(limit) : 0;
    body.nextCursor = next < found.length ? `${mark}${next}` : null;
  });
};

/** A filter compares texts without case and space around them, and converts values of other types. */
const matchingLoosely: () => Tamper = () => async (wire) => {
  const { filter, filterValues, limit = 20, cursor = 0, ...rest } = wire.body ?? {};
  const [, field = "", name = ""] = /^(\w+) = (:\w+)$/.exec(String(filter)) ?? [];
  if (field === "" || rest.sortBy !== undefined) return wire.send();
  const answer = await wire.send({ body: { filter, filterValues, limit } });
  const folded = (value: unknown) => String(value).trim().toLowerCase();
  const sought: unknown = filterValues?.[name];
  const found = (await entitiesOf(wire)).filter(
    ({ data }) =>
      Object.hasOwn(data, field) &&
      (folded(data[field]) === folded(sought) || (sought !== "" && Number(data[field]) === Number(sought))),
  );
  return changed(answer, (body) => {
    const [start, end] = [Number(cursor), Number(cursor) + Number(limit)];
    body.entities = found.slice(start, end);
    body.nextCursor = end < found.length ? String(end) : null;
    body.totalCount = found.length;
  });
};

/** Whether each key in a request is one of few and harmless characters. */
function hasNarrowKeys({ path, body }: Wire): boolean {
  const entries = [path, body, ...(body?.items ?? []), ...(body?.keys ?? [])];
  const keys = entries.flatMap((entry) => [entry?.pk, entry?.sk, entry?.partitionKey]);
  return keys.every((key: unknown) => typeof key !== "string" || /^[\w.-]{1,128}$/.test(key));
}

/** What stores and payment providers make of requests, and the specification does not forbid. */
export const storeVariants: readonly Variant[] = [
  variant("items/no-arrays-in-arrays", ["putItem"]).by(refusingNestedArrays),
  variant("entities/no-arrays-in-arrays", ["createEntity"]).by(() => {
    const inner = refusingNestedArrays();
    return (wire) => (wire.body?.data?.outer === undefined ? inner(wire) : wire.send());
  }),
  ...variantIn(
    ["items", "batches", "transactions", "sequences", "concurrency"],
    "narrow-keys",
    operationIds.filter((id) => id.includes("Item")),
  ).refusing(422, (wire) => !hasNarrowKeys(wire)),
  variant("entities/filter-loose", ["queryEntities"]).by(matchingLoosely),
  variant("entities/filter-finds-elements", ["queryEntities"]).by(matchingElements),
  ...variantIn(["entities", "repositories"], "plain-field-names", ["createRepository"]).refusing(
    422,
    (wire) => !hasPlainNames((wire.body?.schema ?? {}) as Parameters<typeof hasPlainNames>[0]),
  ),
  ...variantIn(["billing", "access", "isolation"], "no-subscription-for-free", [
    "getOrganization",
    "getPaymentInfo",
    "getPaymentStatus",
    "getPaymentPortal",
    "createCheckout",
  ]).by(() => async (wire) => {
    if (wire.operationId === "getOrganization")
      return changed(await wire.send(), (body) => {
        body.plan = "free";
      });
    // the plan behind is the largest
    if (wire.operationId === "createCheckout")
      return wire.send(wire.body?.planType === "pro" ? { body: { planType: "enterprise" } } : {});
    return changedRefusal(await wire.send());
  }),
  ...variantIn(["billing", "access"], "upgrades-alone", ["createCheckout"]).by(() => async (wire) => {
    const { body } = await wire.ask("GET", "/api/v1/payment/status");
    return body?.planType === "enterprise" ? refusal(409) : wire.send();
  }),
];

/** A that is none; who may not ask is refused as before. */
function changedRefusal(answer: Awaited<ReturnType<Wire["send"]>>): typeof answer {
  return answer.status < 300 ? refusal(404) : answer;
}
