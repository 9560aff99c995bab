import { defineGaps } from "./gap.js";

/** Questions about databases and the ceilings of plans and organizations. */
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
    question: "May the data of a database be worked with while it is Creating?",
    choices: ["refused", "allowed"],
    observable: "partly",
    note:
      "`refused` answers with `database-unavailable-status`. With `database-ready: next-request` no request meets a " +
      "database that is Creating.",
  },
  "database-deletion": {
    part: "3",
    question: "When is a deleted database gone?",
    choices: ["at-once"],
    range: { minimum: 1, maximum: 600_000, unit: "milliseconds" },
    samples: [5000],
    note:
      "Until then it is shown with the status Deleting. Its data cannot be reached any more, it counts against the " +
      "ceiling, it keeps its name, and deleting it again changes nothing.",
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
    question: "Which status answers a request that a ceiling of the plan or organization forbids?",
    choices: [403, 402, 409, 429],
    anyRefusal: true,
  },
  "storage-ceiling": {
    part: "8",
    question: "What happens to writes that would take an organization over its plan's maxStorageGb?",
    choices: ["enforced", "not-enforced"],
    observable: "partly",
    note: "`enforced` refuses them with `ceiling-status`.",
  },
  "database-unavailable-status": {
    part: "3",
    question: "Which status answers a data operation on a database whose data cannot be worked with?",
    choices: [409, 503, 403],
    anyRefusal: true,
    observable: "partly",
  },
});
