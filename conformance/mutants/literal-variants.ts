import { operationIds } from "../../openapi/operations/register.js";
import { changed, type Json, type Tamper, type Wire, type WireAnswer, withBody } from "./intercept.js";
import { refusal } from "./refusal.js";
import { variant, type Variant } from "./mutant.js";

/** Refuses the requests that a condition picks out. */
function refusing(status: number, isRefused: (wire: Wire) => boolean): () => Tamper {
  return () => (wire) => (isRefused(wire) ? Promise.resolve(refusal(status)) : wire.send());
}

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

/** Deployments that keep the words of the specification and promise nothing beyond them. */
export const literalVariants: readonly Variant[] = [
  ...(["items", "sequences", "concurrency"] as const).map((area) =>
    variant(
      `${area}/offset-cursors`,
      "A cursor is a number of items, so that pages shift while items are written",
      ["queryItems", "scanItems"],
      () => offsetCursors,
    ),
  ),
  ...(["repositories", "entities", "databases", "sequences", "isolation"] as const).map((area) =>
    variant(
      `${area}/repositories-in-the-making`,
      "A new repository is Creating for a while, and takes no entities meanwhile",
      [
        ...(["createRepository", "getRepository", "listRepositories"] as const),
        ...(["createEntity", "getEntity", "updateEntity", "deleteEntity"] as const),
        ...(["listEntities", "queryEntities"] as const),
      ],
      makingRepositories,
    ),
  ),
  variant(
    "databases/known-settings",
    "Settings that the deployment does not know are dropped",
    ["createDatabase"],
    () => (wire) =>
      wire.body?.settings === undefined ? wire.send() : wire.send({ body: { ...wire.body, settings: {} } }),
  ),
  ...(["transactions", "concurrency", "sequences", "time", "limits"] as const).map((area) =>
    variant(
      `${area}/uuid-tokens`,
      "A clientRequestToken that is no UUID is refused",
      ["transactGetItems", "transactWriteItems"],
      refusing(400, ({ body }) => {
        const token: unknown = body?.clientRequestToken;
        return typeof token === "string" && !uuid.test(token);
      }),
    ),
  ),
  ...(["organizations", "members", "billing", "access", "sequences", "isolation"] as const).map((area) =>
    variant(
      `${area}/organizations-of-letters`,
      "The name of an organization consists of ASCII letters",
      ["createOrganization", "updateOrganization"],
      refusing(422, ({ body }) => typeof body?.name === "string" && !letters.test(body.name)),
    ),
  ),
  variant(
    "sql/tables-of-letters",
    "The name of a table consists of ASCII letters",
    ["executeSql"],
    () => async (wire) => {
      const [, table = "x"] = /^CREATE\s+TABLE\s+([^\s(]+)/i.exec(String(wire.body?.sql)) ?? [];
      return letters.test(table) ? wire.send() : refusedSql;
    },
  ),
  ...(["items", "batches", "transactions", "entities", "sequences", "concurrency", "access"] as const).map(
    (area) =>
      variant(
        `${area}/plain-attribute-names`,
        "Attributes and fields have names of letters and digits",
        operationIds,
        refusing(
          400,
          (wire) => !dataIn(wire).every(hasPlainMembers) || !hasPlainMembers(wire.body?.schema ?? null),
        ),
      ),
  ),
  variant(
    "organizations/empty-updates-refused",
    "An update of an organization that names nothing is refused",
    ["updateOrganization"],
    refusing(
      400,
      ({ body }) => !["name", "billingEmail", "settings"].some((name) => body?.[name] !== undefined),
    ),
  ),
  ...(["databases", "items", "billing", "access", "isolation", "sequences", "sql"] as const).map((area) =>
    variant(
      `${area}/empty-databases-deleted`,
      "A database with something in it cannot be deleted",
      ["deleteDatabase"],
      () => deletingEmptyDatabases,
    ),
  ),
  ...(["sql", "sequences"] as const).map((area) =>
    variant(
      `${area}/names-rest`,
      "The name of a dropped table cannot be used again",
      ["executeSql"],
      resting,
    ),
  ),
  ...(
    [
      [
        "unsigned-bytes",
        "An integer of 8 bits has no sign",
        /^(TINYINT|BYTE)$/,
        (text) => !text.startsWith("-"),
      ],
      [
        "decimals-of-16",
        "A decimal has 16 digits, 8 of them behind the point",
        /^(DECIMAL|NUMERIC)$/,
        (text) => text.replace(/\D/g, "").length <= 16 + Number(text.includes(".")) && !/\.\d{9}/.test(text),
      ],
      [
        "instants-of-32-bits",
        "Instants have seconds of 32 bits",
        /^(TIMESTAMP|DATETIME)$/,
        (text) => text >= "1970" && text < "2038-01-19",
      ],
    ] as const satisfies readonly (readonly [string, string, RegExp, (text: string) => boolean])[]
  ).map(([name, title, type, fits]) =>
    variant(`sql/${name}`, title, ["executeSql", "runSqlQuery"], narrowing(type, fits)),
  ),
  variant(
    "billing/orders-of-other-kinds",
    "The latest order is a refund with a number for an invoice, for what is bought once",
    ["getPaymentInfo"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        Object.assign(body.latestOrder, { amount: -500, invoiceNumber: 1001 });
        for (const part of [body.product, ...body.product.prices]) part.recurringInterval = null;
      }),
  ),
  variant(
    "billing/trial-without-checkout",
    "No trial begins with a checkout",
    ["createCheckout", "getPaymentInfo", "getPaymentStatus"],
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
  variant(
    "billing/plan-of-account",
    "The plan of an organization is not that of its subscription",
    ["getOrganization"],
    () => async (wire) =>
      changed(await wire.send(), (body) => {
        body.plan = "free";
      }),
  ),
  variant(
    "entities/own-names",
    "Data with members that are called like those of an entity are refused",
    ["createEntity", "updateEntity"],
    refusing(400, ({ body }) =>
      ["id", "version", "createdAt"].some((name) => body?.data?.[name] !== undefined),
    ),
  ),
  variant(
    "sql/texts-of-255",
    "Texts of more than 255 characters are refused",
    ["runSqlQuery"],
    () => (wire) => {
      const values = Object.values<Json>(wire.body?.parameters ?? {});
      return values.some((value) => typeof value === "string" && value.length > 255)
        ? Promise.resolve(refusedSql)
        : wire.send();
    },
  ),
  ...(["repositories", "entities", "sequences", "access"] as const).map((area) =>
    variant(
      `${area}/repositories-of-letters`,
      "The name of a repository consists of ASCII letters",
      ["createRepository"],
      refusing(422, ({ body }) => typeof body?.name === "string" && !letters.test(body.name)),
    ),
  ),
];
