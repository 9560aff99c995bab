import { compareAs } from "./compare-kinds.js";
import type { SchemaObject } from "openapi3-ts/oas31";
import { getStrictAnswer } from "../gaps/strictness.js";
import { limits } from "../clauses/limits.js";
import { ref } from "./ref.js";
import {
  responseObjectSchema,
  identifierSchema,
  nextCursorSchema,
  type Properties,
  requestObjectSchema,
  type SchemaGroup,
  timestampSchema,
  countSchema,
  arraySchema,
} from "./schema-builders.js";

/** The states of part 3. */
export const databaseStatuses = [
  "Creating",
  "Active",
  "Inactive",
  "Maintenance",
  "Deleting",
  "Error",
  "BackingUp",
  "Restoring",
] as const;
export type DatabaseStatus = (typeof databaseStatuses)[number];

/** The name of a database (part 2). */
export const databaseNameSchema: SchemaObject = {
  type: "string",
  minLength: limits.databaseNameLength.minimum,
  maxLength: limits.databaseNameLength.maximum,
  pattern: "^[a-z][a-z0-9-]*$",
  description: "3 to 63 characters of a-z, 0-9 and hyphen; the first is a letter.",
};

/** Databases and their usage (parts 2, 3 and 4.5). */
export const databaseSchemas: SchemaGroup = (strictness) => {
  const regions = getStrictAnswer(strictness, "region-list");
  const described = {
    databaseId: identifierSchema("The database."),
    name: compareAs("equal", { type: "string" }),
    region: compareAs("opaque", { type: "string", description: "Region code." }),
    status: compareAs("lagging", { type: "string", enum: [...databaseStatuses] }),
    createdAt: timestampSchema(strictness),
  } satisfies Properties;
  return {
    DatabaseName: databaseNameSchema,
    CreateDatabaseRequest: requestObjectSchema(
      strictness,
      {
        name: ref("DatabaseName"),
        region: {
          type: "string",
          minLength: 1,
          description: "Region code.",
          ...(Array.isArray(regions) ? { enum: [...(regions as readonly string[])] } : {}),
          "x-gap": "region-list",
        },
        settings: { ...ref("JsonObject"), description: "Free configuration, returned as it was given." },
      },
      { optional: ["settings"] },
    ),
    DatabaseCreated: responseObjectSchema(strictness, {
      ...described,
      status: compareAs("equal", { type: "string", const: "Creating" }),
    }),
    Database: responseObjectSchema(strictness, {
      ...described,
      updatedAt: timestampSchema(strictness),
      settings: {
        type: ["object", "null"],
        additionalProperties: true,
        "x-compare": "data",
        description: "What was given at creation.",
      },
      usage: ref("UsageMetrics"),
    }),
    DatabasePage: responseObjectSchema(strictness, {
      databases: arraySchema("unordered", "Database", "Oldest first."),
      nextCursor: nextCursorSchema,
    }),
    UsageMetrics: responseObjectSchema(
      strictness,
      {
        itemCount: countSchema(
          "lagging",
          strictness.kind === "strict"
            ? "Number of raw items."
            : "Number of items, and of what else the service counts as such.",
        ),
        storageBytes: countSchema(
          "lagging",
          "UTF-8 bytes of all items: compact JSON of the data, plus the keys.",
          {
            format: "int64",
          },
        ),
        readUnitsConsumed: countSchema(
          "lagging",
          "One unit for every started 4,096 bytes of items that a request read, at least one a request.",
          { format: "int64" },
        ),
        writeUnitsConsumed: countSchema(
          "lagging",
          "One unit for every started 1,024 bytes of an item that was written or deleted.",
          { format: "int64" },
        ),
        lastUpdated: compareAs(
          "present",
          timestampSchema(strictness, "When one of the figures changed last."),
        ),
      },
      { description: "What the database holds and has used since it was created." },
    ),
  };
};
