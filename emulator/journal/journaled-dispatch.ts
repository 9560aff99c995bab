import type { Answer } from "../http/answer.js";
import type { Dispatch, RoutedRequest } from "../http/route-api.js";
import type { Namespace } from "../namespace.js";
import { RecordedExchange } from "./recorded-exchange.js";

/** Writes down what comes through an interface, in the journal of its namespace. */
export function journaledDispatch(
  dispatch: Dispatch,
  namespaceOf: (request: RoutedRequest) => Namespace,
): Dispatch {
  return {
    operation: (operation, request) => {
      const namespace = namespaceOf(request);
      if (!namespace.journal.isOn) return dispatch.operation(operation, request);
      const exchange = traced(operation.handlerId, request);
      const answer = dispatch.operation(operation, request);
      return answer instanceof Promise
        ? answer.then((ready) => record(exchange, ready, namespace))
        : record(exchange, answer, namespace);
    },
    unmatched: (request, allowedMethods) =>
      journaled(request, namespaceOf(request), () => dispatch.unmatched(request, allowedMethods)),
  };
}

/** Writes down a request that is no operation's. */
export function journaled(request: RoutedRequest, namespace: Namespace, answerOf: () => Answer): Answer {
  if (!namespace.journal.isOn) return answerOf();
  const exchange = traced(undefined, request);
  return record(exchange, answerOf(), namespace);
}

function traced(operationId: string | undefined, request: RoutedRequest): RecordedExchange {
  const exchange = new RecordedExchange(operationId, request);
  request.trace = exchange;
  return exchange;
}

function record(exchange: RecordedExchange, answer: Answer, { journal, world }: Namespace): Answer {
  exchange.end(answer, world);
  journal.record(exchange);
  return answer;
}
