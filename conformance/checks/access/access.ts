import { type ClauseId, getClauseRange } from "../../../openapi/clauses/register.js";
import { type Role, roles, type Scope, scopes } from "../../../openapi/schemas/roles.js";
import { getResponseClause, type OperationId, operationIds } from "../../../openapi/operations/register.js";
import { type Check, defineChecks } from "../../check/check.js";
import type { Requirement } from "../../target/requirements.js";
import { anonymous, type CallOptions, type Caller } from "../../client/client.js";
import { isClientError } from "../../client/is-client-error.js";
import { isSuccess } from "../../client/is-success.js";
import type { AccessMatrixCell, CheckContext } from "../../check/context.js";
import { assertEffect, assertNoEffect, withValidCall } from "./access-calls.js";
import { type AccessRow, accessTable } from "./access-table.js";
import { NotOfferedError, UnknownRouteError } from "../../client/violation.js";
import { assertNotAtOrganizationLimit } from "../../steps/assert-not-at-organization-limit.js";
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
  call: CallOptions,
): Promise<void> {
  const { resources } = context;
  const { citation, isPublic = false, mayBeRefused } = accessTable[operationId];
  const send = () =>
    context.call(operationId, {
      ...call,
      as,
      headers,
      // Other checks judge the form of the response.
      skipValidation: true,
      intent: expected === "refused" ? "invalid" : "valid",
    });
  let response = await send();
  const hasFailed = () => expected === "allowed" && response.body?.successCount === 0;
  // A batch or transaction may fail temporarily.
  for (let repeats = 3; repeats > 0 && hasFailed(); repeats--) response = await send();
  const mayDiffer =
    expected === "allowed" && isClientError(response) && (await mayBeRefused?.(context, call, as)) === true;
  const cell = { operationId, caller: as.name, status: response.status };
  context.cells.push({ ...cell, expected: mayDiffer ? "open" : expected });
  if (mayDiffer) return;
  // Whoever may call an operation, the contract declares only successes and rejections, and 503 for health.
  if (expected === "open") {
    const isDeclared = response.status < 500 || (response.status === 503 && isPublic);
    context.assert(clause, isDeclared, "no server error", `status ${response.status} with ${response.text}`);
  }
  if (expected === "allowed") {
    // A 403 may be a wrong refusal of readonly, instead of a limit.
    const isRefusedRole = as.name === "readonly" && response.status === 403;
    if (operationId === "createOrganization" && !isRefusedRole) assertNotAtOrganizationLimit(response);
    // Other checks judge the status of a success, and whether the deployment is healthy.
    if (response.status === 503 && isPublic) context.markExercised(clause);
    else context.assertStatus(clause, response, "2XX");
    context.assert(clause, !hasFailed(), "a write that succeeds", response.text);
  }
  // The number of databases may be limited.
  if (operationId === "createDatabase" && expected !== "refused" && response.status === 201)
    await resources.waitUntilReady((response.body as { databaseId: string }).databaseId);
  if (operationId === "deleteDatabase" && response.status < 300)
    await resources.waitUntilGone(call.path?.databaseId ?? "");
  if (expected === "refused") {
    context.assertRefused(clause, response, `${as.name} is not allowed to call ${operationId} (${citation})`);
    await assertNoEffect(context, clause, operationId, call);
  } else if (isSuccess(response)) await assertEffect(context, clause, operationId, call, response);
}

/**
 * Tries a cell with a valid request. Omits the cell if the target does not offer the operation, if the route of the
 * operation is not known (another check reports this), or if the resources that the request creates could not be removed.
 */
async function tryOfferedCell(
  context: CheckContext,
  operationId: OperationId,
  caller: CallerWithHeaders,
  expectation: Expectation,
): Promise<void> {
  try {
    await context.retryUnanswered(() =>
      withValidCall(context, operationId, (call) => tryCell(context, operationId, caller, expectation, call)),
    );
  } catch (error) {
    if (!(error instanceof UnknownRouteError || error instanceof NotOfferedError)) throw error;
  }
}

const createOpenExpectation = (operationId: OperationId): Expectation => ({
  expected: "open",
  clause: getResponseClause(operationId),
});

/** Returns the expected outcome for a caller without a credential. */
function getAnonymousExpectation(operationId: OperationId): Expectation {
  const { isPublic, grantClause } = accessTable[operationId];
  if (!isPublic) return { expected: "refused", clause: "AUTH-16" };
  // Login and refresh take their credentials from the body; the specification does not mention the header.
  return grantClause === undefined
    ? createOpenExpectation(operationId)
    : { expected: "allowed", clause: grantClause };
}

/** Returns the expected outcome for a caller with an invalid credential; open if the operation needs no credential. */
export function getInvalidCredentialExpectation(operationId: OperationId, clause: ClauseId): Expectation {
  return accessTable[operationId].isPublic
    ? createOpenExpectation(operationId)
    : { expected: "refused", clause };
}

/** Returns the clause that grants or denies keys with a scope access to items or entities. */
function getScopeClause(scope: Scope, data: AccessRow["data"], isGranted: boolean): ClauseId {
  if (scope === "*") return "AUTH-22";
  const [area, kind] = scope.split(":") as ["database" | "repository", "read" | "write" | "*"];
  if (isGranted && kind !== "*")
    return data === "database" ? "ITEM-37" : kind === "write" ? "REPO-41" : "REPO-39";
  if (data === "database")
    return area === "repository"
      ? "AUTH-23"
      : ({ read: "AUTH-19", write: "AUTH-20", "*": "AUTH-21" } as const)[kind];
  return area === "database"
    ? "REPO-43"
    : ({ read: "REPO-40", write: "REPO-41", "*": "REPO-42" } as const)[kind];
}

/** Returns the expected outcome for an API key with a scope. */
function getScopeExpectation(scope: Scope, operationId: OperationId): Expectation {
  const { isPublic, scopes: granting, data } = accessTable[operationId];
  if (isPublic) return getAnonymousExpectation(operationId);
  if (granting === "open") return createOpenExpectation(operationId);
  if (granting === "none") {
    const clause =
      operationId === "switchOrganization"
        ? "AUTH-14"
        : operationId === "getPaymentInfo"
          ? "BILL-07"
          : "AUTH-18";
    return { expected: "refused", clause };
  }
  // Phrases such as "full database access" leave open what access to entities these scopes grant.
  const isOpen =
    scope === "database:*" || (scope === "repository:write" && granting.includes("repository:read"));
  if (data === "repository" && isOpen) return createOpenExpectation(operationId);
  const isGranted = granting.includes(scope);
  const clause = getScopeClause(scope, data, isGranted);
  return { expected: isGranted ? "allowed" : "refused", clause };
}

/** Returns the expected outcome for the JWT of a user with a role. */
export function getRoleExpectation(role: Role, operationId: OperationId): Expectation {
  const { openRoles, roles, roleClause, data, grantClause } = accessTable[operationId];
  if (openRoles?.includes(role)) return createOpenExpectation(operationId);
  if (!roles.includes(role)) return { expected: "refused", clause: roleClause };
  // The specification does not say that a JWT gives access to items and entities (gap `data-credential`).
  if (data !== undefined) return createOpenExpectation(operationId);
  const managesDatabases = operationId === "createDatabase" || operationId === "deleteDatabase";
  if (managesDatabases && role === "admin") return { expected: "allowed", clause: "ORG-32" };
  if (managesDatabases && role === "member") return { expected: "allowed", clause: "ORG-33" };
  return { expected: "allowed", clause: grantClause ?? getResponseClause(operationId) };
}

/** Returns the clauses that the cells of a caller exercise on every target. */
function listExercisedClauses(
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

/** Creates a check that calls all operations as one caller, with one cell per operation. */
export function createCallerCheck(
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
    clauses: listExercisedClauses(expectation, clauses),
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
  createCallerCheck(
    "access/anonymous",
    "Without a credential, only health, plans and login are accessible",
    ["AUTH-16", "BILL-24", "HEALTH-06"],
    [],
    () => Promise.resolve(anonymous),
    getAnonymousExpectation,
  ),
  createCallerCheck(
    "access/malformed",
    "A made-up credential grants no access to operations that need a credential",
    ["AUTH-16"],
    [],
    () => Promise.resolve({ name: "malformed", credential: "no-such-credential" }),
    (operationId) => getInvalidCredentialExpectation(operationId, "AUTH-16"),
  ),
  ...(["a token without a signature", "a token with the algorithm none"] as const).map((what, index) =>
    createCallerCheck(
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
      (operationId) => getInvalidCredentialExpectation(operationId, "AUTH-17"),
    ),
  ),
  createCallerCheck(
    "access/expired-key",
    "Operations that need a credential reject an expired API key",
    ["AUTH-24"],
    ["expired-key"],
    (context) => context.actors.getKeyCaller("expired"),
    (operationId) => getInvalidCredentialExpectation(operationId, "AUTH-24"),
  ),
  ...scopes.map((scope) =>
    createCallerCheck(
      `access/key-${scope.replace(":", "-").replace("*", "all")}`,
      `An API key with the scope ${scope} has exactly the rights that part 5 grants it`,
      keyClauses,
      [`key ${scope}`],
      (context) => context.actors.getKeyCaller(scope),
      (operationId) => getScopeExpectation(scope, operationId),
    ),
  ),
  ...roles.map((role) =>
    createCallerCheck(
      `access/role-${role}`,
      `The JWT of a user with the role ${role} has exactly the rights that part 4.6 grants it`,
      roleClauses,
      [role],
      (context) => context.actor(role),
      (operationId) => getRoleExpectation(role, operationId),
    ),
  ),
);
