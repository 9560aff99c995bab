import { withComparisonKind } from "./compare-kinds.js";
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
  description: "Name with 3 to 63 characters: a-z, 0-9 and hyphens, starting with a letter.",
};

/** Databases and their usage (parts 2, 3 and 4.5). */
export const databaseSchemas: SchemaGroup = (strictness) => {
  const regions = getStrictAnswer(strictness, "region-list");
  const described = {
    databaseId: identifierSchema("Id of the database."),
    name: withComparisonKind("equal", { type: "string" }),
    region: withComparisonKind("opaque", { type: "string", description: "Region code." }),
    status: withComparisonKind("lagging", { type: "string", enum: [...databaseStatuses] }),
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
        settings: { ...ref("JsonObject"), description: "Arbitrary configuration, returned as it was given." },
      },
      { optional: ["settings"] },
    ),
    DatabaseCreated: responseObjectSchema(strictness, {
      ...described,
      status: withComparisonKind("equal", { type: "string", const: "Creating" }),
    }),
    Database: responseObjectSchema(strictness, {
      ...described,
      updatedAt: timestampSchema(strictness),
      settings: {
        type: ["object", "null"],
        additionalProperties: true,
        "x-compare": "data",
        description: "The settings given at creation.",
      },
      usage: ref("UsageMetrics"),
    }),
    DatabasePage: responseObjectSchema(strictness, {
      databases: arraySchema("unordered", "Database", "The databases, oldest first."),
      nextCursor: nextCursorSchema,
    }),
    UsageMetrics: responseObjectSchema(
      strictness,
      {
        itemCount: countSchema(
          "lagging",
          strictness.kind === "strict"
            ? "Number of raw items."
            : "Number of items, including anything else that the service counts as an item.",
        ),
        storageBytes: countSchema(
          "lagging",
          "Size of all items in UTF-8 bytes: compact JSON of the data, plus the keys.",
          {
            format: "int64",
          },
        ),
        readUnitsConsumed: countSchema(
          "lagging",
          "Read units: one for every 4,096 bytes of items that a request reads, rounded up, and at least one per request.",
          { format: "int64" },
        ),
        writeUnitsConsumed: countSchema(
          "lagging",
          "Write units: one for every 1,024 bytes of an item that is written or deleted, rounded up.",
          { format: "int64" },
        ),
        lastUpdated: withComparisonKind(
          "present",
          timestampSchema(strictness, "Time of the last change to any of the usage figures."),
        ),
      },
      { description: "Size of the contents of the database, and usage since the database was created." },
    ),
  };
};
