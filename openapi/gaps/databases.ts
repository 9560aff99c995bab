import { defineGaps } from "./gap.js";

/** Questions about databases and the ceilings of plans and organizations. */
export const databaseGaps = defineGaps({
  "database-ready": {
    part: "3",
    question: "When does a new database leave the status Creating?",
    choices: ["next-request"],
    range: { minimum: 1, maximum: 600_000, unit: "milliseconds" },
    samples: [5000],
    observable: "yes",
  },
  "region-list": {
    part: "2",
    question: "Which region codes are accepted?",
    choices: ["any"],
    list: { of: "region codes" },
    samples: [["eu-west-1", "us-east-1"]],
    observable: "partly",
  },
  "allowed-regions": {
    part: "2",
    question: "What follows from `settings.allowedRegions` of an organization?",
    choices: ["enforced", "stored-only"],
    observable: "partly",
    note: "`enforced`: databases in other regions are refused with `forbidden-status`. Nothing in the interface sets it.",
  },
  "duplicate-database-name": {
    part: "4.5",
    question: "What happens to a second database of the same name in one organization?",
    choices: ["reject", "allow"],
    observable: "yes",
  },
  "ceiling-status": {
    part: "8",
    question: "Which status answers a request that a ceiling of the plan or organization forbids?",
    choices: [403, 402, 409, 429],
    anyRefusal: true,
    samples: [418],
    observable: "yes",
  },
  "database-unavailable-status": {
    part: "3",
    question: "Which status answers a data operation on a database that is neither Active nor becoming so?",
    choices: [409, 503, 403],
    anyRefusal: true,
    samples: [418],
    observable: "partly",
  },
});
