import type { ParameterObject } from "openapi3-ts/oas31";
import type { Strictness } from "../gaps/strictness.js";
import { SchemaBuilder } from "../schemas/schema-builders.js";
import { buildCursorSchema, buildPageLimitSchema } from "../schemas/shared-schemas.js";

/** Describes paging, for the operations that have pages. */
export const pagingDescription =
  "To get the next page, pass the current page's `nextCursor` as `cursor` and leave the rest of the request unchanged. `nextCursor` is " +
  "null on the last page. `limit` defaults to 20.";

/** An optional parameter of the query. */
export function buildQueryParameter(
  name: string,
  schema: ParameterObject["schema"] & object,
  description: string,
): ParameterObject {
  return { name, in: "query", required: false, description, schema };
}

/** The query parameters of paginated lists. */
export function buildPageParameters(strictness: Strictness): readonly ParameterObject[] {
  const builder = new SchemaBuilder(strictness);
  const first = "Omit it to get the first page.";
  return [
    buildQueryParameter("limit", buildPageLimitSchema(builder), "Maximum number of entries on the page."),
    buildQueryParameter(
      "cursor",
      buildCursorSchema(builder, first),
      `\`nextCursor\` of the previous page. ${first}`,
    ),
  ];
}
