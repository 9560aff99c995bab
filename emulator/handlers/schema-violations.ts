import type { Profile } from "../../openapi/gaps/profile.js";
import type { Violation } from "../../openapi/validation/violation.js";
import type { JsonValue } from "../json/json-value.js";
import { checkRepositorySchema } from "../repositories/check-repository-schema.js";
import { getBodyField } from "./body-field.js";

/** Finds all mistakes in the `schema` of a request that creates a repository. */
export function findSchemaViolations(json: JsonValue | undefined, profile: Profile): readonly Violation[] {
  const given = getBodyField(json, "schema");
  if (given === undefined) return [];
  const checked = checkRepositorySchema(given, profile);
  return "mistakes" in checked ? checked.mistakes.map((mistake) => ({ in: "body", ...mistake })) : [];
}

/** Replaces violations in a repository schema with the results of its own checker, which are more precise and readable. */
export function refineSchemaViolations(
  operationId: string,
  violations: readonly Violation[],
  json: JsonValue | undefined,
  profile: Profile,
): readonly Violation[] {
  if (operationId !== "createRepository") return violations;
  const schemaViolations = findSchemaViolations(json, profile);
  if (schemaViolations.length === 0) return violations;
  return [...violations.filter(({ pointer }) => !/^\/schema(\/|$)/.test(pointer)), ...schemaViolations];
}
