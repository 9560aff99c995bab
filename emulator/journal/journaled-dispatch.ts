import type { Answer } from "../request/answer.js";
import type { Dispatch, Home, RoutedRequest } from "../request/dispatch.js";
import type { Journal } from "./journal.js";
import { RecordedExchange } from "./recorded-exchange.js";

/** Where it is written down, and whose clock tells when. */
export interface Journaled extends Home {
  readonly journal: Journal;
}

/**
 * Writes down what comes through an interface, in the journal of its namespace.
 *
 * @param write how: `keep` where somebody else tells of it
 */
export function journaledDispatch<Place extends Journaled>(
  dispatch: Dispatch<Place>,
  write: "record" | "keep" = "record",
): Dispatch<Place> {
  return {
    operation: (operation, request) => {
      const { home } = request;
      if (!home.journal.isOn) return dispatch.operation(operation, request);
      const exchange = traced(operation.handlerId, request);
      const answer = dispatch.operation(operation, request);
      return answer instanceof Promise
        ? answer.then((ready) => record(exchange, ready, home, write))
        : record(exchange, answer, home, write);
    },
    unmatched: (request, allowedMethods) =>
      journaled(request, () => dispatch.unmatched(request, allowedMethods)),
  };
}

/** Writes down a request that is no operation's. */
export function journaled(request: RoutedRequest<Journaled>, answerOf: () => Answer): Answer {
  const { home } = request;
  if (!home.journal.isOn) return answerOf();
  const exchange = traced(undefined, request);
  return record(exchange, answerOf(), home);
}

function traced(operationId: string | undefined, request: RoutedRequest): RecordedExchange {
  const exchange = new RecordedExchange(operationId, request);
  request.trace = exchange;
  return exchange;
}

function record(
  exchange: RecordedExchange,
  answer: Answer,
  { journal, world }: Journaled,
  write: "record" | "keep" = "record",
): Answer {
  exchange.end(answer, world);
  journal[write](exchange);
  return answer;
}
