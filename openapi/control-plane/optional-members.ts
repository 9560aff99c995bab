import type { SchemaObject } from "openapi3-ts/oas31";
import type { Strictness } from "../gaps/strictness.js";
import { type Properties, requestObject } from "../schemas/schema-builders.js";

/** The schema of an object in a request whose members may all be left out. */
export function optionalMembers(
  strictness: Strictness,
  properties: Properties,
  { description, ...limits }: Pick<SchemaObject, "description" | "minProperties"> = {},
): SchemaObject {
  const options = {
    optional: Object.keys(properties),
    ...(description === undefined ? {} : { description }),
  };
  return { ...requestObject(strictness, properties, options), ...limits };
}
