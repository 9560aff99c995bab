import type { ControlOperationId } from "../../openapi/control-plane/operations.js";
import { callControl } from "./call-control.js";
import { type ControlCall, controlCallViolations } from "./check-control-call.js";
import type { AnswerFile, ControlRequestOf } from "./control-handler.js";
import { emulatorLimits } from "../memory/limits.js";
import type { Namespace } from "../namespaces/namespace.js";
import { invalid, Problem } from "../domain/problem.js";
import { defaultProfile } from "../../openapi/gaps/profile.js";
import type { Answer } from "../request/answer.js";
import type { AnsweredRequest } from "../request/answered-request.js";
import { refuseForeignPage } from "../request/local-only.js";
import type { MountedOperation } from "../request/mounted-operation.js";
import { problemAnswer } from "../request/problem-answer.js";
import { readRequest, type Reading } from "../request/read-request.js";
import { baseUrlOf, type Dispatch, type RoutedRequest } from "../request/dispatch.js";
import { watchedDispatch } from "./watched-dispatch.js";
import { writeBody } from "../json/write-body.js";

/** What the options of the emulator say of the control plane. */
export interface ControlSurroundings {
  /** Host names that may be used beside local ones. */
  readonly allowHosts?: readonly string[];
  /** Is told of every call. */
  readonly onRequest?: ((request: AnsweredRequest) => void) | undefined;
}

const maxBytes = 1024 * 1024;

/**
 * The way of a request through the control plane: refuse foreign pages → validate → handle. It looks nothing up in
 * the profile, so that a profile can always be put right, and it does not tick the clock.
 */
export function controlDispatch({
  allowHosts = [],
  onRequest,
}: ControlSurroundings = {}): Dispatch<Namespace> {
  const dispatch = plainDispatch(allowHosts);
  return onRequest === undefined ? dispatch : watchedDispatch(dispatch, onRequest);
}

function plainDispatch(allowHosts: readonly string[]): Dispatch<Namespace> {
  return {
    operation: (operation, request) => {
      try {
        refuseForeignPage(request.incoming, allowHosts);
      } catch (error) {
        // before the body is kept, which may be a large file: with a limit of nothing it is thrown away
        if (operation.takesBody) request.incoming.body(0).catch(() => undefined);
        return problemAnswer(error, defaultProfile);
      }
      if (!operation.takesBody) return answer(operation, request, undefined);
      const most = operation.requestFile === undefined ? maxBytes : emulatorLimits.uploadBytes;
      return request.incoming.body(most).then(
        (bytes) => answer(operation, request, bytes),
        (error: unknown) => problemAnswer(error, defaultProfile),
      );
    },
    unmatched: unmatchedControl,
  };
}

/** Answers a request that no operation of the control plane matches, wherever it is. */
export function unmatchedControl(
  { incoming, target }: Pick<RoutedRequest, "incoming" | "target">,
  allowedMethods: readonly string[],
): Answer {
  return problemAnswer(
    allowedMethods.length === 0
      ? new Problem("unknown-path", `The control plane has nothing at ${target.path}.`)
      : new Problem("method-not-allowed", `${incoming.method} is not possible here.`, {
          headers: { Allow: allowedMethods.join(", ") },
        }),
    defaultProfile,
  );
}

function answer(
  operation: MountedOperation,
  request: RoutedRequest<Namespace>,
  bytes: Uint8Array | undefined,
): Answer {
  const { incoming, path, trace } = request;
  // a file is no body to look at
  if (trace !== undefined && operation.requestFile === undefined) trace.body = bytes;
  try {
    const given =
      operation.requestFile === undefined
        ? readRequest(operation, request, bytes, calls, defaultProfile, reading)
        : readFileCall(operation.requestFile, incoming.header("content-type"), bytes);
    const result: {
      readonly status: number;
      readonly body?: unknown;
      readonly file?: AnswerFile;
    } = callControl(
      operation.handlerId as ControlOperationId,
      { path, query: {}, baseUrl: baseUrlOf(request), ...given } as ControlRequestOf<ControlOperationId>,
      request.home,
    );
    if (result.file !== undefined && wantsFile(result.file, incoming.header("accept")))
      return fileAnswer(result.status, result.file);
    if (result.body === undefined) return { status: result.status, headers: {}, body: null };
    return {
      status: result.status,
      headers: { "Content-Type": "application/json" },
      body: writeBody(result.body),
    };
  } catch (error) {
    return problemAnswer(error, defaultProfile);
  }
}

/** What the control plane makes of its requests: a call without members may leave out its body. */
const reading: Reading = {
  given: (json) => json,
  noBody: {},
  refused: (violations) => invalid(...violations),
};

/** The one check of calls, as `readRequest` asks for it. */
const calls = {
  request: (id: string, call: ControlCall) => controlCallViolations(id as ControlOperationId, call),
};

/** Reads a body that is a file. */
function readFileCall(mediaType: string, given: string | undefined, file: Uint8Array | undefined) {
  const type = given?.split(";")[0]?.trim().toLowerCase();
  if (type !== mediaType && type !== "application/octet-stream")
    throw new Problem(
      "unsupported-media-type",
      `Send the file with \`Content-Type: ${mediaType}\`${given === undefined ? "" : `, not ${given}`}.`,
    );
  return { body: undefined, json: undefined, bodyBytes: file?.length ?? 0, file };
}

function wantsFile({ mediaType, isWanted = false }: AnswerFile, accept = ""): boolean {
  return isWanted || accept.includes(mediaType);
}

function fileAnswer(status: number, { mediaType, name, bytes }: AnswerFile): Answer {
  return {
    status,
    headers: { "Content-Type": mediaType, "Content-Disposition": `attachment; filename="${name}"` },
    body: bytes(),
  };
}
