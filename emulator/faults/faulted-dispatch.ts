import type { OperationId } from "../../openapi/operations/register.js";
import { authenticate } from "../access/authenticate.js";
import type { Caller } from "../access/caller.js";
import type { Answer } from "../request/answer.js";
import { addCrossOriginHeaders } from "../request/cross-origin.js";
import type { MountedOperation } from "../request/mounted-operation.js";
import { problemAnswer } from "../request/problem-answer.js";
import { RememberedIncoming } from "../request/remembered-incoming.js";
import { RequestTrace } from "../request/request-trace.js";
import type { Dispatch, Home, RoutedRequest } from "../request/dispatch.js";
import { refusal } from "../request/refusal.js";
import { Problem } from "../domain/problem.js";
import type { World } from "../world/world.js";
import type { FaultRule } from "./fault-rule.js";
import type { FaultedRequest, FaultRules } from "./fault-rules.js";
import { InjectedFailure } from "../request/injected-failure.js";

/** A namespace with rules. */
export interface Faulted extends Home {
  readonly faults: FaultRules;
}

/** Puts the fault rules of namespaces before and behind an interface. Without rules a request goes straight on. */
export function faultedDispatch<Place extends Faulted>(dispatch: Dispatch): Dispatch<Place> {
  return {
    ...dispatch,
    operation: (operation, request) =>
      request.home.faults.isEmpty
        ? dispatch.operation(operation, request)
        : underFaults(operation, request, dispatch),
  };
}

/** However long a rule keeps a request waiting, it is answered in the world that it began in. */
async function underFaults(
  operation: MountedOperation,
  routed: RoutedRequest<Faulted>,
  dispatch: Dispatch,
): Promise<Answer> {
  const { faults, world } = routed.home;
  world.store.hold();
  try {
    return await followedBy(faults, operation, routed, world, dispatch);
  } finally {
    world.store.release();
  }
}

async function followedBy(
  faults: FaultRules,
  operation: MountedOperation,
  routed: RoutedRequest,
  world: World,
  dispatch: Dispatch,
): Promise<Answer> {
  const operationId = operation.handlerId as OperationId;
  const followed = faults.follow({
    operationId,
    path: routed.target.path,
    organizationInPath: routed.path.organizationId,
    caller: () => callerOf(operation, routed, world),
  });
  const { target, path, trace = new RequestTrace() } = routed;
  trace.faults = followed.fired;
  trace.fault = followed.take;
  const incoming = new RememberedIncoming(routed.incoming);
  const request: RoutedRequest = { incoming, target, path, home: { world }, trace };
  const { delayMs, rule } = followed.arrive();
  // what is wrong with the body is said after the faults, if they let the request through
  if (operation.takesBody)
    trace.body = await incoming.body(world.profile["request-bytes-max"]).catch(() => undefined);
  if (delayMs > 0 && !(await faults.wait(delayMs, followed))) return noAnswer;
  if (rule !== undefined) return inPlaceOfService(rule, operationId, request, world);
  const answer = await dispatch.operation(operation, request);
  return changed(answer, followed, operationId, request, world);
}

const noAnswer: Answer = { status: 0, headers: {}, body: null, breakAfter: "nothing" };

function inPlaceOfService(
  { effect, faultId }: FaultRule,
  operationId: OperationId,
  { incoming }: RoutedRequest,
  world: World,
): Answer {
  if (effect.kind !== "drop") return refusal(failure(operationId, effect, faultId), incoming, world);
  world.clock.tick();
  return noAnswer;
}

/** What a rule at the end of the way makes of an answer. */
function changed(
  answer: Answer,
  followed: FaultedRequest,
  operationId: OperationId,
  { incoming }: RoutedRequest,
  world: World,
): Answer {
  const rule = followed.finish();
  if (rule === undefined) return answer;
  const { effect, faultId } = rule;
  if (effect.kind === "status") {
    const failed = problemAnswer(failure(operationId, effect, faultId), world.profile);
    const headers: Record<string, string> = { ...failed.headers, Date: answer.headers.Date ?? "" };
    addCrossOriginHeaders(headers, incoming, world.profile);
    return { ...failed, headers };
  }
  const length = answer.body === null ? 0 : Buffer.byteLength(answer.body);
  // an answer without a body has nothing to be cut but itself
  if (effect.kind === "drop" || length === 0 || incoming.method === "HEAD") return noAnswer;
  return { ...answer, breakAfter: Math.min(effect.count ?? Math.floor(length / 2), length - 1) };
}

function failure(
  operationId: OperationId,
  { status = 503, retryAfterSeconds }: FaultRule["effect"],
  faultId: string,
): InjectedFailure {
  return new InjectedFailure(operationId, status, faultId, retryAfterSeconds);
}

/** Who makes a request that was not authenticated yet; nobody when the credential is refused. */
function callerOf({ isPublic }: MountedOperation, { incoming }: RoutedRequest, world: World): Caller {
  if (isPublic) return { kind: "anonymous" };
  try {
    return authenticate(incoming.header("authorization"), world, world.clock.now());
  } catch (error) {
    if (error instanceof Problem) return { kind: "anonymous" };
    throw error;
  }
}
