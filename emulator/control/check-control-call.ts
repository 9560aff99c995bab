import { buildControlPlaneDocument } from "../../openapi/control-plane/document.js";
import { type ControlOperationId, controlPlaneOperations } from "../../openapi/control-plane/operations.js";
import { defaultProfile } from "../../openapi/gaps/profile.js";
import type { OperationDefinition } from "../../openapi/operations/operation.js";
import { appendPointer } from "../../openapi/validation/json-pointer.js";
import { ContractValidator } from "../../openapi/validation/contract-validator.js";
import type { Violation } from "../../openapi/validation/violation.js";
import { createValidationProblem } from "../domain/problem.js";
import { type Contract, readPrebuiltDocument } from "../request/get-contract.js";

/** A parsed call of the control plane. */
export interface ControlCall {
  readonly path: Readonly<Record<string, unknown>>;
  /** Values by name, as texts. */
  readonly query: Readonly<Record<string, string>>;
  /** The parsed JSON body; undefined for an operation without one. */
  readonly body: unknown;
}

/**
 * Checks a call of the control plane against its contract. The same check applies to calls over HTTP and to calls from
 * the same process.
 *
 * @throws a problem `validation-failed` with every mistake
 */
export function checkControlCall(id: ControlOperationId, call: ControlCall): void {
  const violations = findControlCallViolations(id, call);
  if (violations.length > 0) throw createValidationProblem(...violations);
}

/** Every mistake in a call of the control plane. */
export function findControlCallViolations(id: ControlOperationId, call: ControlCall): Violation[] {
  return [...findPathViolations(call.path), ...findContractViolations(id, call)];
}

/** Calls whose handler finds every mistake itself, with better messages and without compiling a schema of all gaps. */
const checkedByHandler: ReadonlySet<ControlOperationId> = new Set(["setProfile"]);

/** Finds values that no URL can contain, which are only possible in in-process calls. */
function findPathViolations(path: ControlCall["path"]): Violation[] {
  return Object.entries(path).flatMap(([name, value]) =>
    typeof value === "string" && value !== ""
      ? []
      : [
          {
            in: "path" as const,
            pointer: appendPointer("", name),
            detail: "must be a non-empty string",
          },
        ],
  );
}

function findContractViolations(id: ControlOperationId, { query, body }: ControlCall): Violation[] {
  if (checkedByHandler.has(id)) return [];
  const operation: OperationDefinition = controlPlaneOperations[id];
  const parameters = operation.parameters?.({ kind: "strict", profile: defaultProfile }) ?? [];
  const known = parameters.map(({ name }) => name);
  if (operation.requestBody === undefined && known.length === 0) return [];
  const unknown = Object.keys(query)
    .filter((name) => known.length > 0 && !known.includes(name))
    .map((name): Violation => {
      const detail = `is not a parameter of this operation; the parameters are ${known.join(", ")}`;
      return { in: "query", pointer: appendPointer("", name), detail };
    });
  return [...unknown, ...getControlContract().validator.validateRequest(id, { path: {}, query, body })];
}

type ControlContract = Omit<Contract, "document">;

let contract: ControlContract | undefined;

/** The contract for calls of the control plane, created once per process when a call needs it. */
export function getControlContract(): ControlContract {
  if (contract === undefined) {
    const requests = readPrebuiltDocument("control-plane-requests") ?? buildControlPlaneDocument();
    contract = { requests, validator: new ContractValidator(requests) };
  }
  return contract;
}
