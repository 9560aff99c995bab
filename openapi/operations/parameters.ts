import type { ParameterObject } from "openapi3-ts/oas31";
import type { Strictness } from "../gaps/strictness.js";
import { buildCursorSchema, buildPageLimitSchema } from "../schemas/shared-schemas.js";

/** Describes paging, for the operations that have pages. */
export const pagingDescription =
  "To get the next page, pass `nextCursor` of the current page as `cursor` and leave the rest of the request unchanged. `nextCursor` is " +
  "null on the last page. `limit` defaults to 20.";

/** The `limit` query parameter of paginated lists. */
export function buildLimitParameter(strictness: Strictness): ParameterObject {
  return {
    name: "limit",
    in: "query",
    required: false,
    description: "Maximum number of entries on the page.",
    schema: buildPageLimitSchema(strictness),
  };
}

/** The `cursor` query parameter of paginated lists. */
export function buildCursorParameter(strictness: Strictness): ParameterObject {
  return {
    name: "cursor",
    in: "query",
    required: false,
    description: "`nextCursor` of the previous page. Omit it to get the first page.",
    schema: buildCursorSchema(strictness, "Omit it to get the first page."),
  };
}
