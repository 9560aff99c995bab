import { performance } from "node:perf_hooks";
import { type Handler, Hono } from "hono";
import { type ControlOperationId, controlPlaneOperations } from "../../openapi/control-plane/operations.js";
import { defaultProfile } from "../../openapi/gaps/profile.js";
import { createValidationProblem, Problem } from "../domain/problem.js";
import { stringifyBody } from "../json/stringify-body.js";
import { emulatorLimits } from "../memory/limits.js";
import type { Namespaces } from "../namespaces/namespaces.js";
import { rejectCrossOrigin, rejectCrossSiteLoad } from "../request/reject-cross-origin.js";
import { type MountedOperation, listMountedOperations } from "../request/mounted-operation.js";
import { toProblemResponse } from "../request/problem-response.js";
import { readBytes } from "../request/read-bytes.js";
import { readRequest, type RequestReader } from "../request/read-request.js";
import { getOrCreateNamespace } from "../service/namespace.js";
import { createMethodNotAllowedProblem, listMethods } from "../service/not-found.js";
import { respond } from "../service/respond.js";
import {
  isPageView,
  type RequestTarget,
  setOperation,
  type ServiceEnv,
  type ServiceMiddleware,
} from "../service/service-env.js";
import { callControlOperation } from "./call-control.js";
import { type ControlCall, findControlCallViolations, getControlContract } from "./check-control-call.js";
import { type ControlRequest, ResponseFile } from "./control-types.js";

/**
 * Creates the control plane as a Hono application, which creates its routes when the first call arrives. The control plane
 * does not depend on the profile, so that an unsuitable profile can be replaced.
 */
export function createControlPlane(namespaces: Namespaces): Hono<ServiceEnv> {
  const app = new Hono<ServiceEnv>();
  let routes: Hono<ServiceEnv> | undefined;
  app.all("*", (c) =>
    (routes ??= createControlRoutes(namespaces)).fetch(c.req.raw, { ...c.env, target: c.get("target") }),
  );
  return app;
}

function createControlRoutes(namespaces: Namespaces): Hono<ServiceEnv> {
  const operations = listMountedOperations<ControlOperationId>(getControlContract().requests);
  const app = new Hono<ServiceEnv>({
    getPath: (_request, options) => (options?.env as { target: RequestTarget }).target.path,
  });
  app.use((c, next) => {
    c.set("target", c.env.target as RequestTarget);
    return next();
  });
  app.use(logRequests(namespaces));
  for (const operation of operations)
    app.on(
      operation.method,
      operation.path,
      setOperation(operation),
      rejectForeignPages(namespaces),
      handleCall(operation, namespaces),
    );
  app.notFound((c) => {
    const allowed = listMethods(app, c.req.path);
    const problem =
      allowed.length === 0
        ? new Problem(
            "unknown-path",
            `The control plane has no operation at ${c.req.path}. GET /_emulator/openapi.json lists the operations.`,
          )
        : createMethodNotAllowedProblem(c.req.method, allowed);
    return respond(c, toProblemResponse(c.get("target").unreadable ?? problem, defaultProfile));
  });
  app.onError((error, c) => respond(c, toProblemResponse(error, defaultProfile)));
  return app;
}

/** Reports every call to `onRequest`, except page views of the console. */
function logRequests({ options: { onRequest } }: Namespaces): ServiceMiddleware {
  return async (c, next) => {
    if (onRequest === undefined || isPageView(c)) return next();
    const started = performance.now();
    await next();
    const { status } = c.res;
    const body = c.get("answer")?.body;
    const target = c.get("target");
    const namespace = target.namespace === "" ? "" : `/ns/${target.namespace}`;
    onRequest({
      method: c.req.raw.method,
      path: namespace + target.path + (target.query === "" ? "" : `?${target.query}`),
      status,
      durationMs: performance.now() - started,
      operationId: c.get("operation")?.operationId,
      caller: "control plane",
      detail:
        status >= 400 && typeof body === "string"
          ? (JSON.parse(body) as { readonly detail?: string }).detail
          : undefined,
      faults: [],
      unknownFields: [],
    });
  };
}

/** Rejects requests from pages of other origins. @throws a problem `not-local` */
function rejectForeignPages({ options: { allowHosts } }: Namespaces): ServiceMiddleware {
  return (c, next) => {
    rejectCrossSiteLoad(c.req.raw);
    rejectCrossOrigin(c.req.raw, allowHosts);
    return next();
  };
}

const maxBytes = 1024 * 1024;

/** Reads and validates a call, and calls its handler. */
function handleCall(
  operation: MountedOperation<ControlOperationId>,
  namespaces: Namespaces,
): Handler<ServiceEnv> {
  const { operationId, requestFile, hasBody } = operation;
  const strict = { kind: "strict", profile: defaultProfile } as const;
  const status = Number(controlPlaneOperations[operationId].successes(strict)[0]?.status);
  return async (c) => {
    const { raw } = c.req;
    const bytes = hasBody
      ? await readBytes(raw, requestFile === undefined ? maxBytes : emulatorLimits.uploadBytes)
      : undefined;
    const path = c.req.param();
    const { baseUrl, query } = c.get("target");
    const contentType = raw.headers.get("content-type") ?? undefined;
    if (requestFile !== undefined) requireFile(requestFile, contentType);
    const call =
      requestFile === undefined
        ? readRequest(
            operation,
            { path, query, contentType, bytes },
            validator,
            defaultProfile,
            requestReader,
          )
        : { path, query: {}, body: undefined, file: bytes };
    const accept = raw.headers.get("accept") ?? undefined;
    const answer: unknown = callControlOperation(
      operationId,
      { ...call, accept, baseUrl: baseUrl() } as ControlRequest<ControlOperationId>,
      getOrCreateNamespace(c, namespaces),
      namespaces,
    );
    if (answer instanceof ResponseFile) {
      const { mediaType, name, bytes: body } = answer;
      const disposition = `attachment; filename="${name}"`;
      return respond(c, {
        status,
        headers: { "Content-Type": mediaType, "Content-Disposition": disposition },
        body,
      });
    }
    return answer === undefined
      ? respond(c, { status, headers: {}, body: null })
      : respond(c, { status, headers: { "Content-Type": "application/json" }, body: stringifyBody(answer) });
  };
}

/** A call without fields may omit the body. */
const requestReader: RequestReader = {
  normalizeBody: (json) => json,
  emptyBody: {},
  createError: (violations) => createValidationProblem(...violations),
};

const validator = {
  validateRequest: (id: string, given: ControlCall) =>
    findControlCallViolations(id as ControlOperationId, given),
};

/** @throws a problem `unsupported-media-type` for a body that does not say that it is a file */
function requireFile(mediaType: string, given: string | undefined): void {
  const type = given?.split(";")[0]?.trim().toLowerCase();
  if (type !== mediaType && type !== "application/octet-stream")
    throw new Problem(
      "unsupported-media-type",
      `Send the file with \`Content-Type: ${mediaType}\`${given === undefined ? "" : `, not ${given}`}.`,
    );
}
