import { defineClauses } from "./clause.js";

/** Parts 2, 3, 4.5 and 8: databases and their management. */
export const databaseClauses = defineClauses({
  "DB-01": {
    part: "4.5",
    statement:
      "POST a valid name and region answers 201 with databaseId, name, region, status and createdAt.",
  },
  "DB-02": { part: "3", statement: "The create response carries status Creating." },
  "DB-03": { part: "2", statement: "The answer that creates a database has no updatedAt." },
  "DB-04": {
    part: "2",
    statement: "A name has 3 to 63 characters; shorter and longer ones are refused.",
  },
  "DB-05": {
    part: "2",
    statement: "A name consists of a-z, 0-9 and hyphens and starts with a letter; others are refused.",
  },
  "DB-06": { part: "4.5", statement: "A create request without name or without region is refused." },
  "DB-07": {
    part: "2",
    statement:
      "Get and list answer databaseId, name, region, status, createdAt, updatedAt, settings and usage.",
  },
  "DB-08": {
    part: "2",
    statement: "Usage has itemCount, storageBytes, readUnitsConsumed, writeUnitsConsumed and lastUpdated.",
  },
  "DB-09": {
    part: "4.5",
    statement: "List returns the databases of the authenticated organization and no others.",
  },
  "DB-10": {
    part: "4.5",
    statement: "List takes `limit` and `cursor` and returns at most `limit` databases a page.",
  },
  "DB-11": { part: "4.5", statement: "Get returns the database with the fields it was created with." },
  "DB-12": {
    part: "4.5",
    statement:
      "Delete answers 204 with an empty body; the database is gone, at once or after the status Deleting, and its data with it.",
  },
  "DB-13": {
    part: "3",
    statement:
      "The status of a database is one of Creating, Active, Inactive, Maintenance, Deleting, Error, BackingUp and Restoring.",
  },
  "DB-14": {
    part: "8",
    statement:
      "An organization can hold as many databases as its plan and its settings both allow, and no more.",
  },
  "DB-15": { part: "2", statement: "`settings` may be given at creation; it is an object or null." },
  "DB-16": { part: "2", statement: "usage.itemCount counts the items of the database." },
  "DB-17": {
    part: "8",
    statement: "An organization can store as much as its plan allows.",
  },
});
