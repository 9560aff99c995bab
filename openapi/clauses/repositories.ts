import { defineClauses } from "./clause.js";

/** Parts 1, 2, 4.3, 4.4, 5 and 8: repositories, their schemas and their entities. */
export const repositoryClauses = defineClauses({
  "REPO-01": {
    part: "4.4",
    statement:
      "POST a name and an entityName answers 201 with repositoryId, databaseId, name, entityName and createdAt.",
  },
  "REPO-02": { part: "2", statement: "The answer that creates a repository has no updatedAt." },
  "REPO-03": { part: "4.4", statement: "`schema` is optional: a repository can be created without one." },
  "REPO-04": { part: "4.4", statement: "A create request without name or without entityName is refused." },
  "REPO-05": {
    part: "4.4",
    statement: "List answers the repositories of the database, and no others, with nextCursor.",
  },
  "REPO-06": {
    part: "2",
    statement:
      "Get and list answer repositoryId, databaseId, name, entityName, status, schema, itemCount, createdAt and updatedAt.",
  },
  "REPO-07": {
    part: "4.4",
    statement: "Get returns the repository with the name, entityName and schema it was created with.",
  },
  "REPO-08": { part: "2", statement: "itemCount becomes the number of entities in the repository." },
  "REPO-09": {
    part: "4.4",
    statement: "Delete answers 204 with an empty body; the repository and all its entities are gone.",
  },
  "REPO-10": {
    part: "2",
    statement: "A field of type string, number, boolean, array or object takes values of its type only.",
  },
  "REPO-11": { part: "2", statement: "Data without a required field are refused." },
  "REPO-12": { part: "2", statement: "A field that is not required may be left out." },
  "REPO-13": { part: "2", statement: "A field that is left out takes its default value, if it has one." },
  "REPO-14": {
    part: "2",
    statement: "A string shorter than minLength or longer than maxLength is refused; the bounds are allowed.",
  },
  "REPO-15": { part: "2", statement: "A string that does not match its field's pattern is refused." },
  "REPO-16": {
    part: "2",
    statement: "A number below min or above max is refused; the bounds themselves are allowed.",
  },
  "REPO-17": { part: "2", statement: "Each element of an array is held to the definition in `items`." },
  "REPO-18": {
    part: "2",
    statement:
      "An array of fewer than minItems or more than maxItems elements is refused; the bounds are allowed.",
  },
  "REPO-19": {
    part: "2",
    statement: "The members of an object are held to the field definitions in `properties`, at every depth.",
  },
  "REPO-20": { part: "2", statement: "Data that fit the schema are accepted." },
  "REPO-21": { part: "4.3", statement: "A repository without schema takes any object as data." },
  "REPO-22": { part: "2", statement: "A write that the schema refuses changes nothing." },
  "REPO-23": {
    part: "4.3",
    statement: "POST data answers 201 with the entity: id, data, createdAt and updatedAt.",
  },
  "REPO-24": { part: "4.3", statement: "A create or update request without `data` is refused." },
  "REPO-25": {
    part: "2",
    statement: "The service generates the id of each entity; no two entities of a repository share one.",
  },
  "REPO-26": {
    part: "2",
    statement:
      "The service sets createdAt and updatedAt; an update of the data moves updatedAt and keeps id and createdAt.",
  },
  "REPO-27": {
    part: "2",
    statement:
      "Where an entity shows its version, that is 1 after creation and grows when an update changes the data.",
  },
  "REPO-28": { part: "4.3", statement: "GET of an entity answers 200 with its current data." },
  "REPO-29": {
    part: "4.3",
    statement: "GET, PUT or DELETE of an entity that is not there makes no entity appear; GET is refused.",
  },
  "REPO-30": {
    part: "4.3",
    statement: "PUT answers 200 with the updated entity; the members given in `data` have their new values.",
  },
  "REPO-31": { part: "2", statement: "The data of an update are held to the schema as those of a create." },
  "REPO-32": {
    part: "4.3",
    statement: "DELETE of an entity answers 204 with an empty body; the entity is gone.",
  },
  "REPO-33": {
    part: "4.3",
    statement: "List and query answer entities as they are, nextCursor and totalCount.",
  },
  "REPO-34": {
    part: "4.3",
    statement: "List and query return at most `limit` entities a page; list returns 20 without one.",
  },
  "REPO-35": {
    part: "4.3",
    statement:
      "totalCount of a list becomes the number of entities in the repository, whatever the page; that of a query becomes one from the number of entities it finds to that of all.",
  },
  "REPO-36": {
    part: "4.3",
    statement:
      "A query with the filter `<field> = :<name>` returns the entities whose field has the value, and no others.",
  },
  "REPO-37": { part: "4.3", statement: "The values of the filter's names are taken from filterValues." },
  "REPO-38": {
    part: "4.3",
    statement: "With sortBy, entities come in the order of that field; with sortOrder desc it descends.",
  },
  "REPO-39": {
    part: "5",
    statement:
      "Entity operations take an API key with repository:read or repository:write, according to the operation.",
  },
  "REPO-40": {
    part: "5",
    statement: "A key with repository:read may read entities and may not write or delete them.",
  },
  "REPO-41": {
    part: "5",
    statement: "A key with repository:write may write and delete entities.",
  },
  "REPO-42": { part: "5", statement: "A key with repository:* may read, write and delete entities." },
  "REPO-43": {
    part: "5",
    statement: "A key with database:read or database:write alone has no right to entities.",
  },
  "REPO-44": {
    part: "1",
    statement: "The entities of one repository are never seen through another.",
  },
  "REPO-45": {
    part: "2",
    statement:
      "A schema with a field of a type other than string, number, boolean, array and object is refused, at every depth.",
  },
});
