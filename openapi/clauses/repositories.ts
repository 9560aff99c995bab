import { defineClauses } from "./clause.js";

/** Parts 1, 2, 4.3, 4.4, 5 and 8: repositories, their schemas and their entities. */
export const repositoryClauses = defineClauses({
  "4.4": {
    "REPO-01":
      "POST a name and an entityName answers 201 with repositoryId, databaseId, name, entityName and createdAt.",
    "REPO-03": "`schema` is optional: a repository can be created without one.",
    "REPO-04": "A create request without name or without entityName is refused.",
    "REPO-05": "List answers the repositories of the database, and no others, with nextCursor.",
    "REPO-07": "Get returns the repository with the name, entityName and schema it was created with.",
    "REPO-09": "Delete answers 204 with an empty body; the repository and all its entities are gone.",
  },
  "2": {
    "REPO-02": "The answer that creates a repository has no updatedAt.",
    "REPO-06":
      "Get and list answer repositoryId, databaseId, name, entityName, status, schema, itemCount, createdAt and updatedAt.",
    "REPO-08": "itemCount becomes the number of entities in the repository.",
    "REPO-10": "A field of type string, number, boolean, array or object takes values of its type only.",
    "REPO-11": "Data without a required field are refused.",
    "REPO-12": "A field that is not required may be left out.",
    "REPO-13": "A field that is left out takes its default value, if it has one.",
    "REPO-14": "A string shorter than minLength or longer than maxLength is refused; the bounds are allowed.",
    "REPO-15": "A string that does not match its field's pattern is refused.",
    "REPO-16": "A number below min or above max is refused; the bounds themselves are allowed.",
    "REPO-17": "Each element of an array is held to the definition in `items`.",
    "REPO-18":
      "An array of fewer than minItems or more than maxItems elements is refused; the bounds are allowed.",
    "REPO-19": "The members of an object are held to the field definitions in `properties`, at every depth.",
    "REPO-20": "Data that fit the schema are accepted.",
    "REPO-22": "A write that the schema refuses changes nothing.",
    "REPO-25": "The service generates the id of each entity; no two entities of a repository share one.",
    "REPO-26":
      "The service sets createdAt and updatedAt; an update of the data moves updatedAt and keeps id and createdAt.",
    "REPO-27":
      "Where an entity shows its version, that is 1 after creation and grows when an update changes the data.",
    "REPO-31": "The data of an update are held to the schema as those of a create.",
    "REPO-45":
      "A schema with a field of a type other than string, number, boolean, array and object is refused, at every depth.",
  },
  "4.3": {
    "REPO-21": "A repository without schema takes any object as data.",
    "REPO-23": "POST data answers 201 with the entity: id, data, createdAt and updatedAt.",
    "REPO-24": "A create or update request without `data` is refused.",
    "REPO-28": "GET of an entity answers 200 with its current data.",
    "REPO-29": "GET, PUT or DELETE of an entity that is not there makes no entity appear; GET is refused.",
    "REPO-30": "PUT answers 200 with the updated entity; the members given in `data` have their new values.",
    "REPO-32": "DELETE of an entity answers 204 with an empty body; the entity is gone.",
    "REPO-33": "List and query answer entities as they are, nextCursor and totalCount.",
    "REPO-34": "List and query return at most `limit` entities a page; list returns 20 without one.",
    "REPO-35":
      "totalCount of a list becomes the number of entities in the repository, whatever the page; that of a query becomes one from the number of entities it finds to that of all.",
    "REPO-36":
      "A query with the filter `<field> = :<name>` returns the entities whose field has the value, and no others.",
    "REPO-37": "The values of the filter's names are taken from filterValues.",
    "REPO-38": "With sortBy, entities come in the order of that field; with sortOrder desc it descends.",
  },
  "5": {
    "REPO-39":
      "Entity operations take an API key with repository:read or repository:write, according to the operation.",
    "REPO-40": "A key with repository:read may read entities and may not write or delete them.",
    "REPO-41": "A key with repository:write may write and delete entities.",
    "REPO-42": "A key with repository:* may read, write and delete entities.",
    "REPO-43": "A key with database:read or database:write alone has no right to entities.",
  },
  "1": {
    "REPO-44": "The entities of one repository are never seen through another.",
  },
});
