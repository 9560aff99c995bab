import type { Namespace } from "../namespaces/namespace.js";
import { RecordedExchange } from "../journal/recorded-exchange.js";
import { nodeBindings } from "../request/raw-target.js";
import type { ResponseParts } from "../request/response-parts.js";
import type { World } from "../world/world.js";
import { answerOf } from "./respond.js";
import { isPageView, type ServiceContext, type ServiceMiddleware } from "./service-env.js";

/** Writes requests and responses down in the journal of the namespace. */
export function journal(): ServiceMiddleware {
  return (c, next) => {
    const namespace = c.get("namespace");
    return namespace?.journal.isOn === true && !isPageView(c) ? record(c, next, namespace) : next();
  };
}

async function record(c: ServiceContext, next: () => Promise<void>, { journal }: Namespace): Promise<void> {
  const exchange = beginEntry(c);
  await next();
  const known = c.get("answer");
  // nothing is waited for where nothing has to be
  endEntry(c, exchange, c.get("world"), known?.response === c.res ? known : await answerOf(c));
  journal.record(exchange);
}

/** An entry for a request that has arrived. */
export function beginEntry(c: ServiceContext): RecordedExchange {
  const { incoming } = nodeBindings(c.env);
  const { method, headers } = c.req.raw;
  return new RecordedExchange({ method, target: c.get("target"), headers: incoming?.rawHeaders ?? headers });
}

/** Fills in the entry of a request that is answered. */
export function endEntry(
  c: ServiceContext,
  exchange: RecordedExchange,
  { clock, profile }: World,
  response: ResponseParts,
): void {
  const operation = c.get("operation");
  exchange.end({
    operationId: operation?.operationId,
    at: c.get("now") ?? clock.now(),
    caller: c.get("caller"),
    faults: c.get("faults") ?? none,
    // a file is no body to look at
    requestBody: operation?.requestFile === undefined ? c.get("read")?.bytes : undefined,
    response,
    cutAfter: c.get("cutAfter"),
    profile,
  });
}

const none: readonly string[] = [];
