import { defineGaps } from "./gap.js";

/** Gaps about databases and the ceilings of plans and organizations. */
export const databaseGaps = defineGaps({
  "database-ready": {
    part: "3",
    question: "When does a new database leave the status Creating?",
    choices: ["next-request"],
    range: { minimum: 1, maximum: 600_000, unit: "milliseconds" },
    samples: [5000],
  },
  "creating-database": {
    part: "3",
    question: "Can a database's data be accessed while its status is Creating?",
    choices: ["refused", "allowed"],
    observable: "partly",
    note: "`refused`: requests are rejected with `database-unavailable-status`. If the answer to `database-ready` is `next-request`, this gap has no effect, because every database is ready by the first data operation.",
  },
  "database-deletion": {
    part: "3",
    question: "When does a deleted database disappear?",
    choices: ["at-once"],
    range: { minimum: 1, maximum: 600_000, unit: "milliseconds" },
    samples: [5000],
    note: "Until the deleted database disappears, it has the status Deleting and counts toward the limit, and its name cannot be used again. Its data cannot be accessed, and deleting it again has no effect.",
  },
  "region-list": {
    part: "2",
    question: "Which region codes are accepted?",
    choices: ["any"],
    list: { of: "region codes" },
    samples: [["eu-west-1", "us-east-1"]],
    observable: "partly",
  },
  "ceiling-status": {
    part: "8",
    question: "Which status is returned for a request that would exceed a plan or organization limit?",
    choices: [403, 402, 409, 429],
    anyRefusal: true,
  },
  "storage-ceiling": {
    part: "8",
    question: "What happens to writes that would exceed the plan's `maxStorageGb`?",
    choices: ["enforced", "not-enforced"],
    observable: "partly",
    note: "`enforced`: such writes are rejected with `ceiling-status`.",
  },
  "database-unavailable-status": {
    part: "3",
    question: "Which status is returned for a data operation on an unavailable database?",
    choices: [409, 503, 403],
    anyRefusal: true,
    observable: "partly",
  },
});
