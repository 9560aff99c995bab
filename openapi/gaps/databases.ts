import { defineGaps } from "./gap.js";

/** Gaps about databases and the ceilings of plans and organizations. */
export const databaseGaps = defineGaps({
  "database-ready": {
    part: "3",
    question: "When does a new database leave the status Creating?",
    choices: ["next-request"],
    range: { minimum: 1, maximum: 600_000, unit: "milliseconds" },
    samples: [5000],
    note: "`next-request`: at the next request to the service. A number: this long after the database was created.",
  },
  "database-deletion": {
    part: "3",
    question: "When does a deleted database disappear?",
    choices: ["at-once"],
    range: { minimum: 1, maximum: 600_000, unit: "milliseconds" },
    samples: [5000],
    note: "`at-once`: immediately. A number: this long after the request. Until the deleted database disappears, it has the status Deleting and counts toward the limit, and its name cannot be used again unless `duplicate-name` allows it. Its data cannot be accessed, and deleting it again has no effect.",
  },
  "ceiling-status": {
    part: "8",
    question: "Which status is returned for a request that would exceed a plan or organization limit?",
    choices: [403, 402, 409, 429],
    anyRefusal: true,
  },
});
