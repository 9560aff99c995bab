import type { ParameterObject } from "openapi3-ts/oas31";
import type { Face } from "../gaps/face.js";
import { cursor, pageLimit } from "../schemas/common.js";

/** The `limit` query parameter of paginated lists. */
export function limitParameter(face: Face): ParameterObject {
  return {
    name: "limit",
    in: "query",
    required: false,
    description: "Size of the page.",
    schema: pageLimit(face),
  };
}

/** The `cursor` query parameter of paginated lists. */
export function cursorParameter(face: Face): ParameterObject {
  return {
    name: "cursor",
    in: "query",
    required: false,
    description: "`nextCursor` of the page before; the first page without it.",
    schema: cursor(face, "The first page without it."),
  };
}
