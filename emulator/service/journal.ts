import type { Namespace } from "../namespaces/namespace.js";
import { RecordedExchange } from "../journal/recorded-exchange.js";
import { nodeBindings } from "../request/raw-target.js";
import { answerOf } from "./respond.js";
import type { ServiceContext, ServiceMiddleware } from "./service-env.js";

/** Writes requests and responses down in the journal of the namespace. */
export function journal(): ServiceMiddleware {
  return (c, next) => {
    const namespace = c.get("namespace");
    return namespace?.journal.isOn === true ? record(c, next, namespace) : next();
  };
}

async function record(c: ServiceContext, next: () => Promise<void>, { journal }: Namespace): Promise<void> {
  const { incoming } = nodeBindings(c.env);
  const { method, headers } = c.req.raw;
  const exchange = new RecordedExchange({
    method,
    target: c.get("target"),
    headers: incoming?.rawHeaders ?? headers,
  });
  await next();
  const { clock, profile } = c.get("world");
  const known = c.get("answer");
  exchange.end({
    operationId: c.get("operation")?.operationId,
    at: c.get("now") ?? clock.now(),
    caller: c.get("caller"),
    faults: c.get("faults") ?? none,
    requestBody: c.get("read")?.bytes,
    // nothing is waited for where nothing has to be
    response: known?.response === c.res ? known : await answerOf(c),
    cutAfter: c.get("cutAfter"),
    profile,
  });
  journal.record(exchange);
}

const none: readonly string[] = [];
