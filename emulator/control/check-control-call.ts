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

/** Validates a call. @throws a problem `validation-failed` with every mistake */
export function checkControlCall(id: ControlOperationId, call: ControlCall): void {
  const violations = findControlCallViolations(id, call);
  if (violations.length > 0) throw createValidationProblem(...violations);
}

/** Finds every mistake in a call of the control plane. */
export function findControlCallViolations(
  id: ControlOperationId,
  { path, query, body }: ControlCall,
): Violation[] {
  // Only in-process calls can have such values.
  const invalid = Object.keys(path)
    .filter((name) => typeof path[name] !== "string" || path[name] === "")
    .map((name): Violation => {
      return { in: "path", pointer: appendPointer("", name), detail: "must be a non-empty string" };
    });
  // This handler gives better messages, and needs no compiled schema of all gaps.
  if (id === "setProfile") return invalid;
  const operation: OperationDefinition = controlPlaneOperations[id];
  const parameters = operation.parameters?.({ kind: "strict", profile: defaultProfile }) ?? [];
  const known = parameters.map(({ name }) => name);
  if (operation.requestBody === undefined && known.length === 0) return invalid;
  const unknown = Object.keys(query)
    .filter((name) => known.length > 0 && !known.includes(name))
    .map((name): Violation => {
      const detail = `is not a parameter of this operation; the parameters are ${known.join(", ")}`;
      return { in: "query", pointer: appendPointer("", name), detail };
    });
  const violations = getControlContract().validator.validateRequest(id, { path: {}, query, body });
  return [...invalid, ...unknown, ...violations];
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
