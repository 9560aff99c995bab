import type { Profile } from "../../openapi/gaps/profile.js";
import { tryTo } from "../../openapi/text/try-to.js";
import { listMountedOperations } from "./mounted-operation.js";
import { getContract } from "./get-contract.js";
import { memoize } from "../../openapi/text/memoize.js";

/**
 * Finds the unknown fields and parameters of a request that the profile ignores (gap
 * `unknown-request-members`): pointers into the body, and `?name` for parameters. Usually
 * a name is misspelt.
 *
 * @param body the body as it was sent; undefined if there was none
 */
export function findUnknownFields(
  {
    operationId,
    path,
    body,
  }: { readonly operationId: string; readonly path: string; readonly body: string | null },
  profile: Profile,
): readonly string[] {
  const { validator, queryParameters } = getStrictContract(profile);
  const known = queryParameters.get(operationId);
  if (known === undefined) return [];
  const mark = path.indexOf("?");
  const given = mark < 0 ? [] : [...new Set(new URLSearchParams(path.slice(mark + 1)).keys())];
  const parameters = given.filter((name) => !known.includes(name)).map((name) => `?${name}`);
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
