import type { SchemaObject } from "openapi3-ts/oas31";
import { listAnswerForms } from "./gap.js";
import { profileOriginField, profileOriginSchema } from "./profile-origin.js";
import { getDefaultAnswer, gapIds, getGap } from "./register.js";

/** The JSON Schema of a profile file, published for editors. */
export function buildProfileSchema(): SchemaObject & { $schema: string } {
  const properties: Record<string, SchemaObject> = {
    $schema: { type: "string" },
    [profileOriginField]: profileOriginSchema,
  };
  for (const id of gapIds) {
    const gap = getGap(id);
    const { question, note, choices } = gap;
    const forms: SchemaObject[] = listAnswerForms(gap).map(({ schema }) => schema);
    if (choices.length > 0) forms.unshift({ enum: [...choices] });
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
