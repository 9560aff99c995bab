import { defineClauses } from "./clause.js";

/** Parts 1, 8 and 9: what holds everywhere. */
export const generalClauses = defineClauses({
  "GEN-01": { part: "1 rule 1", statement: "Every timestamp is an ISO 8601 string in UTC." },
  "GEN-02": { part: "1 rule 2", statement: "Every identifier is a string that clients need not look into." },
  "GEN-03": {
    part: "1 rule 3",
    statement: "A paginated list carries `nextCursor`, which is null when there are no more results.",
  },
  "GEN-04": {
    part: "1 rule 3",
    statement: "Following `nextCursor` from the first page to null yields every result exactly once.",
  },
  "GEN-05": {
    part: "1 rule 4",
    statement: "A resource of one organization can be neither read nor changed with credentials of another.",
  },
  "GEN-06": { part: "4", statement: "Bodies of requests and answers are JSON." },
  "GEN-07": {
    part: "8",
    statement:
      "Without a `limit` a paginated operation that takes one returns pages of 20: never more, and not always fewer.",
  },
  "GEN-08": {
    part: "9",
    statement:
      "Paths of items, repositories, management, organizations and billing begin with /api/v1; login and health paths do not.",
  },
  "GEN-09": {
    part: "4",
    statement: "A JSON body that is sent with the Content-Type application/json is read.",
  },
});
