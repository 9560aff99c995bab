import fc from "fast-check";
import type { OpenAPIObject, OperationObject } from "openapi3-ts/oas31";
import { buildControlPlaneDocument } from "../../../openapi/control-plane/document.js";
import { buildDocument } from "../../../openapi/document/document.js";
import { getTestAnswers, type GapId, gapIds } from "../../../openapi/gaps/register.js";
import { defaultProfile, type Profile } from "../../../openapi/gaps/profile.js";
import { toRouteRegExp } from "../../../openapi/text/path-template.js";
import { ContractValidator } from "../../../openapi/validation/contract-validator.js";

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

export function contractOf(profile: Profile): FuzzContract {
  const key = JSON.stringify(profile);
  let contract = contracts.get(key);
  if (contract === undefined) {
    contract = { profile, operations: [...operationsOf("service", buildDocument(profile)), ...control] };
    contracts.set(key, contract);
  }
  return contract;
}

/** Profiles with another answer to every second gap. */
export const someProfile: fc.Arbitrary<Profile> = fc.record(
  Object.fromEntries(
    gapIds.map((id) => {
      const usual = fc.constant<unknown>(defaultProfile[id]);
      // with other answers to these nothing else is ever accepted
      if (/^(?:rate-limit|monthly-requests|request-bytes-max)$/.test(id)) return [id, usual];
      return [id, fc.oneof(usual, fc.constantFrom<unknown>(...getTestAnswers<GapId>(id)))];
    }),
  ),
) as fc.Arbitrary<Profile>;

function operationsOf(plane: FuzzOperation["plane"], document: OpenAPIObject): readonly FuzzOperation[] {
  const validator = new ContractValidator(document);
  return Object.entries(document.paths ?? {})
    .flatMap(([path, item]) =>
      Object.entries(item as Record<string, OperationObject>).map(([method, operation]) => ({
        operationId: String(operation["x-operation"] ?? operation.operationId),
        plane,
        method: method.toUpperCase(),
        path,
        operation,
        document,
        validator,
        pattern: toRouteRegExp(path),
      })),
    )
    .sort((a, b) => a.path.split("{").length - b.path.split("{").length);
}
