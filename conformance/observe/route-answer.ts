import { type AnswerOf, type GapId, gapOf } from "../../openapi/gaps/register.js";
import type { OperationDefinition } from "../../openapi/operations/operation.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import { type OperationId, service } from "../../openapi/operations/register.js";
import type { Call } from "../client/client.js";
import type { ObserverContext } from "./observer-context.js";

/**
 * The answer to a gap of a route: the one that the target names, or the first of those known that leads to the operation.
 * The client tries them at the first call.
 */
export async function routeAnswer<Id extends GapId>(
  context: ObserverContext,
  gap: Id,
  operationId: OperationId,
  call: Call,
): Promise<AnswerOf<Id>> {
  const answer = await context.must(operationId, call);
  const named = context.check.known(gap);
  if (named !== undefined) return named;
  const { method } = answer.exchange.request;
  const path = context.check.client.pathOf(operationId);
  const { routes }: OperationDefinition = service.operations[operationId];
  const known = { "plans-route": context.check.known("plans-route") ?? context.answerTo("plans-route") };
  for (const choice of gapOf(gap).choices) {
    const ways = "gap" in routes ? routes.ways({ ...known, [gap]: choice } as Partial<Profile>) : [];
    const isWay = ways.some(
      (way) =>
        way.map((route) => route.path).join(" ") === path &&
        way.some((route) => route.method.toUpperCase() === method),
    );
    if (isWay) return choice as AnswerOf<Id>;
  }
  return context.other(`${method} ${path}`, "one of the known routes");
}
