import type { Answer } from "../request/answer.js";
import type { Dispatch, RoutedRequest } from "../request/dispatch.js";
import type { World } from "../world/world.js";
import type { Journal } from "./journal.js";
import { RecordedExchange } from "./recorded-exchange.js";

/** What is written down, and whose clock tells when. */
export interface Journaled {
  readonly journal: Journal;
  readonly world: World;
}

/** Writes down what comes through an interface, in the journal of its namespace. */
export function journaledDispatch(
  dispatch: Dispatch,
  namespaceOf: (request: RoutedRequest) => Journaled,
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
export function journaled(request: RoutedRequest, namespace: Journaled, answerOf: () => Answer): Answer {
  if (!namespace.journal.isOn) return answerOf();
  const exchange = traced(undefined, request);
  return record(exchange, answerOf(), namespace);
}

function traced(operationId: string | undefined, request: RoutedRequest): RecordedExchange {
  const exchange = new RecordedExchange(operationId, request);
  request.trace = exchange;
  return exchange;
}

function record(exchange: RecordedExchange, answer: Answer, { journal, world }: Journaled): Answer {
  exchange.end(answer, world);
  journal.record(exchange);
  return answer;
}
