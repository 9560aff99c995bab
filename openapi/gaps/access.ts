import { defineGaps } from "./gap.js";

/** Gaps about credentials, roles and ownership. */
export const accessGaps = defineGaps({
  "unauthenticated-status": {
    part: "5",
    question: "Which status is returned for a missing, malformed, expired or unknown credential?",
    choices: [401, 403],
    anyRefusal: true,
  },
  "forbidden-status": {
    part: "5",
    question: "Which status is returned for a valid credential without the required scope or role?",
    choices: [403, 404],
    anyRefusal: true,
  },
  "wrong-credential-kind-status": {
    part: "5",
    question: "Which status is returned if an API key is sent where a JWT is required?",
    choices: [403, 401],
    anyRefusal: true,
  },
  "data-credential": {
    part: "5",
    question: "Which credentials do item and entity operations accept?",
    choices: ["jwt-or-api-key", "api-key"],
    note:
      "Part 5 provides API keys for data operations, and mentions JWTs only for SQL. With `api-key`, an access token " +
      "is rejected with `wrong-credential-kind-status`.",
  },
  "foreign-resource-status": {
    part: "1 rule 4",
    question: "Which status is returned if a requested resource belongs to another organization?",
    choices: [404, 403],
    anyRefusal: true,
    note: "If this status equals `missing-resource-status`, the resource appears not to exist.",
  },
  "missing-resource-status": {
    part: "7",
    question:
      "Which status is returned if a requested database, repository, entity, organization, member or plan does not exist?",
    choices: [404, 410],
    anyRefusal: true,
    note: "The status is the same for deleted resources and for resources that never existed. For missing items, the status is always 404.",
  },
  "login-organization": {
    part: "4.1",
    question: "For which organization does a login return tokens?",
    choices: ["personal", "first-joined"],
    note: "`personal`: the user's personal organization. `first-joined`: the first organization that the user joined, apart from the personal organization; if there is none, the personal organization.",
  },
  "refresh-organization": {
    part: "4.1",
    question: "After an organization switch, for which organization does a refresh return tokens?",
    choices: ["switched-to", "as-login"],
    note: "`switched-to`: the organization of the refreshed session. `as-login`: the organization that a login would choose.",
  },
  "refresh-token-reuse": {
    part: "5",
    question: "What happens to a refresh token after it has been used?",
    choices: ["rejected", "still-valid"],
  },
});
