import { withComparisonKind } from "./compare-kinds.js";
import type { SchemaObject } from "openapi3-ts/oas31";
import { type Strictness, getStrictAnswer } from "../gaps/strictness.js";
import { emulatorDefinedLimits } from "../clauses/limits.js";
import { ref } from "./ref.js";
import { databaseNameSchema } from "./databases.js";
import {
  responseObjectSchema,
  identifierSchema,
  nextCursorSchema,
  type Properties,
  requestObjectSchema,
  type SchemaGroup,
  acceptsNulls,
  timestampSchema,
  makeOptionalPropertiesNullable,
  countSchema,
  arraySchema,
} from "./schema-builders.js";

/** The types of a field in a repository schema (part 2). */
export const fieldTypes = ["string", "number", "boolean", "array", "object"] as const;
export type FieldType = (typeof fieldTypes)[number];

/** Repositories and their schemas (parts 2 and 4.4). */
export const repositorySchemas: SchemaGroup = (strictness) => {
  const strict = strictness.kind === "strict";
  const described = {
    repositoryId: identifierSchema("Id of the repository."),
    databaseId: identifierSchema("Id of the database of the repository."),
    name: withComparisonKind("equal", { type: "string" }),
    entityName: withComparisonKind("equal", {
      type: "string",
      description: "Name of the type of the entities.",
    }),
    createdAt: timestampSchema(strictness),
  } satisfies Properties;
  const form = getStrictAnswer(strictness, "repository-name-form");
  const bounds = strict
    ? {
        minLength: emulatorDefinedLimits.repositoryNameLength.minimum,
        maxLength: emulatorDefinedLimits.repositoryNameLength.maximum,
      }
    : {};
  const name =
    form === "as-databases" ? databaseNameSchema : ({ type: "string", ...bounds } satisfies SchemaObject);
  const entityName: SchemaObject = {
    type: "string",
    ...bounds,
    ...(form === "as-databases" ? { pattern: "^[A-Za-z][A-Za-z0-9_-]*$" } : {}),
  };
  // null is possible for keys in requests, but not in responses
  const requestSuffix = acceptsNulls(strictness) ? "Input" : "";
  return {
    ...definitionSchemas(strictness, "", fieldDefinitionProperties("")),
    ...(acceptsNulls(strictness)
      ? definitionSchemas(strictness, "Input", nullableDefinitionProperties(strictness))
      : {}),
    CreateRepositoryRequest: requestObjectSchema(
      strictness,
      {
        name: {
          ...name,
          description: "Name of the repository, unique in the database.",
          "x-gap": "repository-name-form",
        },
        entityName: {
          ...entityName,
          description: "Name of the type of the entities.",
          "x-gap": "repository-name-form",
        },
        schema: ref(`RepositorySchema${requestSuffix}`),
      },
      { optional: ["schema"] },
    ),
    RepositoryCreated: responseObjectSchema(strictness, described),
    Repository: responseObjectSchema(strictness, {
      ...described,
      status: withComparisonKind("equal", { type: "string", ...(strict ? { const: "Active" } : {}) }),
      schema: {
        ...(strict ? ref("RepositorySchema") : { type: "object" }),
        "x-compare": "data",
        description: "The schema given at creation, or `{}` if none was given.",
      },
      itemCount: countSchema("lagging", "Number of entities."),
      updatedAt: timestampSchema(
        strictness,
        "Time of the last change to the repository or any of its entities.",
      ),
    }),
    RepositoryPage: responseObjectSchema(strictness, {
      repositories: arraySchema("unordered", "Repository", "The repositories, oldest first."),
      nextCursor: nextCursorSchema,
    }),
  };
};

const length: SchemaObject = { type: "integer", minimum: 0 };

/** The component schemas of a repository schema and of a field definition, with a suffix for their names. */
function definitionSchemas(
  strictness: Strictness,
  suffix: "" | "Input",
  properties: Properties,
): Readonly<Record<string, SchemaObject>> {
  return {
    [`RepositorySchema${suffix}`]: {
      type: "object",
      additionalProperties: ref(`FieldDefinition${suffix}`),
      description:
        "An object that maps field names to definitions. An empty schema allows any data. " +
        "`__proto__`, `constructor` and `prototype` are not allowed as field names.",
    },
    [`FieldDefinition${suffix}`]: {
      type: "object",
      description:
        "Definition of a field. Keys other than `type`, `required` and `default` each apply to one type only.",
      properties: { ...properties },
      required: ["type"],
      ...(strictness.kind === "strict" ? { additionalProperties: false } : {}),
      ...(suffix === "" ? {} : { "x-gap": "null-optional-members" }),
    },
  };
}

function nullableDefinitionProperties(strictness: Strictness): Properties {
  const { type, ...optional } = fieldDefinitionProperties("Input");
  return { type, ...makeOptionalPropertiesNullable(strictness, optional, Object.keys(optional)) };
}

const fieldDefinitionProperties = (suffix: "" | "Input") =>
  ({
    type: { type: "string", enum: [...fieldTypes] },
    required: { type: "boolean", default: false },
    default: {
      description: "Value for entities without the field. The value must match the definition.",
    },
    minLength: {
      ...length,
      description: "Minimum number of characters in a string.",
    },
    maxLength: {
      ...length,
      description: "Maximum number of characters in a string.",
    },
    pattern: {
      type: "string",
      maxLength: emulatorDefinedLimits.pattern.maximumLength,
      "x-gap": "pattern-match",
      description:
        "Regular expression that must match a string or a part of it. Look-around and back references are not " +
        "supported, so that matching takes linear time.",
    },
    min: { type: "number", description: "Minimum value of a number." },
    max: { type: "number", description: "Maximum value of a number." },
    // `allOf`, because Prism loses the keywords of a recursive reference next to a description
    items: {
      allOf: [ref(`FieldDefinition${suffix}`)],
      description: "Definition of each element of an array.",
    },
    minItems: { ...length, description: "Minimum number of elements in an array." },
    maxItems: { ...length, description: "Maximum number of elements in an array." },
    properties: {
      allOf: [ref(`RepositorySchema${suffix}`)],
      description: "Definitions of the fields of an object.",
    },
  }) satisfies Properties;
