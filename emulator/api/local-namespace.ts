import type { Hono } from "hono";
import type { ControlOperationId } from "../../openapi/control-plane/operations.js";
import { getProblemStatus } from "../../openapi/document/problem-responses.js";
import { defaultProfile } from "../../openapi/gaps/profile.js";
import { callControlOperation } from "../control/call-control.js";
import { checkControlCall } from "../control/check-control-call.js";
import { type ControlRequest, FileOrBody } from "../control/control-types.js";
import { addStack, Problem } from "../domain/problem.js";
import { toJsonCopy } from "../control/to-json-copy.js";
import { defaultNamespace } from "../request/name.js";
import type { EmulatorEnv } from "../request/emulator-env.js";
import type { Namespaces } from "../namespaces/namespaces.js";
import type { EmulatorNamespace } from "./emulator-namespace.js";
import { type CallRequest, createNamespaceCalls, type Transport } from "./emulator-namespace.js";
import { createRequest } from "./create-request.js";

/** What the namespaces of one emulator share. */
export interface EmulatorHost {
  /** @throws Error when the emulator is closed */
  readonly namespaces: () => Namespaces;
  readonly app: Hono<EmulatorEnv>;
  /** The base URL, once listening. */
  readonly url: () => string | undefined;
}

/**
 * The handle on a namespace of an emulator in the same process.
 *
 * @param name a valid one; the namespace is made at its first use
 */
export function createLocalNamespace(host: EmulatorHost, name: string): EmulatorNamespace {
  const prefix = name === defaultNamespace ? "" : `/ns/${name}`;
  return {
    ...createNamespaceCalls(createLocalTransport(host, name)),
    name,
    fetch: async (input, init) => {
      host.namespaces();
      const signal = getSignal(input, init);
      signal?.throwIfAborted();
      // no handler needs the signal: `rejectOnAbort` gives the response up
      const request = createRequest({ originOfPaths: host.url(), prefix }, input, { ...init, signal: null });
      return rejectOnAbort(
        request.then((it) => host.app.fetch(it)),
        signal,
      );
    },
    get url() {
      const base = host.url();
      return base === undefined ? undefined : base + prefix;
    },
    fork: (to) => {
      // the fork of a namespace that nobody has used yet
      host.namespaces().get(name);
      createLocalTransport(host, name).call("forkNamespace", { path: { name }, body: { to } });
      return createLocalNamespace(host, to);
    },
    export: () => host.namespaces().get(name).export(),
  };
}

/** The signal with which a call of `fetch` can be given up, if it has one. */
function getSignal(input: string | URL | Request, init?: RequestInit): AbortSignal | undefined {
  return init?.signal ?? (typeof input === "object" && "signal" in input ? input.signal : undefined);
}

/** An answer, or the reason for which the caller gave it up meanwhile; the request itself goes on. */
function rejectOnAbort<Answer>(answer: Promise<Answer>, signal: AbortSignal | undefined): Promise<Answer> {
  if (signal === undefined) return answer;
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason as Error);
    if (signal.aborted) giveUp();
    signal.addEventListener("abort", giveUp, { once: true });
    void answer.then(resolve, reject).finally(() => signal.removeEventListener("abort", giveUp));
  });
}

/** Calls of the control plane by the rules that hold over HTTP. A problem has the status that HTTP would answer. */
export function createLocalTransport(host: EmulatorHost, name: string): Transport {
  const answer = (id: ControlOperationId, request: CallRequest): unknown =>
    withStatus(() => {
      const { path = {}, query = {}, file } = request;
      const body = toJsonCopy(request.body ?? {});
      const given = Object.entries(query).filter(([, value]) => value !== undefined);
      const texts = Object.fromEntries(given.map(([key, value]) => [key, String(value)]));
      checkControlCall(id, { path, query: texts, body });
      const whole = { path, query: texts, body, file, json: undefined, bodyBytes: 0 };
      return callControlOperation(
        id,
        whole as unknown as ControlRequest<ControlOperationId>,
        host.namespaces().get(name),
      );
    });
  return {
    call: (id, request = {}, pick) => {
      const answered = answer(id, request);
      const body: unknown = answered instanceof FileOrBody ? answered.body : answered;
      return (pick === undefined ? body : pick(body as never)) as never;
    },
    file: (id, request, pick) => {
      const answered = answer(id, request);
      if (!(answered instanceof FileOrBody)) throw new Error(`the answer of ${id} is no file`);
      return pick(answered.file.bytes());
    },
    namespace: (other) => createLocalNamespace(host, other),
  };
}

/** Gives a problem the status that HTTP would have, and a stack trace with the caller's line. */
export function withStatus<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { kind, message, violations, headers } = error;
    const status = getProblemStatus(kind, defaultProfile);
    throw addStack(new Problem(kind, message, { violations, headers, status }));
  }
}
