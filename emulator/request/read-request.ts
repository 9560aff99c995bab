import { isUtf8 } from "node:buffer";
import { emulatorDefinedLimits as limits } from "../../openapi/clauses/limits.js";
import type { Profile } from "../../openapi/gaps/profile.js";
import { appendPointer } from "../../openapi/validation/json-pointer.js";
import type { ContractValidator } from "../../openapi/validation/contract-validator.js";
import type { Violation } from "../../openapi/validation/violation.js";
import { createInvalidBodyProblem, createValidationProblem, Problem } from "../domain/problem.js";
import { exceedsJsonValueCount } from "../json/exceeds-json-value-count.js";
import { JsonError } from "../json/json-error.js";
import type { JsonValue } from "../json/json-value.js";
import { parseJson } from "../json/parse-json.js";
import { toPlainParsedValue } from "../json/to-plain.js";
import type { MountedOperation } from "./mounted-operation.js";

/** How the service or the control plane reads requests. */
export interface RequestReader {
  /** Converts the body to the form that handlers need. */
  readonly normalizeBody: (json: JsonValue, operation: MountedOperation<string>) => JsonValue;
  /** The value of an omitted body. */
  readonly emptyBody: unknown;
  /** Creates the error for a request that violates the contract. */
  readonly createError: (violations: readonly Violation[]) => Error;
}

const noQuery: Readonly<Record<string, string>> = {};

/** The parts of a request as they were sent. */
export interface RawRequest {
  /** Decoded parameters of the path. */
  readonly path: Readonly<Record<string, string>>;
  /** The query string without the question mark. */
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
 * @throws problems `unsupported-media-type`, `malformed-body`, `validation-failed`, and the error from `createError`
 */
export function readRequest(
  operation: MountedOperation<string>,
  { path, query: sentQuery, contentType, bytes }: RawRequest,
  validator: Pick<ContractValidator, "validateRequest">,
  profile: Profile,
  reader: RequestReader,
) {
  const parsed = bytes === undefined ? undefined : parseBody(bytes, operation, contentType, profile);
  const json = parsed === undefined ? undefined : reader.normalizeBody(parsed, operation);
  const body = json === undefined ? reader.emptyBody : toPlainParsedValue(json);
  const isValidated = operation.hasBody || operation.hasQuery;
  const query = sentQuery === "" ? noQuery : readQuery(sentQuery, operation, profile);
  if (isValidated) {
    const violations = validator.validateRequest(operation.routeId, { path, query, body });
    if (violations.length > 0) throw reader.createError(violations);
  }
  return { path, query, body, json, bodyBytes: bytes?.length ?? 0 };
}

/** Returns the query parameters by name. If a name occurs several times, the last value counts. */
function readQuery(
  query: string,
  { queryParameters }: MountedOperation<string>,
  profile: Profile,
): Record<string, string> {
  const parameters = Object.fromEntries(new URLSearchParams(query));
  if (profile["unknown-request-fields"] === "reject")
    for (const name of Object.keys(parameters))
      if (!queryParameters.includes(name))
        throw createValidationProblem({
          in: "query",
          pointer: appendPointer("", name),
          detail: "is not a known parameter",
        });
  return parameters;
}

const jsonType = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-?8"?\s*)?$/i;

/**
 * Reads a JSON body without loss, except for numbers if the profile says so (gap `number-precision`).
 *
 * @returns undefined for an empty body
 * @throws problems `unsupported-media-type`, `request-too-large`, `malformed-body`, `validation-failed`
 */
function parseBody(
  bytes: Uint8Array,
  { errorBody }: MountedOperation<string>,
  contentType: string | undefined,
  profile: Profile,
): JsonValue | undefined {
  if (bytes.length === 0) return undefined;
  if (profile["content-type"] === "refuse" && (contentType === undefined || !jsonType.test(contentType)))
    throw new Problem(
      "unsupported-media-type",
      `Send the body as JSON with \`Content-Type: application/json\`${contentType === undefined ? "" : `, not ${contentType}`}.`,
    );
  if (exceedsJsonValueCount(bytes, limits.jsonValues)) throw createValueCountProblem(limits.jsonValues);
  if (!isUtf8(bytes)) throw new Problem("malformed-body", "The body is not valid UTF-8 text.");
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
  try {
    return parseJson(text, {
      maxDepth: limits.jsonDepth,
      maxLosslessValues: limits.losslessJsonValues,
      // The SQL interface has number types of its own.
      numbers: errorBody === "sql" ? "exact" : profile["number-precision"],
    });
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    if (error.kind === "value-count")
      throw createValueCountProblem(
        limits.losslessJsonValues,
        " if it has numbers such as 1.50 or field names such as 1",
      );
    if (error.kind === "syntax")
      throw new Problem("malformed-body", `The body is not valid JSON: ${error.message}.`);
    throw createInvalidBodyProblem("", error.message);
  }
}

function createValueCountProblem(max: number, condition = ""): Problem {
  return new Problem(
    "request-too-large",
    `A request body can contain at most ${max} JSON values${condition}, including those in arrays and objects. ` +
      "Each field of an object counts as three values.",
  );
}
