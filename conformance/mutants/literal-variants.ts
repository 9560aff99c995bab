import { operationIds } from "../../openapi/operations/register.js";
import { type Json, type WireAnswer, type Wire, type Tamper, withBody, changed } from "./intercept.js";
import { type Variant, variant, variantIn } from "./mutant.js";
import { refusal } from "./tampers.js";

/** Whether every member of a value, at every depth, has a name of letters and digits. */
function hasPlainMembers(value: Json): boolean {
  if (typeof value !== "object" || value === null || value.isLosslessNumber === true) return true;
  return Object.entries<Json>(value).every(
    ([name, member]) => (Array.isArray(value) || /^[A-Za-z0-9]+$/.test(name)) && hasPlainMembers(member),
  );
}

/** The data of a request, and of each of its entries. */
function dataIn({ body }: Wire): readonly Json[] {
  return [body?.data, ...(Array.isArray(body?.items) ? body.items.map((entry: Json) => entry?.data) : [])];
}

/** A cursor is the number of items that the pages before it had. */
const offsetCursors: Tamper = async (wire) => {
  if (typeof wire.body !== "object") return wire.send();
  const { cursor, limit = 20, ...request } = wire.body;
  const [offset, size] = [Number(cursor ?? 0), Number(limit)];
  if (!Number.isInteger(offset) || !(size > 0)) return refusal(400);
  const all: Json[] = [];
  let answer: WireAnswer;
  let next: Json;
  do {
    answer = await wire.send({ body: { ...request, limit: 1000, cursor: next } });
    if (answer.status !== 200) return answer;
    all.push(...answer.body.items);
    next = answer.body.nextCursor;
  } while (next !== null);
  const items = all.slice(offset, offset + size);
  const nextCursor = offset + size < all.length ? String(offset + size) : null;
  return withBody(answer, { items, nextCursor, count: items.length, scannedCount: items.length });
};

/** A new repository is Creating for three looks, and refuses what is asked of its entities meanwhile. */
const makingRepositories: () => Tamper = () => {
  const looks = new Map<string, number>();
  return async (wire) => {
    const { repositoryId = "" } = wire.path;
    const left = looks.get(repositoryId) ?? 0;
    if (/Entity$|Entities$/.test(wire.operationId)) return left > 0 ? refusal(409) : wire.send();
    if (wire.operationId === "getRepository") looks.set(repositoryId, left - 1);
    return changed(await wire.send(), (body) => {
      if (wire.operationId === "createRepository") looks.set(body.repositoryId as string, 3);
      for (const repository of body.repositories ?? [body])
        if (repository.status !== undefined && (looks.get(repository.repositoryId as string) ?? 0) > 0)
          repository.status = "Creating";
    });
  };
};

/** A table of a name that was dropped cannot be made for a while. */
const resting: () => Tamper = () => {
  const dropped = new Set<string>();
  return async (wire) => {
    const [, verb = "", table = ""] = /^(CREATE|DROP)\s+TABLE\s+(\w+)/i.exec(String(wire.body?.sql)) ?? [];
    const name = `${wire.path.databaseId} ${table.toLowerCase()}`;
    if (/create/i.test(verb) && dropped.has(name)) return refusedSql;
    const answer = await wire.send();
    if (/drop/i.test(verb) && answer.status === 200) dropped.add(name);
    return answer;
  };
};

/** A database is deleted when nothing is in it any more. */
const deletingEmptyDatabases: Tamper = async (wire) => {
  const { databaseId } = wire.path;
  const management = `/api/v1/management/databases/${databaseId}/repositories`;
  const lists = [
    (await wire.ask("POST", `/api/v1/databases/${databaseId}/items/scan`, {})).body?.items,
    (await wire.ask("GET", management)).body?.repositories,
    (await wire.ask("GET", `/databases/${databaseId}/sql/tables`)).body?.tables,
  ];
  return lists.some((list) => list?.length > 0) ? refusal(409) : wire.send();
};

/** Refuses to insert values that a type has no room for. */
function narrowing(type: RegExp, fits: (text: string) => boolean): () => Tamper {
  return () => {
    const columns = new Map<string, string>();
    return (wire) => {
      const sql = String(wire.body?.sql);
      const [, created = "", elements = ""] = /^CREATE TABLE (\w+) \((.*)\)$/s.exec(sql) ?? [];
      for (const [, column = "", name = ""] of elements.matchAll(/(\w+) (\w+)(?=,|$)/g))
        columns.set(`${created}.${column}`, name);
      const [, table = "", names = ""] = /^INSERT INTO (\w+) \(([^)]*)\)/.exec(sql) ?? [];
      const given = Object.values<Json>(wire.body?.parameters ?? {});
      const isOutside = names.split(", ").some((column, index) => {
        const value = given[index]?.value ?? given[index] ?? null;
        return value !== null && type.test(columns.get(`${table}.${column}`) ?? "") && !fits(String(value));
      });
      return isOutside ? Promise.resolve(refusedSql) : wire.send();
    };
  };
}

const refusedSql: WireAnswer = {
  status: 400,
  headers: { "content-type": "application/json" },
  body: { code: "SQL_VALIDATION_ERROR", message: "Refused.", details: "" },
};

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const letters = /^[A-Za-z]+$/;

/** A word of SQL may be a name: a statement without a table then names one that does not exist. */
const noTable: WireAnswer = {
  ...refusedSql,
  body: { code: "TABLE_NOT_FOUND", message: "There is no such table.", details: "" },
};

/** Who has the role admin may not give it to others. */
const lowerRoles = (): Tamper => {
  const admins = new Set<string | undefined>();
  return async (wire) => {
    if (wire.body?.role === "admin" && admins.has(wire.credential)) return refusal(403);
    const answer = await wire.send();
    if (wire.operationId === "switchOrganization" && answer.body?.roles?.[0] === "admin")
      admins.add(answer.body.accessToken);
    return answer;
  };
};

/** Null is an element of every type: data that are refused are taken with other elements in its place. */
const nullElements: Tamper = async (wire) => {
  const answer = await wire.send();
  const data: unknown = wire.body?.data;
  const taken = withoutNullElements(data);
  if (answer.status < 400 || JSON.stringify(taken) === JSON.stringify(data)) return answer;
  return changed(await wire.send({ body: { ...wire.body, data: taken } }), (body) => {
    body.data = data;
  });
};

function withoutNullElements(value: unknown): unknown {
  if (Array.isArray(value)) {
    const other: unknown = value.find((element) => element !== null);
    return value.map((element: unknown) => withoutNullElements(element === null ? other : element));
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withoutNullElements(each)]));
}

/** Deployments that keep the words of the specification and promise nothing beyond them. */
export const literalVariants: readonly Variant[] = [
  ...variantIn(["items", "sequences", "concurrency"], "offset-cursors", ["queryItems", "scanItems"]).by(
    () => offsetCursors,
  ),
  ...variantIn(
    ["repositories", "entities", "databases", "sequences", "isolation"],
    "repositories-in-the-making",
    [
      ...(["createRepository", "getRepository", "listRepositories"] as const),
      ...(["createEntity", "getEntity", "updateEntity", "deleteEntity"] as const),
      ...(["listEntities", "queryEntities"] as const),
    ],
  ).by(makingRepositories),
  variant("databases/known-settings", ["createDatabase"]).sending((body) =>
    body.settings === undefined ? undefined : { ...body, settings: {} },
  ),
  ...variantIn(["transactions", "concurrency", "sequences", "time", "limits"], "uuid-tokens", [
    "transactGetItems",
    "transactWriteItems",
  ]).refusing(400, ({ body }) => {
    const token: unknown = body?.clientRequestToken;
    return typeof token === "string" && !uuid.test(token);
  }),
  ...variantIn(
    ["organizations", "members", "billing", "access", "sequences", "isolation"],
    "organizations-of-letters",
    ["createOrganization", "updateOrganization"],
  ).refusing(422, ({ body }) => typeof body?.name === "string" && !letters.test(body.name)),
  variant("sql/keywords-are-names", ["runSqlQuery", "executeSql"]).by(
    () => async (wire) =>
      /^(?:DELETE FROM WHERE|ALTER TABLE DROP)\b/i.test(String(wire.body?.sql)) ? noTable : wire.send(),
  ),
  variant("members/admins-make-no-admins", ["switchOrganization", "inviteMember", "updateMember"]).by(
    lowerRoles,
  ),
  variant("entities/null-elements", ["createEntity", "updateEntity"]).by(() => nullElements),
  variant("sql/keys-of-texts-and-integers", ["executeSql"]).by(() => async (wire) => {
    const [, columns = "", key = ""] =
      /^CREATE TABLE \w+ \((.*), PRIMARY KEY \((.*)\)\)$/s.exec(String(wire.body?.sql)) ?? [];
    const types = new Map(
      [...columns.matchAll(/(\w+) (\w+)/g)].map(([, name = "", type = ""]) => [name, type]),
    );
    const isPlain = (type = "TEXT") => /^(?:VARCHAR|TEXT|STRING|INT|INTEGER)$/.test(type);
    return (key.match(/\w+/g) ?? []).every((name) => isPlain(types.get(name))) ? wire.send() : refusedSql;
  }),
  variant("sql/tables-of-letters", ["executeSql"]).by(() => async (wire) => {
    const [, table = "x"] = /^CREATE\s+TABLE\s+([^\s(]+)/i.exec(String(wire.body?.sql)) ?? [];
    return letters.test(table) ? wire.send() : refusedSql;
  }),
  ...(["items", "batches", "transactions", "entities", "sequences", "concurrency", "access"] as const).map(
    (area) =>
      variant(`${area}/plain-attribute-names`, operationIds).refusing(
        400,
        (wire) => !dataIn(wire).every(hasPlainMembers) || !hasPlainMembers(wire.body?.schema ?? null),
      ),
  ),
  variant("organizations/empty-updates-refused", ["updateOrganization"]).refusing(
    400,
    ({ body }) => !["name", "billingEmail", "settings"].some((name) => body?.[name] !== undefined),
  ),
  ...variantIn(
    ["databases", "items", "billing", "access", "isolation", "sequences", "sql"],
    "empty-databases-deleted",
    ["deleteDatabase"],
  ).by(() => deletingEmptyDatabases),
  ...variantIn(["sql", "sequences"], "names-rest", ["executeSql"]).by(resting),
  ...(
    [
      ["unsigned-bytes", /^(TINYINT|BYTE)$/, (text) => !text.startsWith("-")],
      [
        "decimals-of-16",
        /^(DECIMAL|NUMERIC)$/,
        (text) => text.replace(/\D/g, "").length <= 16 + Number(text.includes(".")) && !/\.\d{9}/.test(text),
      ],
      ["dates-of-two-centuries", /^DATE$/, (text) => text >= "1900" && text < "2080"],
      ["instants-of-32-bits", /^(TIMESTAMP|DATETIME)$/, (text) => text >= "1970" && text < "2038-01-19"],
    ] as const satisfies readonly (readonly [string, RegExp, (text: string) => boolean])[]
  ).map(([name, type, fits]) =>
    variant(`sql/${name}`, ["executeSql", "runSqlQuery"]).by(narrowing(type, fits)),
  ),
  variant("billing/paths-for-urls", ["createCheckout", "getPaymentPortal"]).answering((body) => {
    for (const name of ["checkoutUrl", "portalUrl"])
      if (name in body) body[name] = new URL(body[name] as string).pathname;
  }),
  variant("billing/orders-of-other-kinds", ["getPaymentInfo"]).answering((body) => {
    Object.assign(body.latestOrder, { amount: -500, invoiceNumber: 1001 });
    for (const part of [body.product, ...body.product.prices]) part.recurringInterval = null;
  }),
  variant("billing/trial-without-checkout", ["createCheckout", "getPaymentInfo", "getPaymentStatus"]).by(
    () => {
      const buyers = new Set<string | undefined>();
      return async (wire) => {
        if (wire.operationId === "createCheckout") buyers.add(wire.credential);
        return changed(await wire.send(), (body) => {
          if (body.status === "trialing" && buyers.has(wire.credential))
            Object.assign(body, { status: "active", isTrial: false, trialStart: null, trialEnd: null });
        });
      };
    },
  ),
  variant("billing/plan-of-account", ["getOrganization"]).replacing("plan", "free"),
  variant("entities/own-names", ["createEntity", "updateEntity"]).refusing(400, ({ body }) =>
    ["id", "version", "createdAt"].some((name) => body?.data?.[name] !== undefined),
  ),
  variant("sql/texts-of-255", ["runSqlQuery"]).by(() => (wire) => {
    const values = Object.values<Json>(wire.body?.parameters ?? {});
    return values.some((value) => typeof value === "string" && value.length > 255)
      ? Promise.resolve(refusedSql)
      : wire.send();
  }),
  ...variantIn(["repositories", "entities", "sequences", "access"], "repositories-of-letters", [
    "createRepository",
  ]).refusing(422, ({ body }) => typeof body?.name === "string" && !letters.test(body.name)),
];
