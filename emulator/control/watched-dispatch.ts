import { performance } from "node:perf_hooks";
import type { Answer } from "../request/answer.js";
import type { AnsweredRequest } from "../request/answered-request.js";
import type { Dispatch, Home, RoutedRequest } from "../request/dispatch.js";

/** Tells of every call of the control plane when it is answered; the journal keeps few of them, and tells of none. */
export function watchedDispatch<Place extends Home>(
  dispatch: Dispatch<Place>,
  onRequest: (request: AnsweredRequest) => void,
): Dispatch<Place> {
  const told = (
    { incoming: { method }, target }: RoutedRequest,
    from: number,
    operationId: string | undefined,
    answer: Answer,
  ): Answer => {
    const namespace = target.namespace === "" ? "" : `/ns/${target.namespace}`;
    onRequest({
      method,
      path: namespace + target.path + (target.query === "" ? "" : `?${target.query}`),
      status: answer.status,
      durationMs: performance.now() - from,
      operationId,
      caller: "control plane",
      detail: answer.status >= 400 ? detailOf(answer) : undefined,
      unknownMembers: [],
    });
    return answer;
  };
  return {
    operation: (operation, request) => {
      const from = performance.now();
      const answer = dispatch.operation(operation, request);
      return answer instanceof Promise
        ? answer.then((ready) => told(request, from, operation.handlerId, ready))
        : told(request, from, operation.handlerId, answer);
    },
    unmatched: (request, allowedMethods) =>
      told(request, performance.now(), undefined, dispatch.unmatched(request, allowedMethods)),
  };
}

function detailOf({ body }: Answer): string | undefined {
  return typeof body === "string" ? (JSON.parse(body) as { readonly detail?: string }).detail : undefined;
}
