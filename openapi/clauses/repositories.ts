import { defineClauses } from "./clause.js";

/** Parts 1, 2, 4.3, 4.4, 5 and 8: repositories, their schemas and their entities. */
export const repositoryClauses = defineClauses({
  "4.4": {
    "REPO-01":
      "A create request with a name and an entityName returns 201 with repositoryId, databaseId, name, entityName and createdAt.",
    "REPO-03": "`schema` is optional: a repository can be created without a schema.",
    "REPO-04": "A create request without `name` or without `entityName` is rejected.",
    "REPO-05": "List returns nextCursor and only the repositories of the database.",
    "REPO-07": "Get returns the repository with the name, entityName and schema it was created with.",
    "REPO-09": "Delete returns 204 with an empty body; the repository and all its entities no longer exist.",
  },
  "2": {
    "REPO-02": "When a repository is created, the response has no updatedAt.",
    "REPO-06":
      "Get and list return repositoryId, databaseId, name, entityName, status, schema, itemCount, createdAt and updatedAt.",
    "REPO-08": "itemCount eventually becomes the number of entities in the repository.",
    "REPO-10": "A field of type string, number, boolean, array or object accepts only values of its type.",
    "REPO-11": "Data without a required field is rejected.",
    "REPO-12": "A field that is not required may be omitted.",
    "REPO-13": "A field that is omitted gets its default value, if a default is defined.",
    "REPO-14":
      "A string shorter than minLength or longer than maxLength is rejected; the bounds themselves are allowed.",
    "REPO-15": "A string that does not match its field's pattern is rejected.",
    "REPO-16": "A number below min or above max is rejected; the bounds themselves are allowed.",
    "REPO-17": "Each element of an array is validated against the definition in `items`.",
    "REPO-18":
      "An array with fewer than minItems or more than maxItems elements is rejected; the bounds themselves are allowed.",
    "REPO-19":
      "The fields of an object are validated against the definitions in `properties`, at every depth.",
    "REPO-20": "Data that matches the schema is accepted.",
    "REPO-22": "A write that the schema rejects changes nothing.",
    "REPO-25": "The service generates the id of each entity; no two entities in a repository share an id.",
    "REPO-26":
      "The service sets createdAt and updatedAt; an update of the data changes updatedAt and keeps id and createdAt.",
    "REPO-27":
      "If responses include the version of an entity, the version is 1 after creation and increases when an update changes the data.",
    "REPO-31": "The data of an update is validated against the schema, like the data of a new entity.",
    "REPO-45":
      "A schema is rejected if, at any depth, it contains a field whose type is not string, number, boolean, array or object.",
  },
  "4.3": {
    "REPO-21": "A repository without a schema accepts any object as data.",
    "REPO-23": "A create request with `data` returns 201 with the entity: id, data, createdAt and updatedAt.",
    "REPO-24": "A create or update request without `data` is rejected.",
    "REPO-28": "GET of an entity returns 200 with its current data.",
    "REPO-29": "GET of an entity that does not exist is rejected, and GET, PUT and DELETE do not create it.",
    "REPO-30": "PUT returns 200 with the updated entity; the fields given in `data` have their new values.",
    "REPO-32": "DELETE of an entity returns 204 with an empty body, and the entity no longer exists.",
    "REPO-33": "List and query return nextCursor, totalCount, and entities in their current state.",
    "REPO-34": "List and query return at most `limit` entities per page; without `limit`, list returns 20.",
    "REPO-35":
      "On every page of a list, totalCount eventually equals the number of entities in the repository.",
    "REPO-36":
      "A query with the filter `<field> = :<name>` returns the entities whose field has the value, and no others.",
    "REPO-37": "filterValues contains the value for each `:<name>` in the filter.",
    "REPO-38":
      "With sortBy, entities are sorted by the given field; with sortOrder desc, in descending order.",
  },
  "5": {
    "REPO-39":
      "Entity operations accept an API key with repository:read or repository:write, depending on the operation.",
    "REPO-40": "A key with repository:read can read entities but cannot write or delete them.",
    "REPO-41": "A key with repository:write can write and delete entities.",
    "REPO-42": "A key with repository:* can read, write and delete entities.",
    "REPO-43": "A key with only database:read or database:write has no access to entities.",
  },
  "1": {
    "REPO-44": "The entities of one repository are never visible in another.",
  },
});
