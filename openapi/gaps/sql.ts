import { defineGaps } from "./gap.js";

/** Questions about the SQL interface. */
export const sqlGaps = defineGaps({
  "list-tables-route": {
    part: "4.8",
    question: "What is the path of List tables?",
    choices: ["GET /databases/{databaseId}/sql/tables", "GET /databases/{databaseId}/tables"],
    route: { methods: ["GET", "POST"], parameters: ["databaseId"] },
    samples: ["POST /databases/{databaseId}/sql/list-tables"],
    observable: "yes",
  },
  "sql-insert-existing": {
    part: "4.8",
    question: "What does INSERT do over an existing primary key?",
    choices: ["SQL_VALIDATION_ERROR", "overwrite"],
    observable: "yes",
    note: "`overwrite`: the row becomes the given one; columns that are not given take their defaults.",
  },
  "sql-filtering": {
    part: "4.8 rule 3",
    question: "May WHERE name a column that is neither key nor indexed?",
    choices: ["with-allow-filtering", "always"],
    observable: "yes",
    note: "`with-allow-filtering`: SQL_VALIDATION_ERROR unless the statement ends in ALLOW FILTERING.",
  },
  "sql-parameter-order": {
    part: "4.8 rule 2",
    question: "Which member of `parameters` does the i-th `?` take?",
    choices: ["document", "name"],
    observable: "yes",
    note:
      "`document`: the i-th in the order of the document. `name`: the i-th in the order of the names, " +
      "runs of digits by their number, so that p2 comes before p10.",
  },
  "sql-key-levels": {
    part: "5",
    question: "Which scopes make an API key an admin key of the SQL interface?",
    choices: ["database:* and *", "*"],
    observable: "partly",
    note: "database:read makes a read key; database:write, and database:* where it is no admin key, a write key.",
  },
  "sql-readonly-user": {
    part: "4.8 rule 5",
    question: "What may the JWT of a user with the role readonly do?",
    choices: ["select", "everything"],
    observable: "yes",
  },
  "sql-number-form": {
    part: "2",
    question: "How do columns of the types BIGINT and DECIMAL appear in rows?",
    choices: ["number", "string"],
    observable: "yes",
    note: "Numbers keep all digits. With `string` parameters may be strings of digits too. Inside collections they are numbers.",
  },
  "sql-default-value-form": {
    part: "2",
    question: "What is `defaultValue` in the schema of a table?",
    choices: ["value", "text"],
    observable: "yes",
    note: "`value`: a JSON value as in rows. `text`: its JSON text as a string. Null where there is no default.",
  },
  "sql-write-row-count": {
    part: "4.8",
    question: "What is `rowCount` in the answer to INSERT, UPDATE and DELETE?",
    choices: ["affected", "zero"],
    observable: "yes",
    note: "`rows` and `columns` are empty then.",
  },
  "sql-default-limit": {
    part: "8",
    question: "How many rows has a page of a query without `limit`?",
    choices: [],
    range: { minimum: 1, maximum: 100_000, unit: "rows" },
    default: 1000,
    samples: [1000, 20],
    observable: "yes",
    note: "Never more than `page-limit-max`.",
  },
  "sql-identifier-case": {
    part: "4.8",
    question: "What becomes of capital letters in names without quotes?",
    choices: ["lower", "exact"],
    observable: "yes",
    note: "`lower`: they are folded to lower case, names in double quotes are not. `exact`: they are kept.",
  },
  "sql-unsupported-code": {
    part: "7",
    question:
      "Which code answers a form that other dialects know and this one does not (JOIN, GROUP BY, SUM, …)?",
    choices: ["SQL_SYNTAX_ERROR", "SQL_VALIDATION_ERROR"],
    observable: "yes",
  },
  "sql-wrong-endpoint-code": {
    part: "4.8 rule 1",
    question: "Which code answers a statement that belongs to the other endpoint?",
    choices: ["SQL_VALIDATION_ERROR", "SQL_SYNTAX_ERROR"],
    observable: "yes",
  },
  "sql-length-max": {
    part: "8",
    question: "How long may a statement be?",
    choices: [],
    range: { minimum: 1024, maximum: 262_144, unit: "characters" },
    default: 65_536,
    samples: [65_536, 2048],
    observable: "yes",
    note: "Statements nest at most 64 levels deep.",
  },
});
