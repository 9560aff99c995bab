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
    observable: "yes",
    note:
      "Until then it is shown with the status Deleting. Its data cannot be reached any more, it counts against the " +
      "ceiling, it keeps its name, and deleting it again changes nothing.",
  },
  "list-order": {
    part: "4.5",
    question: "In which order do the lists of databases and of repositories stand?",
    choices: ["oldest-first", "newest-first", "by-name"],
    observable: "yes",
    note:
      "`by-name`: in the order of the UTF-8 bytes of their names, those of one name the oldest first. A page goes on after " +
      "the last entry of the one before, whatever was made or deleted meanwhile.",
  },
  "database-settings": {
    part: "2",
    question: "What does `settings` of a database show beyond what was given at creation?",
    choices: ["nothing", "empty-object", "defaults"],
    observable: "yes",
    note:
      "`nothing`: null where none were given. `empty-object`: {} where none were given. `defaults`: the member " +
      "`deletionProtection` too, false unless it was given.",
  },
  "item-count": {
    part: "2",
    question: "What does usage.itemCount of a database count?",
    choices: ["items", "items-and-entities", "items-entities-and-rows"],
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
  "storage-ceiling": {
    part: "8",
    question: "What happens to writes that would take an organization over its plan's maxStorageGb?",
    choices: ["enforced", "not-enforced"],
    observable: "partly",
    note: "`enforced` refuses them with `ceiling-status`.",
  },
  gigabyte: {
    part: "8",
    question: "How many bytes has a GB, in maxStorageGb and totalStorageGb?",
    choices: [1_073_741_824, 1_000_000_000],
    observable: "partly",
  },
  "database-unavailable-status": {
    part: "3",
    question: "Which status answers a data operation on a database whose data cannot be worked with?",
    choices: [409, 503, 403],
    anyRefusal: true,
    samples: [418],
    observable: "partly",
  },
});
