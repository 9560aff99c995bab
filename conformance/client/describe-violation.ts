import type { Violation } from "../../openapi/validation/violation.js";

/** Describes what was seen in a response that does not match the contract. */
export function describeViolation(
  status: number,
  { in: place, pointer, detail, keyword }: Violation,
): string {
  if (place === "status") return `status ${status}, which the contract does not allow`;
  // The pointer to a header is `/name`.
  const name = place === "header" ? pointer.slice(1) : pointer;
  if (keyword === "required")
    return `status ${status}, but the required ${place === "header" ? place : `${place} field`} ${name} is missing`;
  return `status ${status} with an invalid ${place}: ${`${name} ${detail}`.trimStart()}`;
}
