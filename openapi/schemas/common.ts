import { compared } from "./compare-kinds.js";
import type { SchemaObject } from "openapi3-ts/oas31";
import { type Strictness, strictAnswer } from "../gaps/strictness.js";
import { chosenLimits, limits } from "../clauses/limits.js";
import { ref } from "./ref.js";
import { answerObject, type SchemaGroup } from "./schema-builders.js";

/** The bounds of the `limit` of a page, as far as the profile refuses what is beyond them. */
export function pageLimitBounds(strictness: Strictness): { minimum?: number; maximum?: number } {
  const largest = strictAnswer(strictness, "page-limit-max");
  return {
    ...(strictness.kind === "strict" ? { minimum: 1 } : {}),
    ...(largest !== undefined && strictAnswer(strictness, "page-limit-over") === "reject"
      ? { maximum: largest }
      : {}),
  };
}

/** The `limit` of a page: a whole number from 1 to the profile's largest. */
export function pageLimit(strictness: Strictness): SchemaObject {
  const largest = strictAnswer(strictness, "page-limit-max");
  const rejects = strictAnswer(strictness, "page-limit-over") === "reject";
  return {
    type: "integer",
    ...pageLimitBounds(strictness),
    default: limits.defaultPageSize,
    description:
      largest === undefined
        ? "Largest number of entries on the page."
        : `Largest number of entries on the page; ${rejects ? `${largest} at most` : `above ${largest} it counts as ${largest}`}.`,
    "x-gap": ["page-limit-max", "page-limit-over"],
  };
}

/** The cursor of a page. */
export function cursor(strictness: Strictness, description: string): SchemaObject {
  return {
    type: "string",
    ...(strictness.kind === "strict" ? { minLength: 1 } : {}),
    description,
  };
}

/** An email address in a request. */
export function email(strictness: Strictness, description: string): SchemaObject {
  return {
    type: "string",
    description,
    minLength: 1,
    maxLength: chosenLimits.emailLength,
    ...(strictness.kind === "strict" ? { pattern: "^[^\\s@]+@[^\\s@]+$" } : {}),
  };
}

/** Schemas that no single resource owns. */
export const commonSchemas: SchemaGroup = (strictness) => ({
  JsonObject: compared("data", {
    type: "object",
    additionalProperties: true,
    description: "Any JSON object. It comes back exactly as it was sent, white space and escapes aside.",
  }),
  PageCursor: cursor(strictness, "`nextCursor` of the page before."),
  PageLimit: pageLimit(strictness),
  Problem: answerObject(
    strictness,
    {
      type: compared("present", {
        type: "string",
        format: "uri",
        description: "URL that names the kind of problem.",
      }),
      title: compared("present", { type: "string", description: "The kind of problem in words." }),
      status: compared("equal", { type: "integer", description: "The HTTP status." }),
      detail: compared("present", {
        type: "string",
        description: "What was wrong with this request, and what to do about it.",
      }),
      errors: {
        type: "array",
        "x-compare": "present",
        description: "Every place that was wrong, for requests that are not valid.",
        items: ref("Violation"),
        "x-gap": "error-body",
      },
    },
    { description: "A problem body as of RFC 9457.", optional: ["errors"] },
  ),
  Violation: answerObject(strictness, {
    in: { type: "string", enum: ["body", "query", "path"], description: "The part of the request." },
    pointer: { type: "string", description: "JSON pointer to the place; `/name` for a parameter." },
    detail: { type: "string", description: "What is wrong there." },
  }),
  ErrorMessage: answerObject(
    strictness,
    {
      error: compared("present", { type: "string", description: "The kind of error." }),
      message: compared("present", { type: "string", description: "What was wrong." }),
    },
    { description: "The error body of profiles with `error-body: error-message`." },
  ),
});
