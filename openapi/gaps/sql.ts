import { defineGaps } from "./gap.js";

/** Gaps about the SQL interface. */
export const sqlGaps = defineGaps({
  "list-tables-route": {
    part: "4.8",
    question: "What are the method and path for listing tables?",
    choices: ["GET /databases/{databaseId}/sql/tables", "GET /databases/{databaseId}/tables"],
    route: { methods: ["GET", "POST"], parameters: ["databaseId"] },
    samples: ["POST /databases/{databaseId}/sql/list-tables"],
  },
  "sql-insert-existing": {
    part: "4.8",
    question: "What does INSERT do if a row with the same primary key already exists?",
    choices: ["SQL_VALIDATION_ERROR", "overwrite"],
    note: "`overwrite`: the new row replaces the existing row; omitted columns get their defaults.",
  },
  "sql-filtering": {
    part: "4.8 rule 3",
    question: "Can WHERE use a column that is neither a key nor indexed?",
    choices: ["with-allow-filtering", "always"],
    note: "`with-allow-filtering`: such a statement is rejected with SQL_VALIDATION_ERROR unless it ends with ALLOW FILTERING.",
  },
  "sql-parameter-order": {
    part: "4.8 rule 2",
    question: "Which field of `parameters` contains the value of the i-th `?` marker?",
    choices: ["document", "name"],
    note:
      "`document`: the i-th field in the JSON text. `name`: the i-th field after the fields are sorted by name, with " +
      "digits compared as numbers, so that p2 comes before p10.",
  },
  "sql-readonly-user": {
    part: "4.8 rule 5",
    question: "Which SQL statements may a user with the role readonly execute with a JWT?",
    choices: ["select", "everything"],
    note: "`select`: only SELECT. `everything`: all statements.",
  },
  "sql-identifier-case": {
    part: "4.8",
    question: "How is case handled in unquoted names?",
    choices: ["lower", "upper", "exact"],
    note: "`lower`, `upper`: unquoted names are converted to that case; names in double quotes are not. `exact`: the case is kept.",
  },
});
