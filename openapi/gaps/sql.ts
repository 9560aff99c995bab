import { defineGaps } from "./gap.js";

/** Questions about the SQL interface. */
export const sqlGaps = defineGaps({
  "list-tables-route": {
    part: "4.8",
    question: "What is the path of List tables?",
    choices: ["GET /databases/{databaseId}/sql/tables", "GET /databases/{databaseId}/tables"],
    route: { methods: ["GET", "POST"], parameters: ["databaseId"] },
    samples: ["POST /databases/{databaseId}/sql/list-tables"],
  },
  "sql-insert-existing": {
    part: "4.8",
    question: "What does INSERT do over an existing primary key?",
    choices: ["SQL_VALIDATION_ERROR", "overwrite"],
    note: "`overwrite`: the row becomes the given one; columns that are not given take their defaults.",
  },
  "sql-filtering": {
    part: "4.8 rule 3",
    question: "May WHERE name a column that is neither key nor indexed?",
    choices: ["with-allow-filtering", "always"],
    note: "`with-allow-filtering`: SQL_VALIDATION_ERROR unless the statement ends in ALLOW FILTERING.",
  },
  "sql-parameter-order": {
    part: "4.8 rule 2",
    question: "Which member of `parameters` does the i-th `?` take?",
    choices: ["document", "name"],
    note:
      "`document`: the i-th in the order of the document. `name`: the i-th in the order of the names, " +
      "runs of digits by their number, so that p2 comes before p10.",
  },
  "sql-key-levels": {
    part: "5",
    question: "Which SQL level has an API key of which scope?",
    choices: [],
    list: {
      of: "a scope and its level, `database:write write`",
      pattern: "^(database|repository):(read|write|\\*) (read|write|admin)$",
    },
    default: ["database:read read", "database:write write", "database:* admin"],
    samples: [
      ["database:read read", "database:write write", "database:* admin"],
      ["database:read read", "database:write write", "database:* write"],
      ["database:write read", "database:* write", "repository:* read"],
    ],
    note: "A key has the highest level of its scopes; one with none is refused. The scope `*` grants everything: admin.",
  },
  "sql-index-level": {
    part: "4.8 rule 5",
    question: "Which level does an API key need for CREATE INDEX and DROP INDEX?",
    choices: ["admin", "write"],
  },
  "sql-readonly-user": {
    part: "4.8 rule 5",
    question: "What may the JWT of a user with the role readonly do?",
    choices: ["select", "everything"],
  },
  "sql-number-form": {
    part: "2",
    question: "How do columns of the types BIGINT and DECIMAL appear in rows?",
    choices: ["number", "string"],
    note: "Numbers keep all digits. With `string` parameters may be strings of digits too. Inside collections they are numbers.",
  },
  "sql-write-row-count": {
    part: "4.8",
    question: "What is `rowCount` in the answer to INSERT, UPDATE and DELETE?",
    choices: ["affected", "zero"],
    note: "`rows` and `columns` are empty then.",
  },
  "sql-update-missing": {
    part: "4.8 rule 1",
    question: "What does UPDATE do where WHERE names a primary key that no row has?",
    choices: ["nothing", "upsert", "SQL_VALIDATION_ERROR"],
    note: "`upsert`: it inserts a row with this key and the values of SET, where WHERE says `=` of each column of the key and no more.",
  },
  "sql-page-size": {
    part: "8",
    question: "How many rows has a page of a query without `limit`?",
    choices: [],
    range: { minimum: 1, maximum: 100_000, unit: "rows" },
    default: 20,
    samples: [20, 1000],
    note: "Never more than `page-limit-max`. The 20 of part 8 are for list, query and scan, which may mean this one too.",
  },
  "sql-identifier-case": {
    part: "4.8",
    question: "What becomes of capital and small letters in names without quotes?",
    choices: ["lower", "upper", "exact"],
    note: "`lower`, `upper`: they are folded to that, names in double quotes are not. `exact`: they are kept.",
  },
  "sql-wrong-endpoint": {
    part: "4.8 rule 1",
    question: "What becomes of a definition at `query`, and of a statement about rows at `execute`?",
    choices: ["refuse", "run"],
    note: "`run`: it is done, with the answer of the endpoint; `execute` shows no rows.",
  },
});
