import { defineGaps } from "./gap.js";

/** Questions about repositories and entities. */
export const repositoryGaps = defineGaps({
  "duplicate-repository-name": {
    part: "4.4",
    question: "What happens to a second repository of the same name in one database?",
    choices: ["reject", "allow"],
    observable: "yes",
    note: "`reject` answers with `conflict-status`.",
  },
  "repository-schema-unknown-keys": {
    part: "2",
    question: "What happens to a field definition with a key that the specification does not name?",
    choices: ["reject", "ignore"],
    observable: "yes",
    note: "`ignore` returns the key with the schema and gives it no meaning.",
  },
  "repository-filter-grammar": {
    part: "4.3",
    question: "Which operators and functions does the `filter` of a repository query know?",
    choices: ["full", "documented"],
    observable: "yes",
    note:
      "`full`: = <> < <= > >=, AND, OR, NOT, parentheses, BETWEEN, IN, attribute_exists, attribute_not_exists, " +
      "begins_with, contains, size. `documented`: <field> = :<name> alone.",
  },
  "entity-put": {
    part: "4.3",
    question: "What becomes of members that the data of an update leave out?",
    choices: ["replace", "merge"],
    observable: "yes",
    note: "`replace`: they are gone (or take their defaults). `merge`: members at the top level of `data` are kept.",
  },
  "entity-unknown-fields": {
    part: "2",
    question: "What happens to fields of an entity that the repository schema does not name?",
    choices: ["keep", "reject", "drop"],
    observable: "yes",
    note: "It holds for `properties` as well. A schema, or `properties`, without fields leaves its object free.",
  },
  "entity-version-field": {
    part: "2",
    question: "Does the body of an entity show its version?",
    choices: ["shown", "hidden"],
    observable: "yes",
  },
  "entity-size-limit": {
    part: "8",
    question: "Does the 400 KB of an item bound the data of an entity as well?",
    choices: ["as-items", "unlimited"],
    observable: "yes",
    note: "`as-items` answers with `item-too-large-status`.",
  },
  "delete-missing-entity": {
    part: "4.3",
    question: "Which status answers DELETE of an entity that is not there?",
    choices: [404, 204],
    observable: "yes",
  },
  "entity-list-order": {
    part: "4.3",
    question: "In which order do entities come without `sortBy`?",
    choices: ["oldest-first", "newest-first"],
    observable: "yes",
  },
  "sort-order-values": {
    part: "4.3",
    question: "Which values does `sortOrder` take?",
    choices: ["lower-case", "any-case"],
    observable: "yes",
    note: "`lower-case`: asc and desc; `any-case`: ASC and DESC too. Without it the order ascends.",
  },
  "sort-order-alone": {
    part: "4.3",
    question: "What does `sortOrder` do without `sortBy`?",
    choices: ["ignore", "reverse", "reject"],
    observable: "yes",
    note: "`reverse` turns round the order that `entity-list-order` names.",
  },
  "sort-missing-field": {
    part: "4.3",
    question: "Where do entities without the `sortBy` field come in ascending order?",
    choices: ["first", "last"],
    observable: "yes",
    note: "Descending order is the exact reverse.",
  },
});
