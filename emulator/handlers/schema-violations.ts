import type { Profile } from "../../openapi/gaps/profile.js";
import type { Violation } from "../../openapi/validation/violation.js";
import type { JsonValue } from "../json/json-value.js";
import { checkRepositorySchema } from "../repositories/check-repository-schema.js";
import { getBodyField } from "./body-field.js";

/** Everything that is wrong with the `schema` of a request that creates a repository. */
export function findSchemaViolations(json: JsonValue | undefined, profile: Profile): readonly Violation[] {
  const given = getBodyField(json, "schema");
  if (given === undefined) return [];
  const checked = checkRepositorySchema(given, profile);
  if (!("mistakes" in checked)) return [];
  return checked.mistakes.map((mistake) => ({ in: "body", ...mistake }));
}

/**
 * The violations of a request that the document's schemas refuse, in the words of who knows best: a repository
 * schema is explained by its own checker, which finds more than the document can say and says it for people.
 */
export function refineSchemaViolations(
  operationId: string,
  violations: readonly Violation[],
  json: JsonValue | undefined,
  profile: Profile,
): readonly Violation[] {
  if (operationId !== "createRepository") return violations;
  const explained = findSchemaViolations(json, profile);
  if (explained.length === 0) return violations;
  return [...violations.filter(({ pointer }) => !/^\/schema(\/|$)/.test(pointer)), ...explained];
}
