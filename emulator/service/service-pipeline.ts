import type { Caller } from "../access/caller.js";
import { authenticate } from "../access/authenticate.js";
import { authorize } from "../access/authorize.js";
import { meter } from "../access/meter.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import type { OperationId } from "../../openapi/operations/register.js";
import type { RequestValidator, Violation } from "../../openapi/validation/validate.js";
import { explainedViolations } from "../handlers/schema-violations.js";
import { serviceHandlers } from "../handlers/register.js";
import type { Context } from "../handlers/handler.js";
import { toDoubles } from "../json/to-doubles.js";
import type { JsonValue } from "../json/json-value.js";
import { invalid, Problem } from "../domain/problem.js";
import { settleWorld } from "../world/settle-world.js";
import type { World } from "../world/world.js";
import type { Answer } from "../request/answer.js";
import { addCrossOriginHeaders, preflightHeaders } from "../request/cross-origin.js";
import type { MountedOperation } from "../request/mounted-operation.js";
import { withoutNulls } from "../request/optional-members.js";
import { problemAnswer } from "../request/problem-answer.js";
import { readRequest, type Reading } from "../request/read-request.js";
import { dateText, refusal, refusalAt } from "../request/refusal.js";
import { nearestPath } from "./nearest-path.js";
import { refuseUnstorable } from "./refuse-unstorable.js";
import { sqlRefusal } from "./sql-refusal.js";
import { baseUrlOf, type Dispatch, type RoutedRequest } from "../request/dispatch.js";
import { writeBody } from "../json/write-body.js";

type AnyHandler = (
  request: unknown,
  context: Context,
) => { readonly status: number; readonly body?: unknown };

const handlers = new Map(Object.entries(serviceHandlers)) as unknown as ReadonlyMap<string, AnyHandler>;
/** Handlers that write after everything that may fail, each item or entity with one statement: nothing is undone. */
const writesLast: ReadonlySet<string> = new Set<OperationId>([
  "batchWriteItems",
  "putItem",
  "deleteItem",
  "deleteItemWithSortKey",
  "createEntity",
  "updateEntity",
  "deleteEntity",
]);
const anonymous: Caller = { kind: "anonymous" };

/**
 * The way of a request through the service: authenticate → meter → authorize → validate → handle → write. Everything but
 * the reading of the body is synchronous, so requests never interleave.
 */
export function serviceDispatch(validator: RequestValidator): Dispatch {
  return {
    operation: (operation, request) => {
      const { world } = request.home;
      if (!operation.takesBody) return answer(operation, request, undefined, validator, world);
      // a reset while the body is on its way leaves the request in the world it began in
      const { store, profile } = world;
      store.hold();
      return request.incoming.body(profile["request-bytes-max"]).then(
        (bytes) => {
          try {
            return answer(operation, request, bytes, validator, world);
          } finally {
            store.release();
          }
        },
        (error: unknown) => {
          store.release();
          return refusal(error, request.incoming, world);
        },
      );
    },
    unmatched: (request, allowedMethods) => {
      const { world } = request.home;
      const { headers, ...rest } = unmatchedAnswer(request, allowedMethods, world.profile);
      return { ...rest, headers: { ...headers, Date: dateText(world.clock.tick()) } };
    },
  };
}

/** Answers a request that no operation matches, wherever it is. */
export function unmatchedAnswer(
  { incoming, target }: Pick<RoutedRequest, "incoming" | "target">,
  allowedMethods: readonly string[],
  profile: Profile,
): Answer {
  // a browser would call a refusal here a fault of CORS: the request itself is told that there is nothing
  const asked = incoming.header("access-control-request-method");
  const askable = allowedMethods.length === 0 && asked !== undefined ? [asked] : allowedMethods;
  const preflight = askable.length === 0 ? undefined : preflightHeaders(incoming, askable, profile);
  if (preflight !== undefined) return { status: 204, headers: preflight, body: null };
  const problem =
    allowedMethods.length === 0
      ? new Problem("unknown-path", `There is no operation at ${target.path}.${meant(target.path, profile)}`)
      : new Problem(
          "method-not-allowed",
          `${incoming.method} is not possible here; ${allowedMethods.join(", ")} are.`,
          { headers: { Allow: allowedMethods.join(", ") } },
        );
  const answer = problemAnswer(problem, profile);
  const headers = { ...answer.headers };
  addCrossOriginHeaders(headers, incoming, profile);
  return { ...answer, headers };
}

function meant(path: string, profile: Profile): string {
  const near = nearestPath(path, profile);
  return near === undefined
    ? " GET /openapi.json shows the operations that there are."
    : ` Did you mean ${near}?`;
}

function answer(
  operation: MountedOperation,
  request: RoutedRequest,
  bytes: Uint8Array | undefined,
  validator: RequestValidator,
  world: World,
): Answer {
  const now = world.clock.tick();
  const { incoming, trace } = request;
  if (trace !== undefined) {
    trace.at = now;
    trace.body = bytes;
  }
  try {
    settleWorld(world.store, now);
    const caller = callerOf(operation, incoming.header("authorization"), world, now);
    if (trace !== undefined) trace.caller = caller;
    meter(caller, operation.isQuotaBound, world, now);
    authorize(operation.access, caller, world, request.path.organizationId);
    const typed =
      operation.errorBody === "sql"
        ? sqlRefusals(() => readStorable(operation, request, bytes, validator, world.profile))
        : readStorable(operation, request, bytes, validator, world.profile);
    const handle = handlers.get(operation.handlerId);
    if (handle === undefined) throw new Error(`there is no handler of ${operation.handlerId}`);
    // member by member, because spreading the world would cost more than some handlers do
    const { store, clock, ids, tokens, profile } = world;
    const context: Context = {
      store,
      clock,
      ids,
      tokens,
      profile,
      caller,
      now,
      fault: trace?.fault,
      baseUrl: () => baseUrlOf(request),
    };
    const work = () => handle(typed, context);
    const { status, body } =
      operation.access.effect === "read"
        ? work()
        : writesLast.has(operation.handlerId)
          ? store.single(work)
          : store.transaction(work);
    const headers: Record<string, string> =
      body === undefined
        ? { Date: dateText(now) }
        : { "Content-Type": "application/json", Date: dateText(now) };
    addCrossOriginHeaders(headers, incoming, profile);
    return { status, headers, body: body === undefined ? null : writeBody(body) };
  } catch (error) {
    return refusalAt(now, error, incoming, world);
  }
}

/** Who makes a request: nobody where no credential is needed, and yet one may have to be valid (gap `stray-credential`). */
function callerOf(
  { isPublic }: MountedOperation,
  authorization: string | undefined,
  world: World,
  now: number,
): Caller {
  if (!isPublic) return authenticate(authorization, world, now);
  if (authorization !== undefined && world.profile["stray-credential"] === "refused")
    authenticate(authorization, world, now);
  return anonymous;
}

/** What the service makes of its requests. */
export const serviceReading: Reading = {
  given: givenBody,
  noBody: undefined,
  refused: (violations, { handlerId }, json, profile) =>
    refusedRequest(explainedViolations(handlerId, violations, json, profile)),
};

/** Reads a request that the store has room for. */
function readStorable(
  operation: MountedOperation,
  request: RoutedRequest,
  bytes: Uint8Array | undefined,
  validator: RequestValidator,
  profile: Profile,
) {
  const given = readRequest(operation, request, bytes, validator, profile, serviceReading);
  refuseUnstorable(given, operation, profile);
  return given;
}

/** The body as handlers see it: they need not tell null from a member that was left out. */
function givenBody(
  read: JsonValue,
  { optionalMembers, errorBody }: MountedOperation,
  profile: Profile,
): JsonValue {
  const json = optionalMembers === undefined ? read : withoutNulls(read, optionalMembers);
  // gap number-precision; the numbers of the SQL interface have types of their own
  return profile["number-precision"] === "double" && errorBody !== "sql" ? toDoubles(json) : json;
}

/** What is wrong with a request to the SQL interface is told in its words. */
function sqlRefusals<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw error instanceof Problem ? sqlRefusal(error) : error;
  }
}

/** Too many entries of a batch have a status of their own; all else is a matter of validation. */
function refusedRequest(violations: readonly Violation[]): Problem {
  const tooMany = violations.find(
    ({ keyword, pointer }) => keyword === "maxItems" && pointer.lastIndexOf("/") === 0,
  );
  return tooMany === undefined
    ? invalid(...violations)
    : new Problem("batch-too-large", `${tooMany.pointer.slice(1)} ${tooMany.detail}`, { violations });
}
