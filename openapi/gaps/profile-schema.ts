import type { SchemaObject } from "openapi3-ts/oas31";
import { profileOriginField, profileOriginSchema } from "./profile-origin.js";
import { getDefaultAnswer, gapIds, getGap } from "./register.js";
import { buildRoutePattern } from "./gap.js";

/** The JSON Schema of a profile file, published for editors. */
export function buildProfileSchema(): SchemaObject & { $schema: string } {
  const properties: Record<string, SchemaObject> = {
    $schema: { type: "string" },
    [profileOriginField]: profileOriginSchema,
  };
  for (const id of gapIds) {
    const { question, note, choices, range, list, anyRefusal, route, name } = getGap(id);
    const forms: SchemaObject[] = [];
    if (choices.length > 0) forms.push({ enum: [...choices] });
    const pattern = route ? buildRoutePattern(route) : name?.pattern;
    if (pattern !== undefined) forms.push({ type: "string", pattern });
    if (anyRefusal) forms.push({ type: "integer", minimum: 400, maximum: 499 });
    if (range) forms.push({ type: "integer", minimum: range.minimum, maximum: range.maximum });
    if (list)
      forms.push({
        type: "array",
        items: { type: "string", ...(list.pattern === undefined ? {} : { pattern: list.pattern }) },
      });
    properties[id] = {
      description: note === undefined ? question : `${question} ${note}`,
      default: getDefaultAnswer(id),
      ...(forms.length === 1 ? forms[0] : { anyOf: forms }),
    };
  }
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Profile of a data service",
    description: "Answers to the gaps in the specification. Omitted gaps get their default answers.",
    type: "object",
    properties,
    additionalProperties: false,
  };
}
