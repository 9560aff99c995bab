import type { ApiResponse, CallOptions } from "../client/client.js";
import { quoteResponse } from "../client/quote-response.js";
import type { GapObserver } from "./observer.js";
import type { ObserverContext } from "./observer-context.js";
import { type AnswerTo, type GapId, getGap } from "../../openapi/gaps/register.js";
import type { OperationDefinition } from "../../openapi/operations/operation.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import { type OperationId, serviceApi } from "../../openapi/operations/register.js";
import { parseInstant } from "../steps/parse-instant.js";
import { formatValue } from "../check/context.js";
import { isJsonObject } from "../client/json-text.js";

/** What an observer needs, or all fields of an observer except its function. */
type Requirements = GapObserver["needs"] | Omit<GapObserver, "observe">;

type Observe<Result> = (context: ObserverContext) => Promise<Result>;

/** Creates an observer that computes its answer. */
export function createObserver<Answer>(
  requirements: Requirements,
  observe: Observe<Answer>,
): GapObserver<Answer> {
  return "needs" in requirements ? { ...requirements, observe } : { needs: requirements, observe };
}

/**
 * Creates an observer of the status of a refusal. If several requests are sent, all must be refused with the same status.
 *
 * @param provoke sends requests that must be refused for exactly one reason
 */
export function createRefusalStatusObserver(
  requirements: Requirements,
  provoke: Observe<ApiResponse | readonly ApiResponse[]>,
): GapObserver<number> {
  return createObserver(requirements, async (context) => {
    const responses = [await provoke(context)].flat() as readonly ApiResponse[];
    const accepted = responses.filter(({ status }) => status < 300);
    if (accepted.length > 0) context.other(formatAnswers(accepted), "a rejection");
    const [status = 0, ...otherStatuses] = new Set(responses.map((response) => response.status));
    if (otherStatuses.length > 0) context.other(formatAnswers(responses), "the same status for all requests");
    if (status >= 500) context.undecided(`the deployment returned an error: ${status}`);
    return status;
  });
}

/** Creates an observer with one answer if requests are accepted and another answer if they are refused. */
export function createAcceptanceObserver<const Accepted, const Refused>(
  requirements: Requirements,
  [accepted, refused]: readonly [Accepted, Refused],
  send: Observe<ApiResponse | readonly ApiResponse[]>,
): GapObserver<Accepted | Refused> {
  return createObserver(requirements, async (context) => {
    const responses = [await send(context)].flat() as readonly ApiResponse[];
    const verdicts = new Set(responses.map((response) => context.isAccepted(response)));
    if (verdicts.size > 1)
      context.other(formatAnswers(responses), "all requests are accepted, or all are refused");
    return verdicts.has(true) ? accepted : refused;
  });
}

function formatAnswers(responses: readonly ApiResponse[]): string {
  return responses
    .map((response) => `${response.exchange.operationId ?? "a request"}: ${quoteResponse(response)}`)
    .join(", ");
}

/** Creates an observer that returns the answer whose expected observation matches. */
export function createChoiceObserver<const Answers extends Readonly<Record<string, unknown>>>(
  requirements: Requirements,
  answers: Answers,
  observe: Observe<unknown>,
): GapObserver<keyof Answers> {
  return createObserver(requirements, async (context) =>
    findMatchingAnswer(context, answers, await observe(context)),
  );
}

/** Number of times that a value is read that could be random. */
const stableReads = 3;

/**
 * Reads a value several times and returns it.
 *
 * @throws UnlistedAnswerError when the value is not always the same
 */
export async function readStableValue<Value>(
  context: ObserverContext,
  read: () => Promise<Value>,
): Promise<Value> {
  const first = await read();
  for (let reads = 1; reads < stableReads; reads++) {
    const again = await read();
    if (JSON.stringify(again) !== JSON.stringify(first))
      context.other([first, again], "the same answer every time");
  }
  return first;
}

/** Returns the name of the expectation that equals the observed JSON. */
export function findMatchingAnswer<const Answers extends Readonly<Record<string, unknown>>>(
  context: ObserverContext,
  answers: Answers,
  observed: unknown,
): keyof Answers {
  const text = JSON.stringify(observed);
  const expected = Object.entries(answers).map(([answer, value]) => [answer, JSON.stringify(value)] as const);
  const [answer] = expected.find(([, value]) => value === text) ?? [];
  return answer ?? context.other(observed, `one of ${expected.map(([, value]) => value).join(", ")}`);
}

/** Finds the largest whole number for which a condition holds, which holds for `low` and does not hold for `high`. */
export async function bisect(
  low: number,
  high: number,
  holds: (number: number) => Promise<boolean>,
): Promise<number> {
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (await holds(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/**
 * Finds the largest number that is accepted, by bisection.
 *
 * @param bounds both bounds are tried: the lower bound must be accepted and the upper bound refused
 */
export async function findLargestAccepted(
  context: ObserverContext,
  { from, to }: { readonly from: number; readonly to: number },
  isAccepted: (number: number) => Promise<boolean>,
): Promise<number> {
  if (!(await isAccepted(from))) return context.other(`${from} is refused`, `at least ${from}`);
  if (await isAccepted(to)) return context.other(`${to} is accepted`, `less than ${to}`);
  return bisect(from, to, isAccepted);
}

/**
 * Finds the answer to the gap of a route: the answer in the target file, or the first known answer that leads to the
 * operation. The client tries the routes at the first call.
 */
export async function findRouteAnswer<Id extends GapId>(
  context: ObserverContext,
  gap: Id,
  operationId: OperationId,
  call: CallOptions,
): Promise<AnswerTo<Id>> {
  const response = await context.callSuccessfully(operationId, call);
  const declared = context.check.knownAnswers(gap);
  if (declared !== undefined) return declared;
  const { method } = response.exchange.request;
  const path = context.check.client.getPath(operationId);
  const { routes }: OperationDefinition = serviceApi.operations[operationId];
  const known = {
    "plans-route": context.check.knownAnswers("plans-route") ?? context.answerTo("plans-route"),
  };
  for (const choice of getGap(gap).choices) {
    const ways = "gap" in routes ? routes.alternatives({ ...known, [gap]: choice } as Partial<Profile>) : [];
    const isWay = ways.some(
      (way) =>
        way.map((route) => route.path).join(" ") === path &&
        way.some((route) => route.method.toUpperCase() === method),
    );
    if (isWay) return choice as AnswerTo<Id>;
  }
  return context.other(`${method} ${path}`, "one of the known routes");
}

/** Whether two values are the same timestamp, possibly in different formats, or the same other value. */
export function isSameInstant(one: unknown, other: unknown): boolean {
  const [first, second] = [parseInstant(one), parseInstant(other)];
  return first === undefined || second === undefined ? one === other : first === second;
}

/** An object in a response, all of whose fields may be missing. */
export type JsonFields = Readonly<Record<string, unknown>>;

/**
 * Returns a value that must be an object.
 *
 * @throws UndecidedError when the value is not an object
 */
export function requireObject(context: ObserverContext, value: unknown, what: string): JsonFields {
  return isJsonObject(value) ? value : context.undecided(`${what} is ${formatValue(value)}, not an object`);
}

/**
 * Returns a value that must be an array of objects.
 *
 * @throws UndecidedError when the value is not an array of objects
 */
export function requireObjectArray(
  context: ObserverContext,
  value: unknown,
  what: string,
): readonly JsonFields[] {
  return Array.isArray(value) && value.every(isJsonObject)
    ? value
    : context.undecided(`${what} are ${formatValue(value)}, not an array of objects`);
}
