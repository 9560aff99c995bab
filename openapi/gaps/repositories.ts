import { defineGaps } from "./gap.js";

/** Questions about repositories and entities. */
export const repositoryGaps = defineGaps({
  "repository-name-form": {
    part: "4.4",
    question: "What may `name` and `entityName` of a repository be?",
    choices: ["any", "as-databases"],
    note:
      "`any`: 1 to 100 characters of any kind. `as-databases`: `name` has the form of a database name, `entityName` " +
      "letters, digits, hyphen and underscore after a letter.",
  },
  "write-scope-reads-entities": {
    part: "5",
    question: "Does the scope repository:write (write and delete entities) let a key read them too?",
    choices: ["refused", "granted"],
  },
  "database-all-covers-entities": {
    part: "5",
    question: "Does the scope database:* (full database access) grant the entities of repositories too?",
    choices: ["refused", "granted"],
  },
  "pattern-match": {
    part: "2",
    question: "Where must the `pattern` of a field match a string?",
    choices: ["anywhere", "whole"],
    note: "`anywhere`: somewhere in it, as in JSON Schema. `whole`: from its beginning to its end. Patterns that begin with ^ and end with $ mean the same in both cases.",
  },
  "duplicate-name": {
    part: "4.4",
    question:
      "What happens to a second database of one name in an organization, or repository of one name in a database?",
    choices: ["reject", "allow"],
    note: "`reject` answers with `conflict-status`.",
  },
  "repository-filter-grammar": {
    part: "4.3",
    question: "Which operators and functions does the `filter` of a repository query know?",
    choices: ["full", "documented"],
    note:
      "`full`: = <> < <= > >=, AND, OR, NOT, parentheses, BETWEEN, IN, attribute_exists, attribute_not_exists, " +
      "begins_with, contains, size. `documented`: <field> = :<name> alone.",
  },
  "unknown-query-fields": {
    part: "4.3",
    question:
      "What becomes of a field in `filter` or `sortBy` that the schema of the repository does not name?",
    choices: ["looked-for", "refused", "declared-only"],
    note:
      "`looked-for`: it is a field like others; entities that do not have it are without it. `refused` answers with " +
      "`validation-status`, for names inside `properties` and `items` as well; `id`, `createdAt` and `updatedAt` are " +
      "known. A schema, or `properties`, without fields knows all. `declared-only` is `refused`, where a repository " +
      "without schema knows no field of its data at all.",
  },
  "query-total-count": {
    part: "4.3",
    question: "What does `totalCount` in the answer to a query count?",
    choices: ["matching", "all"],
    note: "`matching`: the entities of the query, on all pages together. `all`: those of the repository, as in a list.",
  },
  "entity-put": {
    part: "4.3",
    question: "What becomes of members that the data of an update leave out?",
    choices: ["replace", "merge"],
    note: "`replace`: they are gone (or take their defaults). `merge`: members at the top level of `data` are kept.",
  },
  "entity-unknown-fields": {
    part: "2",
    question: "What happens to fields of an entity that the repository schema does not name?",
    choices: ["keep", "reject", "drop"],
    note: "It holds for `properties` as well. A schema, or `properties`, without fields leaves its object free.",
  },
  "entity-null-fields": {
    part: "2",
    question: "What becomes of null for a field of an entity that is not required?",
    choices: ["refused", "kept", "dropped"],
    note:
      "`refused`: null is of no type. `kept`: it is taken for a value of every type. `dropped`: the field is left out of " +
      "what is stored, so that a default takes its place. It holds for `properties` as well, and for defaults. A required " +
      "field is never null.",
  },
  "entity-version-field": {
    part: "2",
    question: "Does the body of an entity show its version?",
    choices: ["shown", "hidden"],
  },
  "delete-missing-entity": {
    part: "4.3",
    question: "Which status answers DELETE of an entity that is not there?",
    choices: [204, 404],
    note: "404 stands for `missing-resource-status`, with which what is not there is refused.",
  },
  "entity-list-order": {
    part: "4.3",
    question: "In which order do entities come without `sortBy`?",
    choices: ["oldest-first", "newest-first"],
  },
  "sort-order-default": {
    part: "4.3",
    question: "In which direction does `sortBy` sort without `sortOrder`?",
    choices: ["ascending", "descending"],
  },
  "sort-text-order": {
    part: "4.3",
    question: "In which order does `sortBy` bring texts?",
    choices: ["utf-8", "ignoring-case"],
    note:
      "`utf-8`: that of their UTF-8 bytes, in which Z comes before a. `ignoring-case`: that of the same texts in lower case, " +
      "and of their bytes where these are equal.",
  },
  "sort-missing-field": {
    part: "4.3",
    question: "Where do entities without the `sortBy` field come in ascending order?",
    choices: ["first", "last"],
    note: "Descending order is the exact reverse.",
  },
});
