import { limits } from "../clauses/limits.js";
import { defineGaps } from "./gap.js";

/** Questions about HTTP itself: statuses and bodies of errors, bounds of requests, pages. */
export const httpGaps = defineGaps({
  "validation-status": {
    part: "7",
    question: "Which status answers an invalid request body or parameter?",
    choices: [400, 422],
    anyRefusal: true,
  },
  "error-body": {
    part: "7",
    question: "What is the body of errors other than a missing item and those of the SQL interface?",
    choices: ["problem", "error-message"],
    note: "`problem` is RFC 9457 (`application/problem+json`); `error-message` is `{error, message}`.",
  },
  "unknown-request-members": {
    part: "4",
    question:
      "What happens to members of a request body, and to query parameters, that the specification does not name?",
    choices: ["ignore", "reject"],
    note: "Operations without query parameters look at none.",
  },
  "null-optional-members": {
    part: "4",
    question: "What does null mean for a member of a request body that may be left out?",
    choices: ["as-if-absent", "reject"],
    note:
      "It holds for field definitions of repository schemas as well, and not inside values that are free: data, " +
      "settings, filters, parameters, defaults. Where the specification names null it is taken in any case.",
  },
  "content-type": {
    part: "4",
    question: "What happens to a request body whose Content-Type is missing or not application/json?",
    choices: ["refuse", "ignore"],
    note: "`refuse` answers with 415; `ignore` reads the body as JSON, whatever it is called.",
  },
  "conflict-status": {
    part: "7",
    question: "Which status answers a name, slug or membership that is already taken?",
    choices: [409, 400, 422],
    anyRefusal: true,
  },
  "page-limit-max": {
    part: "8",
    question: "What is the largest `limit` of a paginated operation?",
    choices: [],
    // the page of 20 that nobody asked for (part 8) has to be possible
    range: { minimum: limits.defaultPageSize, maximum: 100_000, unit: "entries" },
    default: 1000,
    samples: [1000, 50, limits.defaultPageSize],
  },
  "page-limit-over": {
    part: "8",
    question: "What happens to a `limit` above the largest?",
    choices: ["reject", "clamp"],
  },
  "request-bytes-max": {
    part: "8",
    question: "How large may a request body be?",
    choices: [],
    range: { minimum: 5 * 1024 * 1024, maximum: 64 * 1024 * 1024, unit: "bytes" },
    default: 16 * 1024 * 1024,
    samples: [16 * 1024 * 1024, 5 * 1024 * 1024],
    note: "A transaction of 4 MB has to fit; the default leaves room for a batch of 25 items of 400 KB.",
  },
  "rate-limit": {
    part: "8",
    question: "How many requests a second may an organization make?",
    choices: ["none"],
    range: { minimum: 1, maximum: 500, unit: "requests a second" },
    samples: [3],
    note:
      "`none`: as many as it likes. Requests with a credential for the organization count; one too many is answered " +
      "with 429 and Retry-After.",
  },
  "trailing-slash": {
    part: "4",
    question: "What becomes of a slash at the end of a path?",
    choices: ["unknown-path", "ignored"],
    note: "`unknown-path`: there is nothing at such a path. `ignored`: it leads to where the path without it leads.",
  },
  "cross-origin": {
    part: "4",
    question: "May a web page of another origin call the service from a browser?",
    choices: ["any-origin", "none"],
    note: "`any-origin` answers preflight requests and adds `Access-Control-Allow-Origin`.",
  },
});
