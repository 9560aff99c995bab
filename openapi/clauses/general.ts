import { defineClauses } from "./clause.js";

/** Parts 1, 8 and 9: what holds everywhere. */
export const generalClauses = defineClauses({
  "1 rule 1": {
    "GEN-01": "Every timestamp is an ISO 8601 string in UTC.",
  },
  "1 rule 2": {
    "GEN-02": "Every identifier is an opaque string.",
  },
  "1 rule 3": {
    "GEN-03": "A paginated list has `nextCursor`, which is null when there are no more results.",
    "GEN-04": "Following `nextCursor` from the first page until it is null yields every result exactly once.",
  },
  "1 rule 4": {
    "GEN-05":
      "One organization's resources can be neither read nor changed with another organization's credentials.",
  },
  "4": {
    "GEN-06": "The bodies of requests and responses are JSON.",
    "GEN-09": "A JSON body with the Content-Type application/json is accepted.",
  },
  "8": {
    "GEN-07":
      "If the optional parameter `limit` of a paginated operation is omitted, a page has at most 20 results, and at least one page of a longer list has exactly 20.",
  },
  "9": {
    "GEN-08":
      "Paths for items, repositories, management, organizations and billing start with /api/v1; paths for login and " +
      "health do not.",
  },
});
