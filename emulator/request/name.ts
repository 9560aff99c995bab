import { namePattern } from "../../openapi/clauses/limits.js";
import { Problem } from "../domain/problem.js";

/** The name of the namespace at the base URL. */
export const defaultNamespace = "default";

/**
 * Reads the name of a namespace or snapshot.
 *
 * @throws a problem `malformed-request` for an invalid name
 */
export function parseName(name: string, of: "namespace" | "snapshot"): string {
  if (!isValidName(name)) throw new Problem("malformed-request", `The name of a ${of} ${nameRuleText}.`);
  return name;
}

const wholeName = new RegExp(`^${namePattern}$`);

export function isValidName(name: unknown): boolean {
  return typeof name === "string" && wholeName.test(name);
}

/** Completes "The name …". */
export const nameRuleText =
  "must consist of 1 to 64 letters, digits, dots, hyphens and underscores, and must begin with a letter or digit";
