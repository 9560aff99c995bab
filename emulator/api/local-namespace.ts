import type { ControlOperationId } from "../../openapi/control-plane/operations.js";
import { getProblemStatus } from "../../openapi/document/problem-responses.js";
import { defaultProfile } from "../../openapi/gaps/profile.js";
import { callControlOperation } from "../control/call-control.js";
import { checkControlCall } from "../control/check-control-call.js";
import { type ControlRequest, ResponseFile } from "../control/control-types.js";
import { createCallProblem, Problem } from "../domain/problem.js";
import { defaultNamespace } from "../request/name.js";
import type { EmulatorHost } from "./emulator-host.js";
import type { EmulatorNamespace } from "./emulator-namespace.js";
import {
  type TransportRequest,
  createNamespaceClient,
  toQueryTexts,
  type Transport,
} from "./emulator-namespace.js";
import { createRequest } from "./create-request.js";
import { stringifyCall } from "./stringify-call.js";

/**
 * Creates the client for a namespace of an emulator in the same process.
 *
 * @param name a valid name; the namespace is created when it is first used
 */
export function createLocalNamespace(host: EmulatorHost, name: string): EmulatorNamespace {
  const prefix = name === defaultNamespace ? "" : `/ns/${name}`;
  return {
    ...createNamespaceClient(name, createLocalTransport(host, name)),
    fetch: async (input, init) => {
      host.namespaces();
      const signal =
        init?.signal ?? (typeof input === "object" && "signal" in input ? input.signal : undefined);
      signal?.throwIfAborted();
      // Handlers do not use the signal; `rejectOnAbort` rejects the promise.
      const request = createRequest({ originOfPaths: host.url(), prefix }, input, init, { signal: null });
      return rejectOnAbort(
        request.then((it) => host.app.fetch(it)),
        signal,
      );
    },
    get url() {
      const base = host.url();
      return base === undefined ? undefined : base + prefix;
    },
    export: () => host.namespaces().get(name).export(),
  };
}

/** Rejects with the reason of the signal if the caller aborts; the request itself continues. */
function rejectOnAbort<Answer>(answer: Promise<Answer>, signal: AbortSignal | undefined): Promise<Answer> {
  if (signal === undefined) return answer;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    void answer.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

/** Calls the control plane by the same rules as over HTTP. A problem has the status of the HTTP response. */
export function createLocalTransport(host: EmulatorHost, name: string): Transport {
  const call = (
    id: ControlOperationId,
    { path = {}, query = {}, body, ...file }: TransportRequest = {},
    pick = (answer: unknown) => answer,
  ) => {
    const answer: unknown = runWithProblemStatus(() => {
      const request = {
        path,
        query: toQueryTexts(query),
        // Copies the body as if it were sent, because the caller may change it later.
        body: JSON.parse(stringifyCall(body ?? {})) as unknown,
      };
      checkControlCall(id, request);
      const namespaces = host.namespaces();
      return callControlOperation(
        id,
        { ...request, ...file } as ControlRequest<ControlOperationId>,
        namespaces.get(name),
        namespaces,
      );
    });
    return pick(answer instanceof ResponseFile ? answer.bytes : answer);
  };
  return { call: call as Transport["call"], namespace: (other) => createLocalNamespace(host, other) };
}

/** Adds the status of the HTTP response to a problem, and a stack trace with the caller's line. */
export function runWithProblemStatus<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { kind, message, violations, headers } = error;
    const status = getProblemStatus(kind, defaultProfile);
    throw createCallProblem(kind, message, { violations, headers, status });
  }
}
