import type { OperationId } from "../../openapi/operations/register.js";
import { JsonText, writeJson } from "../client/json-text.js";
import { isOrdinary } from "../generators/is-ordinary.js";
import { claimsOf } from "../client/claims.js";
import { isRefused } from "../client/is-refused.js";
import { changed, type Json, type Tamper } from "./intercept.js";
import { variant, type Variant } from "./mutant.js";
import { refusal } from "./refusal.js";

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

const organizationOperations: readonly OperationId[] = [
  "getOrganization",
  "updateOrganization",
  "deleteOrganization",
  "listMembers",
  "inviteMember",
  "updateMember",
  "removeMember",
];

/** Takes tokens of the organization in the path alone. */
const openingOneOrganization: Tamper = (wire) => {
  const { org } = claimsOf(wire.credential);
  const isElsewhere = org !== undefined && org !== wire.path.organizationId;
  return isElsewhere ? Promise.resolve(refusal(403)) : wire.send();
};

/** What common frameworks make of requests by default, and the specification does not forbid. */
export const frameworkVariants: readonly Variant[] = [
  ...(["items", "entities", "sql"] as const).map((area) =>
    variant(
      `${area}/guarded-prototypes`,
      "Bodies with members like `__proto__` are refused",
      ["putItem", "createEntity", "updateEntity", "runSqlQuery"],
      guardingPrototypes,
    ),
  ),
  ...(["concurrency", "sequences"] as const).map((area) =>
    variant(
      `${area}/in-each-others-way`,
      "Some of what comes while others are under way is refused",
      ["putItem", "getItem", "deleteItem", "transactGetItems"],
      contending,
    ),
  ),
  variant(
    "items/slashes-end-paths",
    "What stands in front takes an encoded slash in a path for the end of a segment, and finds nothing there",
    ["getItem", "getItemWithSortKey", "deleteItem", "deleteItemWithSortKey"],
    () => (wire) =>
      Object.values(wire.path).some((key) => key.includes("/"))
        ? Promise.resolve({ status: 404, headers: { "content-type": "text/html" }, body: "Not Found" })
        : wire.send(),
  ),
  variant(
    "session/validating-logins",
    "A login with an unusual address or a short password is refused as a request",
    ["login"],
    validatingLogins,
  ),
  variant(
    "session/errors-of-logins",
    "A login that cannot be read has the status Error",
    ["login"],
    () => async (wire) => {
      const answer = await wire.send();
      return isRefused(answer) ? { status: 200, headers: {}, body: { status: "Error" } } : answer;
    },
  ),
  variant(
    "organizations/second-factor-first",
    "Who has no second factor of their own may not demand one of others",
    ["updateOrganization"],
    () => (wire) => (wire.body?.settings?.requireMfa === true ? Promise.resolve(refusal(409)) : wire.send()),
  ),
  variant(
    "organizations/second-factor-next",
    "Who has no second factor is shut out of an organization that demands one",
    ["getOrganization", "updateOrganization"],
    () => {
      const closed = new Set<string>();
      return async (wire) => {
        if (closed.has(wire.path.organizationId ?? "")) return refusal(403);
        if (wire.body?.settings?.requireMfa === true) closed.add(wire.path.organizationId ?? "");
        return wire.send();
      };
    },
  ),
  ...(["organizations", "members", "session", "sequences", "access", "billing"] as const).map((area) =>
    variant(
      `${area}/tokens-of-one-organization`,
      "A token opens no other organization than the one it is for",
      organizationOperations,
      () => openingOneOrganization,
    ),
  ),
  {
    ...variant(
      "organizations/tokens-of-one-deleted-organization",
      "A token opens no other organization than the one it is for, and deleted organizations are shown",
      organizationOperations,
      () => openingOneOrganization,
    ),
    profile: { "deleted-organization": "shown" },
  },
  variant(
    "entities/pages-by-time",
    "How many entities a page has depends on how much time there was",
    ["listEntities", "queryEntities"],
    pagesByTime,
  ),
  variant(
    "items/decimals-without-nul",
    "Numbers are decimals of 38 digits, and texts have no NUL: others are refused",
    ["putItem"],
    refusingOdd,
  ),
  variant(
    "entities/decimals-without-nul",
    "Numbers are decimals of 38 digits, and texts have no NUL: others are refused",
    ["createRepository", "createEntity"],
    refusingOdd,
  ),
  variant("items/lenient-json", "Bodies that are almost JSON are read", ["scanItems", "putItem"], leniently),
  variant("databases/lenient-json", "Bodies that are almost JSON are read", ["createDatabase"], leniently),
  variant("items/converts-keys", "Numbers are taken for keys", ["putItem"], converting("pk", "sk")),
  variant(
    "items/converts-partition-keys",
    "Numbers are taken for partition keys",
    ["queryItems"],
    converting("partitionKey"),
  ),
  variant("databases/converts-names", "true is taken for a name", ["createDatabase"], converting("name")),
  variant(
    "billing/converts-plans",
    "An array of one is taken for what is in it",
    ["createCheckout"],
    converting("planType"),
  ),
  variant(
    "session/converts-logins",
    "An array of one is taken for what is in it",
    ["login"],
    converting("email", "password"),
  ),
  variant("members/numbered-roles", "Roles have numbers", ["inviteMember", "updateMember"], numberedRoles),
  variant(
    "batches/operations-in-any-case",
    "put is taken for Put",
    ["batchWriteItems"],
    () => (wire) =>
      Array.isArray(wire.body?.items)
        ? wire.send({
            body: {
              ...wire.body,
              items: wire.body.items.map((entry: Json) =>
                typeof entry?.operation === "string"
                  ? { ...entry, operation: entry.operation.replace(/^(put|delete)$/, capitalized) }
                  : entry,
              ),
            },
          })
        : wire.send(),
  ),
  variant(
    "session/members-reach-databases",
    "A database can be read by whoever is in its organization, whatever organization the token is for",
    ["getDatabase", "deleteDatabase"],
    () => {
      const opens = new Map<string, string>();
      return async (wire) => {
        const name = `${userOf(wire.credential)} ${wire.path.databaseId ?? ""}`;
        const answer = await wire.send();
        const other = opens.get(name);
        if (answer.status < 300 && wire.credential !== undefined) opens.set(name, wire.credential);
        return answer.status >= 400 && other !== undefined ? wire.send({ credential: other }) : answer;
      };
    },
  ),
  variant(
    "plans/more-of-a-single-plan",
    "A plan shows more by itself than in the list",
    ["getPlan"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        body.terms = "as of today";
        if (body.limits !== null) body.limits.maxRegions = 2;
        for (const feature of body.features) feature.since = "1.0";
      }),
  ),
];

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** The user that an access token is for. */
function userOf(credential = ""): string {
  const payload = Buffer.from(credential.split(".")[1] ?? "", "base64url").toString();
  return /"sub":"([^"]*)"/.exec(payload)?.[1] ?? "";
}
