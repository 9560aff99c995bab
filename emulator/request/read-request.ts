import type { Profile } from "../../openapi/gaps/profile.js";
import { appendPointer } from "../../openapi/validation/json-pointer.js";
import type { ContractValidator, Violation } from "../../openapi/validation/contract-validator.js";
import { createValidationProblem } from "../domain/problem.js";
import type { JsonValue } from "../json/json-value.js";
import { toPlainParsedValue } from "../json/to-plain.js";
import type { MountedOperation } from "./mounted-operation.js";
import { parseBody } from "./parse-body.js";

/** How an interface reads its requests. The steps are the same for all interfaces. */
export interface RequestReader {
  /** Converts the body to the form that handlers need. */
  readonly given: (json: JsonValue, operation: MountedOperation<string>, profile: Profile) => JsonValue;
  /** The value of an omitted body. */
  readonly noBody: unknown;
  /** Creates the error for a request that violates the contract. */
  readonly refused: (
    violations: readonly Violation[],
    operation: MountedOperation<string>,
    json: JsonValue | undefined,
    profile: Profile,
  ) => Error;
}

const noQuery: Readonly<Record<string, string>> = {};

/** The parts of a request that the contract describes, as they were sent. */
export interface RawRequest {
  /** Decoded parameters of the path. */
  readonly path: Readonly<Record<string, string>>;
  /** What follows the question mark. */
  readonly query: string;
  readonly contentType: string | undefined;
  /** The body; undefined for an operation without one. */
  readonly bytes: Uint8Array | undefined;
}

/** A valid request. */
export type ValidatedRequest = ReturnType<typeof readRequest>;

/**
 * Reads the path, query and body of a request, and validates them.
 *
 * @throws problems `unsupported-media-type`, `malformed-body`, `validation-failed`, and what `refused` makes
 */
export function readRequest(
  operation: MountedOperation<string>,
  { path, query: sentQuery, contentType, bytes }: RawRequest,
  validator: Pick<ContractValidator, "validateRequest">,
  profile: Profile,
  reading: RequestReader,
) {
  const read = bytes === undefined ? undefined : parseBody(bytes, contentType, profile);
  const json = read === undefined ? undefined : reading.given(read, operation, profile);
  const body = json === undefined ? reading.noBody : toPlainParsedValue(json);
  const isValidated = operation.hasBody || operation.hasQuery;
  const query = isValidated && sentQuery !== "" ? readQuery(sentQuery, operation, profile) : noQuery;
  if (isValidated) {
    const violations = validator.validateRequest(operation.routeId, { path, query, body });
    if (violations.length > 0) throw reading.refused(violations, operation, json, profile);
  }
  return { path, query, body, json, bodyBytes: bytes?.length ?? 0 };
}

/** Returns the query parameters by name. The last of several with the same name counts (gap `unknown-request-members`). */
function readQuery(
  query: string,
  { queryParameters }: MountedOperation<string>,
  profile: Profile,
): Record<string, string> {
  const given = Object.fromEntries(new URLSearchParams(query));
  if (profile["unknown-request-members"] === "reject")
    for (const name of Object.keys(given))
      if (!queryParameters.includes(name))
        throw createValidationProblem({
          in: "query",
          pointer: appendPointer("", name),
          detail: "is not a known parameter",
        });
  return given;
}
