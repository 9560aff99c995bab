import { withComparisonKind } from "./compare-kinds.js";
import type { SchemaObject } from "openapi3-ts/oas31";
import { emulatorDefinedLimits } from "../clauses/limits.js";
import { ref } from "./ref.js";
import { databaseNameSchema } from "./databases.js";
import * as schema from "./schema-builders.js";

/** The types of a field in a repository schema (part 2). */
export const fieldTypes = ["string", "number", "boolean", "array", "object"] as const;
export type FieldType = (typeof fieldTypes)[number];

/** Repositories and their schemas (parts 2 and 4.4). */
export const repositorySchemas: schema.SchemaGroup = (builder) => {
  const strict = builder.isStrict;
  const described = {
    repositoryId: schema.identifier("Id of the repository."),
    databaseId: schema.identifier("Id of the repository's database."),
    name: schema.text("equal", "Name."),
    entityName: schema.text("equal", "Name of the entity type."),
    createdAt: builder.timestamp("Creation time."),
  };
  const form = builder.answer("repository-name-form");
  const { minimum: minLength, maximum: maxLength } = emulatorDefinedLimits.repositoryNameLength;
  const anyName: SchemaObject = { type: "string", ...(strict ? { minLength, maxLength } : {}) };
  return {
    ...definitionSchemas(builder, ""),
    // null is possible for keys in requests, but not in responses
    ...(builder.acceptsNulls ? definitionSchemas(builder, "Input") : {}),
    CreateRepositoryRequest: builder.request("The repository to create.", {
      name: {
        ...(form === "as-databases" ? databaseNameSchema : anyName),
        description: "Name of the repository, unique in the database.",
        "x-gap": "repository-name-form",
      },
      entityName: {
        ...anyName,
        ...(form === "as-databases" ? { pattern: "^[A-Za-z][A-Za-z0-9_-]*$" } : {}),
        description: "Name of the entity type.",
        "x-gap": "repository-name-form",
      },
      "schema?": ref(`RepositorySchema${builder.acceptsNulls ? "Input" : ""}`),
    }),
    RepositoryCreated: builder.response("The new repository.", described),
    Repository: builder.response("A typed collection of entities in a database.", {
      ...described,
      status: schema.text(
        "equal",
        "`Active`: the repository can be used.",
        strict ? { const: "Active" } : {},
      ),
      schema: withComparisonKind("data", {
        ...(strict ? ref("RepositorySchema") : { type: "object" }),
        description: "The schema given at creation, or `{}` if none was given.",
      }),
      itemCount: schema.count("lagging", "Number of entities."),
      updatedAt: builder.timestamp("Time of the last change to the repository or any of its entities."),
    }),
    RepositoryPage: builder.response("A page of repositories.", {
      repositories: schema.array("unordered", "Repository", "The repositories, oldest first."),
      nextCursor: schema.nextCursor,
    }),
  };
};

/** The component schemas of a repository schema and of a field definition, with a suffix for their names. */
function definitionSchemas(
  builder: schema.SchemaBuilder,
  suffix: "" | "Input",
): Readonly<Record<string, SchemaObject>> {
  const fields = fieldDefinitionFields(suffix);
  return {
    [`RepositorySchema${suffix}`]: {
      type: "object",
      additionalProperties: ref(`FieldDefinition${suffix}`),
      description:
        "An object that maps field names to definitions. An empty schema allows any data. " +
        "`__proto__`, `constructor` and `prototype` are not allowed as field names.",
    },
    [`FieldDefinition${suffix}`]: builder.response(
      "Definition of a field. Each field other than `type`, `required` and `default` applies to only one type.",
      suffix === "" ? fields : schema.makeOptionalFieldsNullable(fields),
      suffix === "" ? {} : { "x-gap": "null-optional-fields" },
    ),
  };
}

function fieldDefinitionFields(suffix: "" | "Input"): schema.Properties {
  const length = (description: string): SchemaObject => ({ type: "integer", minimum: 0, description });
  return {
    type: { type: "string", enum: [...fieldTypes], description: "JSON type of the values." },
    ...schema.makeOptional({
      required: {
        type: "boolean",
        default: false,
        description: "Whether every entity must have the field.",
      },
      default: {
        description: "Value for entities without the field. The value must match the definition.",
      },
      minLength: length("Minimum number of characters in a string."),
      maxLength: length("Maximum number of characters in a string."),
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
        description: "Definition of each array element.",
      },
      minItems: length("Minimum number of elements in an array."),
      maxItems: length("Maximum number of elements in an array."),
      properties: {
        allOf: [ref(`RepositorySchema${suffix}`)],
        description: "Definitions of an object's fields.",
      },
    }),
  };
}
