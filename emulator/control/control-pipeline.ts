import type { ControlOperationId } from "../../openapi/control-plane/operations.js";
import { callControl } from "./call-control.js";
import { checkControlCall } from "./check-control-call.js";
import type { AnswerFile, ControlRequestOf } from "./control-handler.js";
import { toPlain } from "../json/to-plain.js";
import { emulatorLimits } from "../memory/limits.js";
import type { Namespace } from "../namespaces/namespace.js";
import { Problem } from "../domain/problem.js";
import { defaultProfile } from "../../openapi/gaps/profile.js";
import type { Answer } from "../request/answer.js";
import type { AnsweredRequest } from "../request/answered-request.js";
import { refuseForeignPage } from "../request/local-only.js";
import type { MountedOperation } from "../request/mounted-operation.js";
import { problemAnswer } from "../request/problem-answer.js";
import { readBody } from "../request/read-body.js";
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
export function controlDispatch(
  namespaceOf: (request: RoutedRequest) => Namespace,
  { allowHosts = [], onRequest }: ControlSurroundings = {},
): Dispatch {
  const dispatch = plainDispatch(namespaceOf, allowHosts);
  return onRequest === undefined ? dispatch : watchedDispatch(dispatch, onRequest);
}

function plainDispatch(
  namespaceOf: (request: RoutedRequest) => Namespace,
  allowHosts: readonly string[],
): Dispatch {
  return {
    operation: (operation, request) => {
      try {
        refuseForeignPage(request.incoming, allowHosts);
      } catch (error) {
        // before the body is kept, which may be a large file: with a limit of nothing it is thrown away
        if (operation.takesBody) request.incoming.body(0).catch(() => undefined);
        return problemAnswer(error, defaultProfile);
      }
      if (!operation.takesBody) return answer(operation, request, undefined, namespaceOf);
      const most = operation.requestFile === undefined ? maxBytes : emulatorLimits.uploadBytes;
      return request.incoming.body(most).then(
        (bytes) => answer(operation, request, bytes, namespaceOf),
        (error: unknown) => problemAnswer(error, defaultProfile),
      );
    },
    unmatched: (request, allowedMethods) =>
      problemAnswer(
        allowedMethods.length === 0
          ? new Problem("unknown-path", `The control plane has nothing at ${request.target.path}.`)
          : new Problem("method-not-allowed", `${request.incoming.method} is not possible here.`, {
              headers: { Allow: allowedMethods.join(", ") },
            }),
        defaultProfile,
      ),
  };
}

function answer(
  operation: MountedOperation,
  request: RoutedRequest,
  bytes: Uint8Array | undefined,
  namespaceOf: (request: RoutedRequest) => Namespace,
): Answer {
  const { incoming, path } = request;
  try {
    const given =
      operation.requestFile === undefined
        ? readJsonCall(operation, request, bytes)
        : readFileCall(operation.requestFile, incoming.header("content-type"), bytes);
    const result: {
      readonly status: number;
      readonly body?: unknown;
      readonly file?: AnswerFile;
    } = callControl(
      operation.handlerId as ControlOperationId,
      { path, query: {}, baseUrl: baseUrlOf(request), ...given } as ControlRequestOf<ControlOperationId>,
      namespaceOf(request),
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

/** Reads and validates a JSON body. */
function readJsonCall(
  { handlerId, takesQuery }: MountedOperation,
  { incoming, path, target }: RoutedRequest,
  bytes: Uint8Array | undefined,
) {
  const json =
    bytes === undefined ? undefined : readBody(bytes, incoming.header("content-type"), defaultProfile);
  // a call without members may leave out its body
  const body = json === undefined ? {} : toPlain(json);
  const query = takesQuery ? Object.fromEntries(new URLSearchParams(target.query)) : {};
  checkControlCall(handlerId as ControlOperationId, { path, query, body });
  return { query, body, json, bodyBytes: bytes?.length ?? 0 };
}

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
