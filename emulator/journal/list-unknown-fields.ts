import type { Profile } from "../../openapi/gaps/profile.js";
import { memoize } from "../../openapi/text/memoize.js";
import { tryTo } from "../../openapi/text/try-to.js";
import { getContract } from "../request/get-contract.js";
import { listMountedOperations } from "../request/mounted-operation.js";
import type { RecordedExchange } from "./recorded-exchange.js";

/** In a body with so many fields, at any depth, unknown fields are not listed. */
const tooManyFields = 1000;

/**
 * Lists the unknown fields and query parameters that the service ignored (gap `unknown-request-fields`): JSON pointers
 * into the body, and `?name` for parameters. Usually, their names are misspelled.
 */
export const listUnknownFields = memoize((exchange: RecordedExchange): readonly string[] => {
  const { operationId, path, requestBody, profile, status } = exchange;
  // An error response already reports mistakes, and a strict profile rejects unknown fields.
  if (operationId === undefined || status === 0 || status >= 400) return [];
  if (profile["unknown-request-fields"] === "reject") return [];
  // Avoids compiling the contract.
  if (requestBody === null && !path.includes("?")) return [];
  const { validator, queryParameters } = getStrictContract(profile);
  const known = queryParameters.get(operationId);
  if (known === undefined) return [];
  const mark = path.indexOf("?");
  const given = mark < 0 ? [] : [...new Set(new URLSearchParams(path.slice(mark + 1)).keys())];
  const parameters = given.filter((name) => !known.includes(name)).map((name) => `?${name}`);
  // Ignores a body of which only the beginning was recorded.
  const body = requestBody === null || requestBody.isCut ? null : requestBody.toString();
  // Parsing a whole journal of such bodies would take too long.
  if (body === null || body.split(/"\s*:/, tooManyFields + 1).length > tooManyFields) return parameters;
  const json = tryTo(() => JSON.parse(body) as unknown);
  if (json === undefined) return parameters;
  const violations = validator.validateRequest(operationId, { path: {}, query: {}, body: json });
  const fields = violations.filter(
    ({ in: part, keyword }) =>
      part === "body" && (keyword === "additionalProperties" || keyword === "unevaluatedProperties"),
  );
  return [...parameters, ...new Set(fields.map(({ pointer }) => pointer))];
}, new WeakMap());

/** Returns the contract of a profile, changed so that it rejects unknown fields. */
const getStrictContract = memoize((profile: Profile) => {
  const { requests, validator } = getContract({ ...profile, "unknown-request-fields": "reject" });
  const parameters = listMountedOperations(requests).map(
    ({ routeId, queryParameters }) => [routeId, queryParameters] as const,
  );
  return { validator, queryParameters: new Map(parameters) };
}, new WeakMap());
