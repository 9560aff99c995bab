import type { OpenAPIObject, OperationObject } from "openapi3-ts/oas31";
import { buildControlPlaneDocument } from "../../../openapi/control-plane/document.js";
import { buildDocument } from "../../../openapi/document/document.js";
import { listOperations } from "../../../openapi/document/list-operations.js";
import type { Profile } from "../../../openapi/gaps/profile.js";
import { toRouteRegExp } from "../../../openapi/text/path-template.js";
import { tryTo } from "../../../openapi/text/try-to.js";
import { ContractValidator } from "../../../openapi/validation/contract-validator.js";
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
}

/** By profile, of which a run has eight. */
const contracts = new Map<string, FuzzContract>();
const control = operationsOf("control", buildControlPlaneDocument());

export function buildFuzzContract(profile: Profile): FuzzContract {
  const key = JSON.stringify(profile);
  let contract = contracts.get(key);
  if (contract === undefined) {
    contract = { profile, operations: [...operationsOf("service", buildDocument(profile)), ...control] };
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
  if (status >= 400 && isProblem(body, status)) return undefined;
  if (operation === undefined)
    return status >= 400 && !isHealth && !isOtherRefusal(body)
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

/** A problem body as of RFC 9457. */
function isProblem(body: unknown, status: number): boolean {
  if (!isObject(body)) return false;
  const { type, title, status: said, detail, errors } = body;
  return (
    typeof type === "string" &&
    typeof title === "string" &&
    typeof detail === "string" &&
    said === status &&
    (errors === undefined || Array.isArray(errors))
  );
}

/** The other forms: that of the gap `error-body`, that of the SQL interface, those of transactions and batches that failed. */
function isOtherRefusal(body: unknown): boolean {
  if (!isObject(body)) return false;
  const members = Object.keys(body).sort().join();
  return [
    "error,message",
    "code,details,message",
    "errors,successCount",
    "errors,failedCount,successCount",
  ].includes(members);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
