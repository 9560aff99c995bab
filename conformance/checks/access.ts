import { type ClauseId, getClauseRange } from "../../openapi/clauses/register.js";
import { type Role, roles, type Scope, scopes } from "../../openapi/schemas/roles.js";
import { getResponseClause, type OperationId, operationIds } from "../../openapi/operations/register.js";
import { type Check, defineChecks } from "../check/check.js";
import type { Requirement } from "../target/requirements.js";
import { anonymous, type CallOptions, type Caller } from "../client/client.js";
import { isClientError } from "../client/is-client-error.js";
import type { AccessMatrixCell, CheckContext } from "../check/context.js";
import { accessTable, createValidCall } from "./access-table.js";
import { NotOfferedError, UnknownRouteError } from "../client/violation.js";
import { assertNotAtOrganizationLimit } from "../steps/room-for-organizations.js";
import { buildWrongCredential } from "./wrong-credentials.js";

/** The expected outcome of an operation for a caller, and the clause that determines it. */
interface Expectation {
  readonly expected: AccessMatrixCell["expected"];
  readonly clause: ClauseId;
}

/** A caller and, if its requests carry no valid credential, what they carry instead. */
type CallerWithHeaders = Caller & Pick<CallOptions, "headers">;

/** Calls an operation as a caller, and asserts the outcome in the table. */
async function tryCell(
  context: CheckContext,
  operationId: OperationId,
  { headers = {}, ...as }: CallerWithHeaders,
  { expected, clause }: Expectation,
): Promise<void> {
  const { resources } = context;
  const { cite, mayBeRefused, unchanged } = accessTable[operationId];
  const call = await createValidCall(context, operationId);
  if (call === undefined) return;
  const answer = await context.call(operationId, {
    ...call,
    as,
    headers,
    // access is judged here; the form of the answer, elsewhere
    skipValidation: true,
    intent: expected === "refused" ? "invalid" : "valid",
  });
  const mayDiffer =
    expected === "allowed" && isClientError(answer) && (await mayBeRefused?.(context)) === true;
  const cell = { operationId, caller: as.name, status: answer.status };
  context.cells.push({ ...cell, expected: mayDiffer ? "open" : expected });
  if (mayDiffer) return;
  if (expected === "allowed") {
    // readonly may be refused wrongly as what it is
    const isByRole = as.name === "readonly" && answer.status === 403;
    if (operationId === "createOrganization" && !isByRole) assertNotAtOrganizationLimit(answer);
    // which status of a success is judged elsewhere as well, and so is the health that is reported
    if (answer.status === 503 && accessTable[operationId].isPublic) context.markExercised(clause);
    else context.assertStatus(clause, answer, "2XX");
  }
  // there may be only few databases
  if (operationId === "createDatabase" && expected !== "refused" && answer.status === 201)
    await resources.waitUntilReady((answer.body as { databaseId: string }).databaseId);
  if (operationId === "deleteDatabase" && answer.status < 300)
    await resources.waitUntilGone(call.path?.databaseId ?? "");
  if (expected === "refused") {
    context.assertRefused(clause, answer, `${as.name} is not allowed to call ${operationId} (${cite})`);
    if (unchanged !== undefined)
      context.assert(
        clause,
        await unchanged(context, call),
        "the refused request has no effect",
        "the operation was executed",
      );
  }
}

/**
 * Tries a cell. The cell is left out if the target does not offer the operation, if the route of the operation is not
 * known (another check reports this), or if what the call creates could not be removed.
 */
async function tryOfferedCell(...cell: Parameters<typeof tryCell>): Promise<void> {
  const [context, operationId] = cell;
  const { needs = [] } = accessTable[operationId];
  if (needs.some((need) => !context.offers(need))) return;
  try {
    await context.resources.withLocks(needs, async () => {
      // a cell stands for itself, as a try of a property does
      await context.retryUnanswered(() => tryCell(...cell));
      // there may be room for few of what it made
      if (needs.length > 0) await context.resources.removeCreated();
    });
  } catch (error) {
    if (!(error instanceof UnknownRouteError || error instanceof NotOfferedError)) throw error;
  }
}

function isAllowed(operationId: OperationId): Expectation {
  return {
    expected: "allowed",
    clause: accessTable[operationId].grantClause ?? getResponseClause(operationId),
  };
}

const open = (operationId: OperationId): Expectation => ({
  expected: "open",
  clause: getResponseClause(operationId),
});

/** The expected outcome for a caller without a credential. */
function withoutCredential(operationId: OperationId): Expectation {
  const { isPublic, grantClause } = accessTable[operationId];
  if (!isPublic) return { expected: "refused", clause: "AUTH-16" };
  // login and refresh take their credentials in the body; what a header does to them is not shown
  return grantClause === undefined ? open(operationId) : { expected: "allowed", clause: grantClause };
}

/** The expected outcome for a caller with an invalid credential; open if no credential is needed (gap `needless-credential`). */
export function withInvalid(operationId: OperationId, clause: ClauseId): Expectation {
  return accessTable[operationId].isPublic ? open(operationId) : { expected: "refused", clause };
}

const isItem = (operationId: OperationId) => operationId.includes("Item");
const isEntity = (operationId: OperationId) => /Entit(y|ies)$/.test(operationId);

/** The clause that grants or denies keys with a scope access to items or entities. */
function scopeClause(scope: Scope, operationId: OperationId, opens: boolean): ClauseId {
  if (scope === "*") return "AUTH-22";
  const kind = scope.slice(scope.indexOf(":") + 1) as "read" | "write" | "*";
  if (opens && kind !== "*")
    return isItem(operationId) ? "ITEM-37" : kind === "write" ? "REPO-41" : "REPO-39";
  const area = scope.startsWith("database") ? "database" : "repository";
  if (isItem(operationId))
    return area === "repository"
      ? "AUTH-23"
      : ({ read: "AUTH-19", write: "AUTH-20", "*": "AUTH-21" } as const)[kind];
  return area === "database"
    ? "REPO-43"
    : ({ read: "REPO-40", write: "REPO-41", "*": "REPO-42" } as const)[kind];
}

/** Whether phrases such as "full database access" leave open what access to entities a scope grants. */
function isOpenToEntities(scope: Scope, granting: readonly Scope[]): boolean {
  return scope === "database:*" || (scope === "repository:write" && granting.includes("repository:read"));
}

/** The expected outcome for an API key with a scope. */
function ofScope(scope: Scope, operationId: OperationId): Expectation {
  const row = accessTable[operationId];
  if (row.isPublic) return withoutCredential(operationId);
  if (row.scopes === "open") return open(operationId);
  if (row.scopes === "none") {
    const clause =
      operationId === "switchOrganization"
        ? "AUTH-14"
        : operationId === "getPaymentInfo"
          ? "BILL-07"
          : "AUTH-18";
    return { expected: "refused", clause };
  }
  if (!isItem(operationId) && isOpenToEntities(scope, row.scopes)) return open(operationId);
  const opens = row.scopes.includes(scope);
  return { expected: opens ? "allowed" : "refused", clause: scopeClause(scope, operationId, opens) };
}

const managing: readonly OperationId[] = ["createDatabase", "deleteDatabase"];

/** The expected outcome for the JWT of a user with a role. */
function ofRole(role: Role, operationId: OperationId): Expectation {
  const row = accessTable[operationId];
  if (row.openRoles?.includes(role)) return open(operationId);
  if (!row.roles.includes(role)) return { expected: "refused", clause: row.roleClause };
  // that a JWT opens items and entities at all is not shown (gap `data-credential`)
  if (isItem(operationId) || isEntity(operationId)) return open(operationId);
  if (role === "admin" && managing.includes(operationId)) return { expected: "allowed", clause: "ORG-32" };
  if (role === "member" && managing.includes(operationId)) return { expected: "allowed", clause: "ORG-33" };
  return isAllowed(operationId);
}

/** The clauses that the cells of a caller exercise on any target. */
function clausesOf(
  expectation: (operationId: OperationId) => Expectation,
  clauses: readonly ClauseId[],
): readonly ClauseId[] {
  const exercised = new Set(
    operationIds
      .filter((id) => accessTable[id].needs === undefined)
      .map(expectation)
      .filter(({ expected }) => expected !== "open")
      .map(({ clause }) => clause),
  );
  return clauses.filter((clause) => exercised.has(clause));
}

/** Defines the check for a caller: all operations, with one cell per operation. */
export function callerCheck(
  id: Check["id"],
  title: string,
  clauses: readonly ClauseId[],
  needs: readonly Requirement[],
  caller: (context: CheckContext) => Promise<CallerWithHeaders>,
  expectation: (operationId: OperationId) => Expectation,
): Check {
  return {
    id,
    title,
    clauses: clausesOf(expectation, clauses),
    needs: ["owner", "database", "repositories", ...needs],
    run: async (context) => {
      const as = await caller(context);
      for (const operationId of operationIds)
        await tryOfferedCell(context, operationId, as, expectation(operationId));
    },
  };
}

const keyClauses: readonly ClauseId[] = [
  ...getClauseRange("AUTH-18", "AUTH-23"),
  ...getClauseRange("REPO-39", "REPO-43"),
  ...(["AUTH-14", "BILL-07", "ITEM-37"] as const),
];
const roleClauses: readonly ClauseId[] = [
  ...(["AUTH-26", "BILL-17", "ORG-15", "ORG-17", "ORG-20", "ORG-26", "ORG-32", "ORG-33"] as const),
  ...(["SQL-43"] as const),
];

/** Checks of the access matrix of parts 4 and 5: every operation for every caller. */
export const accessChecks = defineChecks(
  callerCheck(
    "access/anonymous",
    "Without a credential, only health, plans and login are accessible",
    ["AUTH-16", "BILL-24", "HEALTH-06"],
    [],
    () => Promise.resolve(anonymous),
    withoutCredential,
  ),
  callerCheck(
    "access/malformed",
    "A made-up credential grants no access to operations that need a credential",
    ["AUTH-16"],
    [],
    () => Promise.resolve({ name: "malformed", credential: "no-such-credential" }),
    (operationId) => withInvalid(operationId, "AUTH-16"),
  ),
  ...(["a token without a signature", "a token with the algorithm none"] as const).map((what, index) =>
    callerCheck(
      `access/tampered-${index + 1}`,
      `Operations that need a credential reject ${what}`,
      ["AUTH-17"],
      [],
      async (context) => {
        const { credential = "" } = await context.actor("owner");
        const { header = "" } =
          buildWrongCredential({ what, text: "", letter: 0 }, credential) ??
          context.notOffered("access tokens have no signature");
        return { name: what, headers: { Authorization: header } };
      },
      (operationId) => withInvalid(operationId, "AUTH-17"),
    ),
  ),
  callerCheck(
    "access/expired-key",
    "Operations that need a credential reject an expired API key",
    ["AUTH-24"],
    ["expired-key"],
    (context) => context.actors.getKeyCaller("expired"),
    (operationId) => withInvalid(operationId, "AUTH-24"),
  ),
  ...scopes.map((scope) =>
    callerCheck(
      `access/key-${scope.replace(":", "-").replace("*", "all")}`,
      `An API key with the scope ${scope} has exactly the rights that part 5 grants it`,
      keyClauses,
      [`key ${scope}`],
      (context) => context.actors.getKeyCaller(scope),
      (operationId) => ofScope(scope, operationId),
    ),
  ),
  ...roles.map((role) =>
    callerCheck(
      `access/role-${role}`,
      `The JWT of a user with the role ${role} has exactly the rights that part 4.6 grants it`,
      roleClauses,
      [role],
      (context) => context.actor(role),
      (operationId) => ofRole(role, operationId),
    ),
  ),
);
