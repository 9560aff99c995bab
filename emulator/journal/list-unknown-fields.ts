import type { Profile } from "../../openapi/gaps/profile.js";
import { memoize } from "../../openapi/text/memoize.js";
import { tryTo } from "../../openapi/text/try-to.js";
import { getContract } from "../request/get-contract.js";
import { listMountedOperations } from "../request/mounted-operation.js";
import type { RecordedExchange } from "./recorded-exchange.js";

/**
 * Lists the unknown fields and parameters of a request that the profile ignores (gap `unknown-request-members`): pointers
 * into the body, and `?name` for parameters. Usually a name is misspelt.
 */
export function listUnknownFields(exchange: RecordedExchange): readonly string[] {
  const { operationId, path, requestBody, profile, status } = exchange;
  // a refusal already reports its mistakes
  if (operationId === undefined || status === 0 || status >= 400) return [];
  // compiling a contract takes long
  if (requestBody === null && !path.includes("?")) return [];
  const { validator, queryParameters } = getStrictContract(profile);
  const known = queryParameters.get(operationId);
  if (known === undefined) return [];
  const mark = path.indexOf("?");
  const given = mark < 0 ? [] : [...new Set(new URLSearchParams(path.slice(mark + 1)).keys())];
  const parameters = given.filter((name) => !known.includes(name)).map((name) => `?${name}`);
  // a longer body is not searched
  const body = requestBody === null || requestBody.isCut ? null : requestBody.toString();
  // what is rejected is not ignored; the rest is ignored under every profile
  if (profile["unknown-request-members"] === "reject")
    return known.length === 0 && body === null ? parameters : [];
  const read = body === null ? undefined : tryTo(() => JSON.parse(body) as unknown);
  if (read === undefined) return parameters;
  const violations = validator.validateRequest(operationId, { path: {}, query: {}, body: read });
  const members = violations.filter(
    ({ in: part, keyword }) =>
      part === "body" && (keyword === "additionalProperties" || keyword === "unevaluatedProperties"),
  );
  return [...parameters, ...new Set(members.map(({ pointer }) => pointer))];
}

/** For each profile in use, a contract that refuses unknown fields. */
const getStrictContract = memoize((profile: Profile) => {
  const { requests, validator } = getContract({ ...profile, "unknown-request-members": "reject" });
  const parameters = listMountedOperations(requests).map(
    ({ routeId, queryParameters }) => [routeId, queryParameters] as const,
  );
  return { validator, queryParameters: new Map(parameters) };
}, new WeakMap());
