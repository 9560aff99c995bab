import type { ClauseId } from "../../openapi/clauses/register.js";
import type { OperationId } from "../../openapi/operations/register.js";
import type { Mutant } from "./mutant.js";
import { mutant } from "./mutant.js";
import { refusal } from "./refusal.js";
import type { Wire, WireAnswer } from "./intercept.js";

/** What the deployment has told of the tokens that it issued. */
class Bearers {
  readonly #roles = new Map<string, string>();
  /** The newest token of the first owner who switched to an organization: the one the run works as. */
  owner: string | undefined;
  #ownerId: unknown;

  learn({ operationId }: Wire, { status, body }: WireAnswer): void {
    if (operationId !== "switchOrganization" || status !== 200) return;
    const { accessToken, userId, roles } = body as { accessToken: string; userId: string; roles: string[] };
    this.#roles.set(accessToken, roles[0] ?? "");
    this.#ownerId ??= userId;
    if (userId === this.#ownerId) this.owner ??= accessToken;
  }

  roleOf({ credential = "" }: Wire): string | undefined {
    return this.#roles.get(credential);
  }
}

/** A mutant that knows who is who. */
function knowing(
  id: Mutant["id"],
  clause: ClauseId,
  title: string,
  operations: readonly OperationId[],
  tamper: (wire: Wire, bearers: Bearers) => Promise<WireAnswer>,
  alsoIn: Mutant["alsoIn"] = [],
): Mutant {
  return mutant(
    id,
    clause,
    title,
    [...operations, "switchOrganization"],
    () => {
      const bearers = new Bearers();
      return async (wire) => {
        if (operations.includes(wire.operationId)) return tamper(wire, bearers);
        const answer = await wire.send();
        bearers.learn(wire, answer);
        return answer;
      };
    },
    alsoIn,
  );
}

const isKey = (wire: Wire) => wire.credential !== undefined && !wire.credential.includes(".");

/** Some of those who are refused are let in as the owner. */
function asSomebodyElse(
  id: Mutant["id"],
  clause: ClauseId,
  title: string,
  operations: readonly OperationId[],
  who: (wire: Wire, answer: WireAnswer) => boolean,
  alsoIn: Mutant["alsoIn"] = [],
): Mutant {
  return knowing(
    id,
    clause,
    title,
    operations,
    async (wire, { owner }) => {
      const answer = await wire.send();
      return answer.status >= 400 && owner !== undefined && who(wire, answer)
        ? wire.send({ credential: owner })
        : answer;
    },
    alsoIn,
  );
}

/** Data are opened for every API key, in the name of who made the database or the repository. */
function openToKeys(id: Mutant["id"], title: string, operation: OperationId): Mutant {
  return mutant(id, "GEN-05", title, [operation, "createDatabase", "createRepository"], () => {
    const makers = new Map<unknown, string>();
    return async (wire) => {
      const answer = await wire.send();
      const { databaseId, repositoryId = databaseId } = { ...wire.path, ...answer.body };
      if (answer.status === 201 && wire.operationId !== operation)
        makers.set(repositoryId, wire.credential ?? "");
      const maker = makers.get(repositoryId);
      return answer.status >= 400 && isKey(wire) && maker !== undefined
        ? wire.send({ credential: maker })
        : answer;
    };
  });
}

const denied = (_: Wire, { status }: WireAnswer) => status === 403 || status === 404;
const forbidden = refusal(403);

export const accessMutants = [
  asSomebodyElse(
    "access/keys-read-too",
    "AUTH-20",
    "Keys with database:write may read items",
    ["getItem"],
    (wire, { status }) => isKey(wire) && status === 403,
  ),
  asSomebodyElse(
    "access/keys-write-too",
    "AUTH-19",
    "Keys with database:read may delete items",
    ["deleteItemWithSortKey"],
    (wire, { status }) => isKey(wire) && status === 403,
  ),
  asSomebodyElse("billing/info-by-key", "BILL-07", "Payment info takes API keys", ["getPaymentInfo"], isKey, [
    "access",
  ]),
  knowing(
    "access/refused-but-done",
    "AUTH-19",
    "A put by a read key is refused and done",
    ["putItem"],
    async (wire, { owner }) => {
      const answer = await wire.send();
      if (answer.status === 403 && isKey(wire) && owner !== undefined) await wire.send({ credential: owner });
      return answer;
    },
  ),
  asSomebodyElse(
    "access/entities-by-database-key",
    "REPO-43",
    "Database keys may list entities",
    ["listEntities"],
    (wire, { status }) => isKey(wire) && status === 403,
  ),
  asSomebodyElse(
    "access/management-by-key",
    "AUTH-18",
    "API keys may list databases",
    ["listDatabases"],
    (wire, { status }) => isKey(wire) && status === 403,
  ),
  asSomebodyElse(
    "access/readonly-deletes",
    "AUTH-26",
    "Readonly users may delete items",
    ["deleteItem"],
    (wire, answer) => !isKey(wire) && answer.status === 403,
  ),
  asSomebodyElse(
    "access/readonly-creates",
    "AUTH-26",
    "Readonly users may create repositories",
    ["createRepository"],
    (wire, answer) => !isKey(wire) && answer.status === 403,
  ),
  asSomebodyElse(
    "access/admin-deletes",
    "ORG-17",
    "Everybody may delete an organization that they see",
    ["deleteOrganization"],
    (wire, answer) => !isKey(wire) && denied(wire, answer),
    ["members"],
  ),
  asSomebodyElse(
    "access/everybody-pays",
    "BILL-17",
    "Any member may start a checkout",
    ["createCheckout"],
    (wire, answer) => !isKey(wire) && answer.status === 403,
    ["billing"],
  ),
  asSomebodyElse(
    "access/members-invite",
    "ORG-26",
    "Any member may invite",
    ["inviteMember"],
    (wire, answer) => !isKey(wire) && answer.status === 403,
    ["members"],
  ),
  asSomebodyElse(
    "access/members-rename",
    "ORG-15",
    "Any member may update the organization",
    ["updateOrganization"],
    (wire, answer) => !isKey(wire) && answer.status === 403,
    ["members"],
  ),
  knowing(
    "access/members-make-no-databases",
    "ORG-33",
    "Members may not create databases",
    ["createDatabase"],
    async (wire, bearers) => (bearers.roleOf(wire) === "member" ? forbidden : wire.send()),
  ),
  knowing(
    "access/admins-make-no-databases",
    "ORG-32",
    "Admins may not delete databases",
    ["deleteDatabase"],
    async (wire, bearers) => (bearers.roleOf(wire) === "admin" ? forbidden : wire.send()),
  ),
  mutant(
    "access/no-key-for-batches",
    "ITEM-37",
    "Batch get is for access tokens alone",
    ["batchGetItems"],
    () => async (wire) => (isKey(wire) ? forbidden : wire.send()),
  ),
  mutant(
    "access/no-key-deletes-entities",
    "REPO-39",
    "Deleting entities is for access tokens alone",
    ["deleteEntity"],
    () => async (wire) => (isKey(wire) ? forbidden : wire.send()),
  ),
  mutant(
    "access/open-scan",
    "AUTH-16",
    "A scan needs no credential",
    ["scanItems"],
    () => async (wire) =>
      wire.headers.authorization === undefined
        ? { status: 200, headers: {}, body: { items: [], nextCursor: null, count: 0, scannedCount: 0 } }
        : wire.send(),
  ),
  asSomebodyElse(
    "isolation/foreign-items",
    "GEN-05",
    "Items are read by whoever knows the database",
    ["getItem"],
    (wire, answer) => !isKey(wire) && denied(wire, answer),
  ),
  openToKeys("isolation/items-by-any-key", "Any API key reads items", "getItem"),
  openToKeys("isolation/writes-by-any-key", "Any API key deletes items", "deleteItem"),
  openToKeys("isolation/entities-by-any-key", "Any API key lists entities", "listEntities"),
  openToKeys("isolation/sql-by-any-key", "Any API key sends SQL to any database", "runSqlQuery"),
  asSomebodyElse(
    "isolation/foreign-transaction",
    "GEN-05",
    "Transactions write to whatever database they name",
    ["transactWriteItems"],
    (wire, answer) => !isKey(wire) && denied(wire, answer),
  ),
  asSomebodyElse(
    "isolation/foreign-repository",
    "GEN-05",
    "The path of a repository may name any database",
    ["getRepository"],
    (wire, answer) => !isKey(wire) && denied(wire, answer),
  ),
  mutant(
    "isolation/leaking-refusal",
    "GEN-05",
    "The refusal of a foreign entity shows its data",
    ["getEntity"],
    () => {
      const known = new Map<string, unknown>();
      return async (wire) => {
        const answer = await wire.send();
        const { entityId = "" } = wire.path;
        if (answer.status === 200) known.set(entityId, answer.body);
        return answer.status >= 400 && known.has(entityId)
          ? { ...answer, body: { ...answer.body, detail: JSON.stringify(known.get(entityId)) } }
          : answer;
      };
    },
  ),
  mutant(
    "isolation/all-databases",
    "DB-09",
    "The list of databases is everybody's",
    ["listDatabases"],
    () => {
      const known = new Map<string, Record<string, unknown>>();
      return async (wire) => {
        const answer = await wire.send();
        if (answer.status !== 200) return answer;
        for (const entry of answer.body.databases as { databaseId: string }[])
          known.set(entry.databaseId, entry);
        return { ...answer, body: { ...answer.body, databases: [...known.values()].slice(0, 100) } };
      };
    },
  ),
];
