import type { OperationId } from "../../openapi/operations/register.js";
import type { Namespace } from "../namespaces/namespace.js";
import { RecordedExchange } from "../journal/recorded-exchange.js";
import { getNodeBindings } from "../request/raw-target.js";
import type { ResponseParts } from "../request/response-parts.js";
import { LazyExchange, getCredentialKind, getExchangeOutcome } from "../coverage/describe-exchange.js";
import type { World } from "../world/world.js";
import { getServiceResponse } from "./respond.js";
import { isFromConsolePage, isPageView, type ServiceContext, type ServiceMiddleware } from "./service-env.js";

/** Records requests and responses in the journal of the namespace and in the coverage. */
export function journal(): ServiceMiddleware {
  return (c, next) => {
    const namespace = c.get("namespace");
    return namespace === undefined || isPageView(c) || !(namespace.journal.isOn || namespace.scenarios)
      ? next()
      : record(c, next, namespace);
  };
}

async function record(
  c: ServiceContext,
  next: () => Promise<void>,
  { journal, scenarios }: Namespace,
): Promise<void> {
  const exchange = beginJournalEntry(c);
  await next();
  const known = c.get("answer");
  // avoids an unnecessary promise
  const response = known?.response === c.res ? known : await getServiceResponse(c);
  endJournalEntry(c, exchange, c.get("world"), response);
  journal.record(exchange);
  const operationId = exchange.operationId as OperationId | undefined;
  if (operationId === undefined || scenarios === undefined || isFromConsolePage(c)) return;
  const cutAfter = exchange.faults === noFaults ? undefined : c.get("cutAfter");
  const outcome = getExchangeOutcome(response, known !== undefined, cutAfter);
  const describe = () =>
    new LazyExchange(
      operationId,
      outcome,
      exchange,
      c.req.raw.headers.get("authorization"),
      c.get("read")?.bytes,
      response,
    );
  scenarios.count(operationId, outcome, getCredentialKind(exchange.caller), describe);
}

/** Creates an entry for a request that has arrived. */
export function beginJournalEntry(c: ServiceContext): RecordedExchange {
  const { incoming } = getNodeBindings(c.env);
  const { method, headers } = c.req.raw;
  return new RecordedExchange({ method, target: c.get("target"), headers: incoming?.rawHeaders ?? headers });
}

/** Completes the entry of a request that was answered. */
export function endJournalEntry(
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
    faults: c.get("faults") ?? noFaults,
    // files are not recorded
    requestBody: operation?.requestFile === undefined ? c.get("read")?.bytes : undefined,
    response,
    cutAfter: c.get("cutAfter"),
    profile,
  });
}

const noFaults: readonly string[] = [];
