import type { OpenAPIObject, OperationObject } from "openapi3-ts/oas31";
import { buildControlPlaneDocument } from "../../../openapi/control-plane/document.js";
import { buildDocument } from "../../../openapi/document/document.js";
import { listOperations } from "../../../openapi/document/list-operations.js";
import type { Profile } from "../../../openapi/gaps/profile.js";
import { toRouteRegExp } from "../../../openapi/text/path-template.js";
import { tryTo } from "../../../openapi/text/try-to.js";
import { ContractValidator } from "../../../openapi/validation/contract-validator.js";
import { SchemaCompiler } from "../../../openapi/validation/schema-compiler.js";
import { type FuzzResponse, type FuzzRequest, isOddlyFramed, getMethodAndPath } from "./fuzz-request.js";

/** An operation of the service or a call of the control plane, as its document describes it. */
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
  /** Fits the paths that lead to it. */
  readonly pattern: RegExp;
}

/** What an emulator of a profile takes and answers. */
export interface FuzzContract {
  readonly profile: Profile;
  readonly operations: readonly FuzzOperation[];
  /** Whether a body has the form of a problem, or any other form of a refusal. */
  readonly isProblem: (body: unknown) => boolean;
  readonly isOtherRefusal: (body: unknown) => boolean;
}

/** By profile, of which a run has eight. */
const contracts = new Map<string, FuzzContract>();
const control = operationsOf("control", buildControlPlaneDocument());

export function buildFuzzContract(profile: Profile): FuzzContract {
  const key = JSON.stringify(profile);
  let contract = contracts.get(key);
  if (contract === undefined) {
    const document = buildDocument(profile);
    const compiler = new SchemaCompiler(document);
    const fits = (body: unknown, ...names: readonly string[]) =>
      names
        .filter((name) => name in (document.components?.schemas ?? {}))
        .some((name) => compiler.compile(`/components/schemas/${name}`, false)(body));
    contract = {
      profile,
      operations: [...operationsOf("service", document), ...control],
      isProblem: (body) => fits(body, "Problem"),
      isOtherRefusal: (body) =>
        fits(body, "ErrorMessage", "SqlError", "BatchWriteResponse", "TransactWriteResponse"),
    };
    contracts.set(key, contract);
  }
  return contract;
}

function operationsOf(plane: FuzzOperation["plane"], document: OpenAPIObject): readonly FuzzOperation[] {
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

/** Whether the profile refuses the host name of a request, for any operation. */
function isForRefusedHost({ headers }: FuzzRequest, { profile }: FuzzContract): boolean {
  const isForeign = headers.some(([name, value]) => /^host$/i.test(name) && value === "example.com");
  return isForeign && profile["cross-origin"] === "none";
}

/** What is wrong with a response, whatever the request was. */
export function judgeAnswer(
  request: FuzzRequest,
  answer: FuzzResponse,
  contract: FuzzContract,
): string | undefined {
  const { status, headers } = answer;
  const { method, path } = getMethodAndPath(request);
  const isHealth = path.startsWith("/health");
  // some profiles have a status from 500 on for what others refuse with one below
  const isMeant =
    (Object.values(contract.profile) as unknown[]).includes(status) || (isHealth && status === 503);
  if (status >= 500 && (!isMeant || answer.body.includes("internal-error"))) return `a status of ${status}`;
  if (method === "HEAD") return undefined;
  const isJson = /^application\/(?:\w+\+)?json(?:;|$)/.test(headers["content-type"] ?? "");
  const body = isJson ? tryTo(() => JSON.parse(answer.body.toString()) as unknown) : undefined;
  if (isJson && body === undefined) return `a body that is not JSON, with status ${status}`;
  const operation = isOddlyFramed(request)
    ? undefined
    : contract.operations.find((one) => one.method === method && one.pattern.test(path));
  // what does not get as far as an operation is refused in the general form
  if (status >= 400 && contract.isProblem(body) && (body as { status: number }).status === status)
    return undefined;
  if (operation === undefined || isForRefusedHost(request, contract))
    return status >= 400 && !isHealth && !contract.isOtherRefusal(body)
      ? `an undocumented refusal with status ${status}`
      : undefined;
  const violations = operation.validator.validateResponse(String(operation.operation.operationId), {
    status,
    header: (name) => headers[name]?.toString(),
    body: isJson ? body : answer.body.length === 0 ? undefined : answer.body.toString("latin1"),
  });
  const [first] = violations;
  if (first === undefined) return undefined;
  return `status ${status} of ${operation.operationId} against the contract: ${first.in} ${first.pointer} ${first.detail}`;
}
