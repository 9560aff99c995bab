import { buildControlPlaneDocument } from "../../../openapi/control-plane/document.js";
import { buildDocument } from "../../../openapi/document/document.js";
import type { Profile } from "../../../openapi/gaps/profile.js";
import { memoize } from "../../../openapi/text/memoize.js";
import { toErrorMessage } from "../../../openapi/text/to-error-message.js";
import { tryTo } from "../../../openapi/text/try-to.js";
import { SchemaCompiler } from "../../../openapi/validation/schema-compiler.js";
import { ContractWatcher } from "../../../emulator/testing/contract-watcher.js";
import { type FuzzRequest, type FuzzResponse, getMethodAndPath } from "./fuzz-request.js";

const controlPlane = new ContractWatcher({ document: buildControlPlaneDocument() });

const buildContract = memoize((profile: Profile) => {
  const document = buildDocument(profile);
  const compiler = new SchemaCompiler(document);
  const hasSchema = memoize((name: string) =>
    name in (document.components?.schemas ?? {})
      ? compiler.compile(`/components/schemas/${name}`, false)
      : () => false,
  );
  return { service: new ContractWatcher({ document }), hasSchema };
});

/** Describes how a response violates the contract of a profile; undefined if it does not. */
export function findViolation(
  request: FuzzRequest,
  { status, headers, body }: FuzzResponse,
  profile: Profile,
): string | undefined {
  const { service, hasSchema } = buildContract(profile);
  const { method, path } = getMethodAndPath(request);
  const isHealth = path.startsWith("/health");
  // a profile can set a rejection's status to 5xx
  const isExpected = (Object.values(profile) as unknown[]).includes(status) || (isHealth && status === 503);
  // the OpenAPI document describes this kind of problem
  const isInternal = body.includes("internal-error") && !body.startsWith('{"openapi"');
  if ((status >= 500 && !isExpected) || isInternal || /\n {4}at /.test(body))
    return `a status of ${status}: ${body.slice(0, 500)}`;
  if (method === "HEAD") return undefined;
  const isJson = /^application\/(?:\w+\+)?json(?:;|$)/.test(headers["content-type"] ?? "");
  const parsed = isJson ? tryTo(() => JSON.parse(body) as unknown) : body === "" ? undefined : body;
  if (isJson && parsed === undefined) return `a body that is not JSON, with status ${status}`;
  // requests are also rejected before they reach an operation
  if (status >= 400 && (parsed as { status?: unknown }).status === status && hasSchema("Problem")(parsed))
    return undefined;
  if (status >= 400 && ["ErrorMessage", "SqlError"].some((name) => hasSchema(name)(parsed))) return undefined;
  if (request.raw !== undefined || request.isOdd === true || method === "OPTIONS") return undefined;
  const watcher = path.startsWith("/_emulator") ? controlPlane : service;
  try {
    watcher.check(method, path, { status, header: (name) => headers[name], body: parsed });
    return undefined;
  } catch (error) {
    return toErrorMessage(error);
  }
}
