import { withComparisonKind } from "./compare-kinds.js";
import type { SchemaObject } from "openapi3-ts/oas31";
import { limits } from "../clauses/limits.js";
import { ref } from "./ref.js";
import * as schema from "./schema-builders.js";

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
export const databaseSchemas: schema.SchemaGroup = (builder) => {
  const createdAt = builder.timestamp("Creation time.");
  const described = {
    databaseId: schema.identifier("Id of the database."),
    name: schema.text("equal", "Name."),
    region: schema.text("opaque", "Region code."),
  };
  return {
    DatabaseName: databaseNameSchema,
    CreateDatabaseRequest: builder.request("The database to create.", {
      name: ref("DatabaseName"),
      region: {
        type: "string",
        minLength: 1,
        description: "Region code.",
      },
      "settings?": schema.describedRef("JsonObject", "Arbitrary configuration, returned as it was given."),
    }),
    DatabaseCreated: builder.response("The new database.", {
      ...described,
      status: {
        ...schema.constant("Creating"),
        description: "Always `Creating`. The database can be used when its status is `Active`.",
      },
      createdAt,
    }),
    Database: builder.response("A database of an organization.", {
      ...described,
      status: schema.choice(
        "lagging",
        databaseStatuses,
        "`Creating`: being provisioned. `Active`: ready for use. `Inactive`: paused. `Maintenance`: undergoing maintenance. " +
          "`Deleting`: being deleted. `Error`: an error occurred. `BackingUp`: a backup is in progress. `Restoring`: a restore is " +
          "in progress.",
      ),
      createdAt,
      updatedAt: builder.timestamp("Time of the last change."),
      settings: withComparisonKind("data", {
        type: ["object", "null"],
        additionalProperties: true,
        description: "The settings given at creation.",
      }),
      usage: ref("UsageMetrics"),
    }),
    DatabasePage: builder.response("A page of databases.", {
      databases: schema.array("unordered", "Database", "The databases, oldest first."),
      nextCursor: schema.nextCursor,
    }),
    UsageMetrics: builder.response("Size of the database's contents, and usage since its creation.", {
      itemCount: schema.count(
        "lagging",
        builder.isStrict
          ? "Number of raw items."
          : "Number of raw items and of anything else that the service counts as an item.",
      ),
      storageBytes: schema.count(
        "lagging",
        "Size of all items in UTF-8 bytes: compact JSON of the data, plus the keys.",
        { format: "int64" },
      ),
      readUnitsConsumed: schema.count(
        "lagging",
        "Read units: one for every 4,096 bytes of items that a request reads, rounded up, and at least one per request.",
        { format: "int64" },
      ),
      writeUnitsConsumed: schema.count(
        "lagging",
        "Write units: one for every 1,024 bytes of an item that is written or deleted, rounded up.",
        { format: "int64" },
      ),
      lastUpdated: withComparisonKind(
        "present",
        builder.timestamp("Time of the last change to any of the usage figures."),
      ),
    }),
  };
};
