import { limits } from "../clauses/limits.js";
import { defineGaps } from "./gap.js";

/** Gaps about HTTP itself: statuses and bodies of errors, limits of requests, pages. */
export const httpGaps = defineGaps({
  "validation-status": {
    part: "7",
    question: "Which status is returned for an invalid request body or parameter?",
    choices: [400, 422],
    anyRefusal: true,
  },
  "error-body": {
    part: "7",
    question: "What body do error responses have, except those for missing items and SQL errors?",
    choices: ["problem", "error-message"],
    note: "`problem`: a problem body (RFC 9457, `application/problem+json`). `error-message`: an object with the fields `error` and `message`.",
  },
  "unknown-request-fields": {
    part: "4",
    question:
      "What happens to request body fields and query parameters that the specification does not define?",
    choices: ["ignore", "reject"],
    note: "This does not apply to the keys of field definitions in repository schemas: unknown keys are always rejected.",
  },
  "null-optional-fields": {
    part: "4",
    question: "What does null mean for an optional field of a request body?",
    choices: ["as-if-absent", "reject"],
    note:
      "This also applies to field definitions in repository schemas, but not to the contents of data, settings, " +
      "filters, parameters and defaults. If the specification allows null for a field, null is always accepted.",
  },
  "content-type": {
    part: "4",
    question: "What happens to a request body whose Content-Type is missing or not application/json?",
    choices: ["refuse", "ignore"],
    note: "`refuse`: the request is rejected with 415. `ignore`: the body is read as JSON regardless of the Content-Type.",
  },
  "conflict-status": {
    part: "7",
    question: "Which status is returned if a name or slug is already taken, or a membership already exists?",
    choices: [409, 400, 422],
    anyRefusal: true,
  },
  "page-limit-max": {
    part: "8",
    question: "What is the maximum `limit` of a paginated operation?",
    choices: [],
    // the default page size of 20 (part 8) must be allowed
    range: { minimum: limits.defaultPageSize, maximum: 100_000, unit: "entries" },
    default: 1000,
    samples: [1000, 50, limits.defaultPageSize],
  },
  "page-limit-over": {
    part: "8",
    question: "What happens if `limit` exceeds the maximum?",
    choices: ["reject", "clamp"],
    note: "`reject`: the request is rejected with `validation-status`. `clamp`: the maximum is used instead.",
  },
  "request-bytes-max": {
    part: "8",
    question: "What is the maximum size of a request body?",
    choices: [],
    range: { minimum: 5 * 1024 * 1024, maximum: 64 * 1024 * 1024, unit: "bytes" },
    default: 16 * 1024 * 1024,
    samples: [16 * 1024 * 1024, 5 * 1024 * 1024],
    note: "The limit must allow a 4 MB transaction; the default also allows a batch of 25 items of 400 KB each.",
  },
  "rate-limit": {
    part: "8",
    question: "How many requests per second may an organization make?",
    choices: ["none"],
    range: { minimum: 1, maximum: 500, unit: "requests per second" },
    samples: [3],
    note: "`none`: there is no limit. Every request with a credential for the organization counts. Requests that exceed the limit are rejected with 429 and a `Retry-After` header.",
  },
  "trailing-slash": {
    part: "4",
    question: "How is a trailing slash in a path handled?",
    choices: ["unknown-path", "ignored"],
    note: "`unknown-path`: a path with a trailing slash is treated as an unknown path. `ignored`: the slash is ignored.",
  },
  "cross-origin": {
    part: "4",
    question: "May web pages from other origins call the service from a browser?",
    choices: ["any-origin", "none"],
    note: "`any-origin`: preflight requests are answered and responses have `Access-Control-Allow-Origin`.",
  },
});
