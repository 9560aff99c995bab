import type { ParameterObject } from "openapi3-ts/oas31";
import type { Strictness } from "../gaps/strictness.js";
import { cursorSchema, pageLimitSchema } from "../schemas/shared-schemas.js";

/** How the pages of an operation follow each other, for its description. */
export const pagingDescription =
  "Pass `nextCursor` of a page as `cursor` to get the next one, with the rest of the request unchanged; it is null on the " +
  "last page. `limit` is 20 when it is left out.";

/** The `limit` query parameter of paginated lists. */
export function buildLimitParameter(strictness: Strictness): ParameterObject {
  return {
    name: "limit",
    in: "query",
    required: false,
    description: "Size of the page.",
    schema: pageLimitSchema(strictness),
  };
}

/** The `cursor` query parameter of paginated lists. */
export function buildCursorParameter(strictness: Strictness): ParameterObject {
  return {
    name: "cursor",
    in: "query",
    required: false,
    description: "`nextCursor` of the page before; the first page without it.",
    schema: cursorSchema(strictness, "The first page without it."),
  };
}
