import { withComparisonKind } from "./compare-kinds.js";
import type { SchemaObject } from "openapi3-ts/oas31";
import { type Strictness, getStrictAnswer } from "../gaps/strictness.js";
import { emulatorDefinedLimits, limits } from "../clauses/limits.js";
import { responseObjectSchema, type SchemaGroup, arraySchema } from "./schema-builders.js";

/** The bounds of the `limit` of a page that the profile enforces. */
export function getPageLimitBounds(strictness: Strictness): { minimum?: number; maximum?: number } {
  const largest = getStrictAnswer(strictness, "page-limit-max");
  return {
    ...(strictness.kind === "strict" ? { minimum: 1 } : {}),
    ...(largest !== undefined && getStrictAnswer(strictness, "page-limit-over") === "reject"
      ? { maximum: largest }
      : {}),
  };
}

/** The `limit` of a page: a whole number from 1 to the maximum of the profile. */
export function buildPageLimitSchema(strictness: Strictness): SchemaObject {
  const largest = getStrictAnswer(strictness, "page-limit-max");
  const rejects = getStrictAnswer(strictness, "page-limit-over") === "reject";
  return {
    type: "integer",
    ...getPageLimitBounds(strictness),
    default: limits.defaultPageSize,
    description:
      largest === undefined
        ? "Maximum number of entries on the page."
        : `Maximum number of entries on the page. ${rejects ? `The value must not exceed ${largest}.` : `Greater values are treated as ${largest}.`}`,
    "x-gap": ["page-limit-max", "page-limit-over"],
  };
}

/** The cursor of a page. */
export function buildCursorSchema(strictness: Strictness, description: string): SchemaObject {
  return {
    type: "string",
    ...(strictness.kind === "strict" ? { minLength: 1 } : {}),
    description,
  };
}

/** An email address in a request. */
export function buildEmailSchema(strictness: Strictness, description: string): SchemaObject {
  return {
    type: "string",
    description,
    minLength: 1,
    maxLength: emulatorDefinedLimits.emailLength,
    ...(strictness.kind === "strict" ? { pattern: "^[^\\s@]+@[^\\s@]+$" } : {}),
  };
}

/** Schemas that do not belong to a single resource. */
export const sharedSchemas: SchemaGroup = (strictness) => ({
  JsonObject: withComparisonKind("data", {
    type: "object",
    additionalProperties: true,
    description: "Any JSON object, returned exactly as it was sent, except for white space and escapes.",
  }),
  PageCursor: buildCursorSchema(strictness, "`nextCursor` of the previous page."),
  PageLimit: buildPageLimitSchema(strictness),
  Problem: responseObjectSchema(
    strictness,
    {
      type: withComparisonKind("present", {
        type: "string",
        format: "uri",
        description: "URL that identifies the kind of problem.",
      }),
      title: withComparisonKind("present", { type: "string", description: "The kind of problem in words." }),
      status: withComparisonKind("equal", { type: "integer", description: "The HTTP status." }),
      detail: withComparisonKind("present", {
        type: "string",
        description: "What was wrong with this request, and what to do about it.",
      }),
      errors: arraySchema("present", "Violation", "All mistakes in an invalid request.", {
        "x-gap": "error-body",
      }),
    },
    { description: "A problem body as defined by RFC 9457.", optional: ["errors"] },
  ),
  Violation: responseObjectSchema(strictness, {
    in: { type: "string", enum: ["body", "query", "path"], description: "Part of the request." },
    pointer: { type: "string", description: "JSON pointer to the mistake, or `/name` for a parameter." },
    detail: { type: "string", description: "Description of the mistake." },
  }),
  ErrorMessage: responseObjectSchema(
    strictness,
    {
      error: withComparisonKind("present", { type: "string", description: "The kind of error." }),
      message: withComparisonKind("present", {
        type: "string",
        description: "What was wrong with the request.",
      }),
    },
    { description: "The error body of profiles with `error-body: error-message`." },
  ),
});
