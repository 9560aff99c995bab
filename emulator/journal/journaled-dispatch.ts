import { performance } from "node:perf_hooks";
import type { Answer } from "../http/answer.js";
import { RequestTrace } from "../http/request-trace.js";
import type { Dispatch, RoutedRequest } from "../http/route-api.js";
import type { Namespace } from "../namespace.js";
import { recordedBody } from "./recorded-body.js";

/** Writes down what comes through an interface, in the journal of its namespace. */
export function journaledDispatch(
  dispatch: Dispatch,
  namespaceOf: (request: RoutedRequest) => Namespace,
): Dispatch {
  return {
    operation: (operation, request) => {
      const namespace = namespaceOf(request);
      if (!namespace.journal.isOn) return dispatch.operation(operation, request);
      const exchange = new Exchange(operation.handlerId, request, namespace);
      const answer = dispatch.operation(operation, exchange.request);
      return answer instanceof Promise ? answer.then((ready) => exchange.end(ready)) : exchange.end(answer);
    },
    unmatched: (request, allowedMethods) =>
      journaled(request, namespaceOf(request), (traced) => dispatch.unmatched(traced, allowedMethods)),
  };
}

/** Writes down a request that is no operation's. */
export function journaled(
  request: RoutedRequest,
  namespace: Namespace,
  answerOf: (request: RoutedRequest) => Answer,
): Answer {
  if (!namespace.journal.isOn) return answerOf(request);
  const exchange = new Exchange(undefined, request, namespace);
  return exchange.end(answerOf(exchange.request));
}

/** A request on its way. */
class Exchange {
  readonly request: RoutedRequest;
  readonly #operationId: string | undefined;
  readonly #namespace: Namespace;
  readonly #trace = new RequestTrace();
  readonly #startedAt = performance.now();

  constructor(
    operationId: string | undefined,
    { incoming, target, path }: RoutedRequest,
    namespace: Namespace,
  ) {
    this.#operationId = operationId;
    this.#namespace = namespace;
    this.request = { incoming, target, path, trace: this.#trace };
  }

  end(answer: Answer): Answer {
    const { incoming, target } = this.request;
    const { status, headers, body, breakAfter } = answer;
    const { at, caller, faults, body: requestBody } = this.#trace;
    this.#namespace.journal.record({
      sequence: 0,
      at: at ?? this.#namespace.world.clock.now(),
      durationMs: performance.now() - this.#startedAt,
      operationId: this.#operationId,
      caller,
      faults,
      namespace: target.namespace,
      method: incoming.method,
      path: target.query === "" ? target.path : `${target.path}?${target.query}`,
      requestHeaders: incoming.headers(),
      requestBody: recordedBody(requestBody ?? null),
      status,
      responseHeaders: headers,
      responseBody: recordedBody(body, typeof breakAfter === "number" ? breakAfter : undefined),
    });
    return answer;
  }
}
