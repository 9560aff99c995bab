import { withComparisonKind } from "./compare-kinds.js";
import type { SchemaObject } from "openapi3-ts/oas31";
import { emulatorDefinedLimits, limits } from "../clauses/limits.js";
import * as schema from "./schema-builders.js";

/** The `limit` of a page: a whole number from 1 to the maximum of the profile. */
export function buildPageLimitSchema(builder: schema.SchemaBuilder): SchemaObject {
  const largest = builder.answer("page-limit-max");
  const rejects = builder.answer("page-limit-over") === "reject";
  return {
    type: "integer",
    ...(builder.isStrict ? { minimum: 1 } : {}),
    ...(largest !== undefined && rejects ? { maximum: largest } : {}),
    default: limits.defaultPageSize,
    description:
      largest === undefined
        ? "Maximum number of entries on the page."
        : `Maximum number of entries on the page. ${rejects ? `The value must not exceed ${largest}.` : `Larger values are treated as ${largest}.`}`,
    "x-gap": ["page-limit-max", "page-limit-over"],
  };
}

/** The cursor of a page. */
export function buildCursorSchema({ isStrict }: schema.SchemaBuilder, description: string): SchemaObject {
  return { type: "string", ...(isStrict ? { minLength: 1 } : {}), description };
}

/** An email address in a request. */
export function buildEmailSchema({ isStrict }: schema.SchemaBuilder, description: string): SchemaObject {
  return {
    type: "string",
    description,
    minLength: 1,
    maxLength: emulatorDefinedLimits.emailLength,
    ...(isStrict ? { pattern: "^[^\\s@]+@[^\\s@]+$" } : {}),
  };
}

/** Schemas that do not belong to a single resource. */
export const sharedSchemas: schema.SchemaGroup = (builder) => ({
  JsonObject: withComparisonKind(
    "data",
    schema.freeObject(
      "Any JSON object, returned exactly as it was sent, except for white space and escapes.",
    ),
  ),
  PageCursor: buildCursorSchema(builder, "`nextCursor` of the previous page."),
  PageLimit: buildPageLimitSchema(builder),
  Problem: builder.response("A problem body as defined by RFC 9457.", {
    type: schema.text("present", "URL that identifies the kind of problem.", { format: "uri" }),
    title: schema.text("present", "The kind of problem in words."),
    status: withComparisonKind("equal", { type: "integer", description: "The HTTP status." }),
    detail: schema.text("present", "What was wrong with this request, and what to do about it."),
    "errors?": schema.array("present", "Violation", "All mistakes in an invalid request.", {
      "x-gap": "error-body",
    }),
  }),
  Violation: builder.response("A mistake in a request.", {
    in: { type: "string", enum: ["body", "query", "path"], description: "Part of the request." },
    pointer: { type: "string", description: "JSON pointer to the mistake, or `/name` for a parameter." },
    detail: { type: "string", description: "Description of the mistake." },
  }),
  ErrorMessage: builder.response("The error body of profiles with `error-body: error-message`.", {
    error: schema.text("present", "The kind of error."),
    message: schema.text("present", "What was wrong with the request."),
  }),
});
