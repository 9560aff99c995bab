import { defineGaps } from "./gap.js";

/** Gaps about repositories and entities. */
export const repositoryGaps = defineGaps({
  "repository-name-form": {
    part: "4.4",
    question: "Which values are valid for a repository's `name` and `entityName`?",
    choices: ["any", "as-databases"],
    note:
      "`any`: 1 to 100 characters of any kind. `as-databases`: `name` follows the rules for database names; `entityName` is a " +
      "letter followed by letters, digits, hyphens and underscores.",
  },
  "write-scope-reads-entities": {
    part: "5",
    question: "Does the scope `repository:write` (write and delete entities) also allow reading them?",
    choices: ["refused", "granted"],
  },
  "database-all-covers-entities": {
    part: "5",
    question: "Does the scope `database:*` (full database access) also give access to entities?",
    choices: ["refused", "granted"],
  },
  "pattern-match": {
    part: "2",
    question: "Which part of a string must the `pattern` of a field match?",
    choices: ["anywhere", "whole"],
    note: "`anywhere`: any part, as in JSON Schema. `whole`: the whole string. The answer makes no difference to a pattern such as `^[a-z]+$`, which can only match the whole string.",
  },
  "duplicate-name": {
    part: "4.4",
    question: "Can two databases in an organization, or two repositories in a database, have the same name?",
    choices: ["reject", "allow"],
    note: "`reject`: the request to create the second is rejected with `conflict-status`.",
  },
  "repository-filter-grammar": {
    part: "4.3",
    question: "Which operators and functions does the `filter` of a repository query support?",
    choices: ["full", "documented"],
    note:
      "`full`: = <> < <= > >=, AND, OR, NOT, parentheses, BETWEEN, IN, attribute_exists, attribute_not_exists, " +
      "begins_with, contains, size. `documented`: only <field> = :<name>.",
  },
  "unknown-query-fields": {
    part: "4.3",
    question: "How do `filter` and `sortBy` handle a field that the repository's schema does not define?",
    choices: ["searched", "refused", "declared-only"],
    note:
      "`searched`: the field is searched in the same way as a field that the schema defines. `refused`: the request " +
      "is rejected with `validation-status`, even if the undefined field is inside `properties` or `items`. `id`, `createdAt` and " +
      "`updatedAt` are always defined. If a schema is empty, or its `properties` is empty, every field counts as defined. " +
      "`declared-only`: like `refused`, but if a repository has no schema, no field of the data counts as defined.",
  },
  "entity-put": {
    part: "4.3",
    question: "What happens to fields that are omitted from an update's data?",
    choices: ["replace", "merge"],
    note: "`replace`: these fields are removed or get their defaults. `merge`: omitted fields at the top level of `data` keep their values.",
  },
  "entity-unknown-fields": {
    part: "2",
    question: "What happens to entity fields that the repository's schema does not define?",
    choices: ["keep", "reject", "drop"],
    note: "This also applies to the fields of nested objects (`properties`). A schema or `properties` without fields allows any fields.",
  },
  "entity-null-fields": {
    part: "2",
    question: "How is null handled in an optional entity field?",
    choices: ["refused", "kept", "dropped"],
    note:
      "`refused`: null is not valid for any type. `kept`: null is valid for every type. `dropped`: the field is not " +
      "stored, so it gets its default if it has one. This also applies to the fields of nested objects (`properties`) and to defaults. A required field can never " +
      "be null.",
  },
  "delete-missing-entity": {
    part: "4.3",
    question: "Which status is returned if the entity to delete does not exist?",
    choices: [204, 404],
    note: "404: the request is rejected with `missing-resource-status`.",
  },
  "entity-list-order": {
    part: "4.3",
    question: "Without `sortBy`, in which order are entities returned?",
    choices: ["oldest-first", "newest-first"],
  },
  "sort-order-default": {
    part: "4.3",
    question: "Without `sortOrder`, in which direction does `sortBy` sort?",
    choices: ["ascending", "descending"],
  },
});
