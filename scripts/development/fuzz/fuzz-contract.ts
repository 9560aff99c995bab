import type { OpenAPIObject, OperationObject } from "openapi3-ts/oas31";
import { buildControlPlaneDocument } from "../../../openapi/control-plane/document.js";
import { buildDocument } from "../../../openapi/document/document.js";
import { listOperations } from "../../../openapi/document/list-operations.js";
import type { Profile } from "../../../openapi/gaps/profile.js";
import { toRouteRegExp } from "../../../openapi/text/path-template.js";
import { memoize } from "../../../openapi/text/memoize.js";
import { tryTo } from "../../../openapi/text/try-to.js";
import { ContractValidator } from "../../../openapi/validation/contract-validator.js";
import { SchemaCompiler } from "../../../openapi/validation/schema-compiler.js";
import { type FuzzResponse, type FuzzRequest, hasUnclearEnd, getMethodAndPath } from "./fuzz-request.js";

/** An operation of the service or the control plane. */
export interface FuzzOperation {
  readonly operationId: string;
  readonly plane: "service" | "control";
  /** In upper case. */
  readonly method: string;
  /** With `{name}` for parameters. */
  readonly path: string;
  readonly operation: OperationObject;
  readonly document: OpenAPIObject;
  readonly validator: ContractValidator;
  /** Matches the operation's paths. */
  readonly pattern: RegExp;
}

/** What an emulator with a profile accepts and returns. */
export interface FuzzContract {
  readonly profile: Profile;
  readonly operations: readonly FuzzOperation[];
  /** Whether a body matches one of these schemas of the document. */
  readonly matchesAny: (body: unknown, ...schemas: readonly string[]) => boolean;
}

const controlOperations = listFuzzOperations("control", buildControlPlaneDocument());

/** Builds the contract of a profile once per run, which has eight profiles. */
export const buildFuzzContract = memoize((profile: Profile): FuzzContract => {
  const document = buildDocument(profile);
  const compiler = new SchemaCompiler(document);
  return {
    profile,
    operations: [...listFuzzOperations("service", document), ...controlOperations],
    matchesAny: (body, ...schemas) =>
      schemas
        .filter((name) => name in (document.components?.schemas ?? {}))
        .some((name) => compiler.compile(`/components/schemas/${name}`, false)(body)),
  };
});

function listFuzzOperations(
  plane: FuzzOperation["plane"],
  document: OpenAPIObject,
): readonly FuzzOperation[] {
  const validator = new ContractValidator(document);
  return listOperations(document)
    .map(({ method, path, operation }) => ({
      operationId: String(operation["x-operation"] ?? operation.operationId),
      plane,
      method: method.toUpperCase(),
      path,
      operation,
      document,
      validator,
      pattern: toRouteRegExp(path),
    }))
    .sort((a, b) => a.path.split("{").length - b.path.split("{").length);
}

/** Whether the profile rejects requests with the host name of a request. */
function hasRejectedHost({ headers }: FuzzRequest, { profile }: FuzzContract): boolean {
  const isOtherHost = headers.some(([name, value]) => /^host$/i.test(name) && value === "example.com");
  return isOtherHost && profile["cross-origin"] === "none";
}

/** Describes how a response violates the contract; undefined if it does not. */
export function findResponseViolation(
  request: FuzzRequest,
  response: FuzzResponse,
  contract: FuzzContract,
): string | undefined {
  const { status, headers } = response;
  const { method, path } = getMethodAndPath(request);
  const isHealth = path.startsWith("/health");
  // a profile can set a rejection's status to 5xx
  const isExpected =
    (Object.values(contract.profile) as unknown[]).includes(status) || (isHealth && status === 503);
  if (status >= 500 && (!isExpected || response.body.includes("internal-error")))
    return `a status of ${status}`;
  if (method === "HEAD") return undefined;
  const isJson = /^application\/(?:\w+\+)?json(?:;|$)/.test(headers["content-type"] ?? "");
  const body = isJson ? tryTo(() => JSON.parse(response.body.toString()) as unknown) : undefined;
  if (isJson && body === undefined) return `a body that is not JSON, with status ${status}`;
  const operation = hasUnclearEnd(request)
    ? undefined
    : contract.operations.find((one) => one.method === method && one.pattern.test(path));
  // a request that reaches no operation is rejected with a problem body
  if (status >= 400 && contract.matchesAny(body, "Problem") && (body as { status: number }).status === status)
    return undefined;
  if (operation === undefined || hasRejectedHost(request, contract)) {
    const otherBodies = ["ErrorMessage", "SqlError", "BatchWriteResponse", "TransactWriteResponse"];
    return status >= 400 && !isHealth && !contract.matchesAny(body, ...otherBodies)
      ? `an undocumented refusal with status ${status}`
      : undefined;
  }
  const [violation] = operation.validator.validateResponse(String(operation.operation.operationId), {
    status,
    header: (name) => headers[name]?.toString(),
    body: isJson ? body : response.body.length === 0 ? undefined : response.body.toString("latin1"),
  });
  if (violation === undefined) return undefined;
  const { in: place, pointer, detail } = violation;
  return `status ${status} of ${operation.operationId} against the contract: ${place} ${pointer} ${detail}`;
}
