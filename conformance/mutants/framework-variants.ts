import { operationIds } from "../../openapi/operations/register.js";
import { JsonText, writeJson } from "../client/json-text.js";
import { isOrdinary } from "../generators/is-ordinary.js";
import { readClaims } from "../client/claims.js";
import { isRefused } from "../client/is-refused.js";
import type { Json, Wire, Tamper } from "./intercept.js";
import { type Variant, variant, variantIn } from "./mutant.js";
import { refusal } from "./tampers.js";

/** Reads a body that is almost JSON: single quotes, names without quotes, and what stands behind the end. */
const leniently: () => Tamper = () => (wire) => {
  if (typeof wire.body !== "string") return wire.send();
  const quoted = wire.body.replaceAll("'", '"').replaceAll(/([{,]\s*)(\w+):/g, '$1"$2":');
  for (let end = quoted.length; end > 0; end--)
    try {
      return wire.send({ body: JSON.parse(quoted.slice(0, end)) });
    } catch {
      // shorter: the end of the value comes sooner
    }
  return wire.send();
};

/** Takes a number, true, false or an array of one text for a text, where a text is expected. */
const converting =
  (...members: readonly string[]): (() => Tamper) =>
  () =>
  (wire) => {
    if (typeof wire.body !== "object" || Array.isArray(wire.body)) return wire.send();
    const body = { ...wire.body };
    for (const member of members) body[member] = converted(body[member]);
    return wire.send({ body });
  };

function converted(value: Json): Json {
  const [only, ...more] = Array.isArray(value) ? value : [value];
  if (Array.isArray(value) && (more.length > 0 || typeof only !== "string")) return value;
  return ["number", "boolean"].includes(typeof only) ? String(only) : only;
}

/** Reads a role by its place among the roles. */
const numberedRoles: () => Tamper = () => (wire) => {
  const role = ["owner", "admin", "member", "readonly"][wire.body?.role as number];
  return role === undefined ? wire.send() : wire.send({ body: { ...wire.body, role } });
};

/** Has no room for what decimal types and texts of databases cannot hold, but for arrays in arrays that a schema has. */
const refusingOdd: () => Tamper = () => (wire) => {
  if (wire.body?.data?.outer !== undefined) return wire.send();
  const data = new JsonText(writeJson(wire.body?.data ?? wire.body?.schema ?? {}));
  return isOrdinary(data) ? wire.send() : Promise.resolve(refusal(400));
};

/** Checks the form of what is sent before anybody is looked for: a plain address, a password of eight characters. */
const validatingLogins: () => Tamper = () => (wire) => {
  const { email, password } = (wire.body ?? {}) as { email?: unknown; password?: unknown };
  const isPlain = /^[\w.-]+@[\w-]+(\.[\w-]+)+$/.test(String(email));
  return isPlain && String(password).length >= 8 ? wire.send() : Promise.resolve(refusal(422));
};

/** Ends pages of some length before they are full, sooner or later as time allows. */
const pagesByTime: () => Tamper = () => {
  let pages = 0;
  return (wire) => {
    const inBody = wire.operationId === "queryEntities";
    const { limit = 20 } = (inBody ? wire.body : wire.query) as { readonly limit?: Json };
    if (!(Number(limit) >= 4 && Number(limit) <= 20)) return wire.send();
    const shorter = Number(limit) - (pages++ % 3);
    return wire.send(
      inBody
        ? { body: { ...wire.body, limit: shorter } }
        : { query: { ...wire.query, limit: String(shorter) } },
    );
  };
};

/** Refuses bodies with names that could change what objects inherit. */
const guardingPrototypes: () => Tamper = () => (wire) =>
  /"(?:__proto__|constructor|prototype)"\s*:/.test(writeJson(wire.body ?? {}))
    ? Promise.resolve(refusal(400))
    : wire.send();

/** Refuses some of what comes while other requests are under way, as stores do that find them in each other's way. */
const contending: () => Tamper = () => {
  let underWay = 0;
  let number = 0;
  return async (wire) => {
    const isSure = wire.body?.conditionExpression !== undefined;
    if (underWay > 0 && !isSure && number++ % 4 === 0) return refusal(409);
    underWay++;
    try {
      return await wire.send();
    } finally {
      underWay--;
    }
  };
};

const organizationOperations = operationIds
  .filter((id) => /Organization$|Members?$/.test(id))
  .filter((id) => !/^(?:create|switch)/.test(id));

/** Whether a token is for another organization than the one in the path. */
function isOfOtherOrganization({ credential, path }: Wire): boolean {
  const { org } = readClaims(credential);
  return org !== undefined && org !== path.organizationId;
}

/** What common frameworks make of requests by default, and the specification does not forbid. */
export const frameworkVariants: readonly Variant[] = [
  ...variantIn(["items", "entities", "sql"], "guarded-prototypes", [
    "putItem",
    "createEntity",
    "updateEntity",
    "runSqlQuery",
  ]).by(guardingPrototypes),
  ...variantIn(["concurrency", "sequences"], "in-each-others-way", [
    "putItem",
    "getItem",
    "deleteItem",
    "transactGetItems",
  ]).by(contending),
  variant("items/slashes-end-paths", [
    "getItem",
    "getItemWithSortKey",
    "deleteItem",
    "deleteItemWithSortKey",
  ]).by(
    () => (wire) =>
      Object.values(wire.path).some((key) => key.includes("/"))
        ? Promise.resolve({ status: 404, headers: { "content-type": "text/html" }, body: "Not Found" })
        : wire.send(),
  ),
  variant("session/validating-logins", ["login"]).by(validatingLogins),
  variant("session/errors-of-logins", ["login"]).by(() => async (wire) => {
    const answer = await wire.send();
    return isRefused(answer) ? { status: 200, headers: {}, body: { status: "Error" } } : answer;
  }),
  variant("organizations/second-factor-first", ["updateOrganization"]).refusing(
    409,
    (wire) => wire.body?.settings?.requireMfa === true,
  ),
  variant("organizations/second-factor-next", ["getOrganization", "updateOrganization"]).by(() => {
    const closed = new Set<string>();
    return async (wire) => {
      if (closed.has(wire.path.organizationId ?? "")) return refusal(403);
      if (wire.body?.settings?.requireMfa === true) closed.add(wire.path.organizationId ?? "");
      return wire.send();
    };
  }),
  ...variantIn(
    ["organizations", "members", "session", "sequences", "access", "billing"],
    "tokens-of-one-organization",
    organizationOperations,
  ).refusing(403, isOfOtherOrganization),
  variant("organizations/tokens-of-one-deleted-organization", organizationOperations, {
    profile: { "deleted-organization": "shown" },
  }).refusing(403, isOfOtherOrganization),
  variant("entities/pages-by-time", ["listEntities", "queryEntities"]).by(pagesByTime),
  variant("items/decimals-without-nul", ["putItem"]).by(refusingOdd),
  variant("entities/decimals-without-nul", ["createRepository", "createEntity"]).by(refusingOdd),
  variant("items/lenient-json", ["scanItems", "putItem"]).by(leniently),
  variant("databases/lenient-json", ["createDatabase"]).by(leniently),
  variant("items/converts-keys", ["putItem"]).by(converting("pk", "sk")),
  variant("items/converts-partition-keys", ["queryItems"]).by(converting("partitionKey")),
  variant("databases/converts-names", ["createDatabase"]).by(converting("name")),
  variant("billing/converts-plans", ["createCheckout"]).by(converting("planType")),
  variant("session/converts-logins", ["login"]).by(converting("email", "password")),
  variant("members/numbered-roles", ["inviteMember", "updateMember"]).by(numberedRoles),
  variant("batches/operations-in-any-case", ["batchWriteItems"]).sending((body) =>
    Array.isArray(body.items)
      ? {
          ...body,
          items: body.items.map((entry: Json) =>
            typeof entry?.operation === "string"
              ? { ...entry, operation: entry.operation.replace(/^(put|delete)$/, capitalized) }
              : entry,
          ),
        }
      : undefined,
  ),
  variant("session/members-reach-databases", ["getDatabase", "deleteDatabase"]).by(() => {
    const opens = new Map<string, string>();
    return async (wire) => {
      const name = `${userOf(wire.credential)} ${wire.path.databaseId ?? ""}`;
      const answer = await wire.send();
      const other = opens.get(name);
      if (answer.status < 300 && wire.credential !== undefined) opens.set(name, wire.credential);
      return answer.status >= 400 && other !== undefined ? wire.send({ credential: other }) : answer;
    };
  }),
  variant("plans/more-of-a-single-plan", ["getPlan"]).answering((body) => {
    body.terms = "as of today";
    if (body.limits !== null) body.limits.maxRegions = 2;
    for (const feature of body.features) feature.since = "1.0";
  }),
];

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** The user that an access token is for. */
function userOf(credential = ""): string {
  const payload = Buffer.from(credential.split(".")[1] ?? "", "base64url").toString();
  return /"sub":"([^"]*)"/.exec(payload)?.[1] ?? "";
}
