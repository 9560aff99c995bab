import { defineClauses } from "./clause.js";

/** Parts 2, 3, 4.5 and 8: databases and their management. */
export const databaseClauses = defineClauses({
  "4.5": {
    "DB-01": "POST a valid name and region answers 201 with databaseId, name, region, status and createdAt.",
    "DB-06": "A create request without name or without region is refused.",
    "DB-09": "List returns the databases of the authenticated organization and no others.",
    "DB-10": "List takes `limit` and `cursor` and returns at most `limit` databases a page.",
    "DB-11": "Get returns the database with the fields it was created with.",
    "DB-12":
      "Delete answers 204 with an empty body; the database is gone, at once or after the status Deleting, and its data with it.",
  },
  "3": {
    "DB-02": "The create response carries status Creating.",
    "DB-13":
      "The status of a database is one of Creating, Active, Inactive, Maintenance, Deleting, Error, BackingUp and Restoring.",
  },
  "2": {
    "DB-03": "The answer that creates a database has no updatedAt.",
    "DB-04": "A name has 3 to 63 characters; shorter and longer ones are refused.",
    "DB-05": "A name consists of a-z, 0-9 and hyphens and starts with a letter; others are refused.",
    "DB-07":
      "Get and list answer databaseId, name, region, status, createdAt, updatedAt, settings and usage.",
    "DB-08": "Usage has itemCount, storageBytes, readUnitsConsumed, writeUnitsConsumed and lastUpdated.",
    "DB-15": "`settings` may be given at creation; it is an object or null.",
    "DB-16": "usage.itemCount counts the items of the database.",
  },
  "8": {
    "DB-14":
      "An organization can hold as many databases as its plan and its settings both allow, and no more.",
    "DB-17": "An organization can store as much as its plan allows.",
  },
});
