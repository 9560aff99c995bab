import type { OpenAPIObject } from "openapi3-ts/oas31";
import { buildDocument, buildOpenDocument } from "../../openapi/document/document.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import { ContractValidator } from "../../openapi/validation/contract-validator.js";

/** An OpenAPI document and its response validator. */
export interface Contract {
  readonly document: OpenAPIObject;
  readonly validator: ContractValidator;
}

// Documents take long to build and to compile, and a process may start many runs.
let open: Contract | undefined;
let strict: { readonly profile: string; readonly contract: Contract } | undefined;

/** Returns the contract that contains only what the clauses demand. */
export function getOpenContract(): Contract {
  open ??= createContract(buildOpenDocument());
  return open;
}

/** Returns the contract of a deployment with a profile. */
export function getStrictContract(profile: Profile): Contract {
  const key = JSON.stringify(profile);
  if (strict?.profile !== key) strict = { profile: key, contract: createContract(buildDocument(profile)) };
  return strict.contract;
}

function createContract(document: OpenAPIObject): Contract {
  return { document, validator: new ContractValidator(document) };
}
