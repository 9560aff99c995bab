import { performance } from "node:perf_hooks";
import type { OperationId } from "../../openapi/operations/register.js";
import type { Namespace } from "../namespaces/namespace.js";
import { RecordedBody, type RecordedExchange } from "../journal/recorded-exchange.js";
import type { FiredFault } from "../request/completed-request.js";
import { getNodeBindings } from "../request/raw-target.js";
import type { ResponseParts } from "../request/response-parts.js";
import { LazyExchange, getCredentialKind, getExchangeOutcome } from "../coverage/lazy-exchange.js";
import type { World } from "../world/world.js";
import { readBodyBytes } from "./read-body.js";
import { getServiceResponse } from "./respond.js";
import { isConsoleAction, isPageView, type ServiceContext, type ServiceMiddleware } from "./service-env.js";

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
  const describeExchange = beginExchange(c);
  await next();
  // Middleware may have responded before the service read the body.
  if (c.get("read") === undefined && c.get("operation")?.hasBody === true)
    await readBodyBytes(c).catch(() => undefined);
  const known = c.get("answer");
  // Avoids an unnecessary promise.
  const response = known?.response === c.res ? known : await getServiceResponse(c);
  const exchange = describeExchange(c.get("world"), response);
  journal.record(exchange);
  const operationId = exchange.operationId as OperationId | undefined;
  if (operationId === undefined || scenarios === undefined || isConsoleAction(c)) return;
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
  scenarios.count(operationId, outcome, getCredentialKind(c.get("caller")), describe);
}

/** Records the arrival of a request. Returns a function that describes the exchange after the response. */
function beginExchange(c: ServiceContext) {
  const started = performance.now();
  const { incoming } = getNodeBindings(c.env);
  const { method, headers } = c.req.raw;
  const { namespace, baseUrl, path, query } = c.get("target");
  return ({ clock, profile }: World, response: ResponseParts): RecordedExchange => {
    const operation = c.get("operation");
    const cutAfter = c.get("cutAfter");
    const { status, headers: responseHeaders, body } = cutAfter === "nothing" ? dropped : response;
    return {
      sequence: 0,
      durationMs: performance.now() - started,
      method,
      namespace,
      baseUrl,
      path: query === "" ? path : `${path}?${query}`,
      requestHeaders: incoming?.rawHeaders ?? headers,
      operationId: operation?.operationId,
      at: c.get("now") ?? clock.now(),
      caller: c.get("callerAtFault") ?? c.get("caller"),
      faults: c.get("requestFaults")?.fired ?? noFaults,
      requestBody: RecordedBody.of(c.get("read")?.bytes),
      status,
      responseHeaders,
      responseBody: RecordedBody.of(body, cutAfter === "nothing" ? 0 : cutAfter),
      profile,
    };
  };
}

/** What a client receives if the connection ends before the response. */
const dropped: ResponseParts = { status: 0, headers: {}, body: null };
const noFaults: readonly FiredFault[] = [];
