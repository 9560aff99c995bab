import { defineClauses } from "./clause.js";

/** Parts 2, 3, 4.5 and 8: databases and their management. */
export const databaseClauses = defineClauses({
  "4.5": {
    "DB-01":
      "A create request with a valid name and region returns 201 with databaseId, name, region, status and createdAt.",
    "DB-06": "A create request without `name` or without `region` is rejected.",
    "DB-09": "List returns the databases of the authenticated organization and no others.",
    "DB-10": "List has the parameters `limit` and `cursor`, and returns at most `limit` databases per page.",
    "DB-11": "Get returns the database with the fields it was created with.",
    "DB-12":
      "Delete returns 204 with an empty body; the database and its data are removed, either immediately or after a period in which the database has the status Deleting.",
  },
  "3": {
    "DB-02": "When a database is created, its status in the response is Creating.",
    "DB-13":
      "A database's status is one of Creating, Active, Inactive, Maintenance, Deleting, Error, BackingUp and Restoring.",
  },
  "2": {
    "DB-03": "When a database is created, the response has no updatedAt.",
    "DB-04": "A database name has 3 to 63 characters; shorter and longer names are rejected.",
    "DB-05":
      "A database name consists of a-z, 0-9 and hyphens and starts with a letter; other names are rejected.",
    "DB-07":
      "Get and list return databaseId, name, region, status, createdAt, updatedAt, settings and usage.",
    "DB-08": "Usage has itemCount, storageBytes, readUnitsConsumed, writeUnitsConsumed and lastUpdated.",
    "DB-15": "`settings` is optional when a database is created; in a response, it is an object or null.",
    "DB-16": "usage.itemCount is the number of items in the database.",
  },
  "8": {
    "DB-14":
      "An organization can have as many databases as both its plan and its settings allow, but no more.",
    "DB-17": "An organization can store as much data as its plan allows.",
  },
});
