import type { Profile } from "../../openapi/gaps/profile.js";
import { pointerTo } from "../../openapi/validation/json-pointer.js";
import type { ContractValidator, Violation } from "../../openapi/validation/validate.js";
import { invalid } from "../domain/problem.js";
import type { JsonValue } from "../json/json-value.js";
import { textToPlain } from "../json/to-plain.js";
import type { RoutedRequest } from "./dispatch.js";
import type { MountedOperation } from "./mounted-operation.js";
import { readBody } from "./read-body.js";

/** What an interface makes of its requests; the steps are the same for all. */
export interface Reading {
  /** The body as handlers see it. */
  readonly given: (json: JsonValue, operation: MountedOperation, profile: Profile) => JsonValue;
  /** What a body that was left out stands for. */
  readonly noBody: unknown;
  /** What is thrown for a request that does not fit the contract. */
  readonly refused: (
    violations: readonly Violation[],
    operation: MountedOperation,
    json: JsonValue | undefined,
    profile: Profile,
  ) => Error;
}

const noQuery: Readonly<Record<string, string>> = {};

/**
 * Reads path, query and body of a request, and holds them against the document.
 *
 * @throws problems `unsupported-media-type`, `malformed-body`, `validation-failed`, and what `refused` makes
 */
export function readRequest(
  operation: MountedOperation,
  { incoming, target, path }: RoutedRequest,
  bytes: Uint8Array | undefined,
  validator: Pick<ContractValidator, "request">,
  profile: Profile,
  reading: Reading,
) {
  const read = bytes === undefined ? undefined : readBody(bytes, incoming.header("content-type"), profile);
  const json = read === undefined ? undefined : reading.given(read, operation, profile);
  const body = json === undefined ? reading.noBody : textToPlain(json);
  const query =
    operation.takesQuery && target.query !== "" ? readQuery(target.query, operation, profile) : noQuery;
  if (operation.takesBody || operation.takesQuery) {
    const violations = validator.request(operation.operationId, { path, query, body });
    if (violations.length > 0) throw reading.refused(violations, operation, json, profile);
  }
  return { path, query, body, json, bodyBytes: bytes?.length ?? 0, bytes };
}

/** The query by the names of its parameters (gaps `unknown-query-parameters` and `repeated-query-parameter`). */
function readQuery(
  query: string,
  { queryParameters }: MountedOperation,
  profile: Profile,
): Record<string, string> {
  const given = [...new URLSearchParams(query)];
  const refused = (name: string, detail: string) =>
    invalid({ in: "query", pointer: pointerTo("", name), detail });
  const repeated = profile["repeated-query-parameter"];
  const seen = new Set<string>();
  for (const [name] of given) {
    if (profile["unknown-query-parameters"] === "reject" && !queryParameters.includes(name))
      throw refused(name, "is not known here");
    if (repeated === "reject" && seen.has(name)) throw refused(name, "is there twice");
    seen.add(name);
  }
  return Object.fromEntries(repeated === "first" ? given.toReversed() : given);
}
