import type { OpenAPIObject } from "openapi3-ts/oas31";
import { buildControlPlaneDocument } from "../../openapi/control-plane/document.js";
import { ContractValidator } from "../../openapi/validation/validate.js";

interface ControlContract {
  readonly document: OpenAPIObject;
  readonly validator: ContractValidator;
}

let contract: ControlContract | undefined;

/** The document of the control plane and what holds calls against it: made once a process, when a call needs it. */
export function controlContract(): ControlContract {
  if (contract === undefined) {
    const document = buildControlPlaneDocument();
    contract = { document, validator: new ContractValidator(document) };
  }
  return contract;
}
