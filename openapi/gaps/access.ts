import { defineGaps } from "./gap.js";

/** Questions about credentials, roles and what belongs to whom. */
export const accessGaps = defineGaps({
  "unauthenticated-status": {
    part: "5",
    question: "Which status answers a missing, malformed, expired or unknown credential?",
    choices: [401, 403],
    anyRefusal: true,
  },
  "forbidden-status": {
    part: "5",
    question: "Which status answers a valid credential that lacks the scope or role?",
    choices: [403, 404],
    anyRefusal: true,
  },
  "wrong-credential-kind-status": {
    part: "5",
    question: "Which status answers an API key where a JWT is required?",
    choices: [403, 401],
    anyRefusal: true,
  },
  "needless-credential": {
    part: "5",
    question: "What becomes of a credential that is not valid where none is needed?",
    choices: ["ignored", "refused"],
    note:
      "At login, refresh, health and the plan catalog. `refused` answers with `unauthenticated-status`, as what looks at " +
      "every `Authorization` header before it knows whether one is needed does.",
  },
  "data-credential": {
    part: "5",
    question: "Which credentials do operations on items and entities take?",
    choices: ["jwt-or-api-key", "api-key"],
    note:
      "Part 5 gives API keys for data operations; that a JWT may do as much is said of SQL alone. With `api-key` an " +
      "access token is refused as an API key is where a JWT is required.",
  },
  "foreign-resource-status": {
    part: "1 rule 4",
    question: "Which status answers a request for another organization's resource?",
    choices: [404, 403],
    anyRefusal: true,
    note: "Where it is the same as `missing-resource-status` it cannot be told from one that does not exist.",
  },
  "missing-resource-status": {
    part: "7",
    question:
      "Which status answers a request for a database, repository, entity, organization, member or plan that is not there?",
    choices: [404, 410],
    anyRefusal: true,
    note: "It answers for what was deleted as for what never was. Missing items are 404 in any case.",
  },
  "suspended-organization": {
    part: "3",
    question: "What may be done with the resources of a suspended organization?",
    choices: ["read", "nothing", "everything"],
    observable: "partly",
    note: "What may not be done is answered with `forbidden-status`.",
  },
  "session-status": {
    part: "4.1",
    question: "Which status answers a refresh, and a switch of organization, that succeeds?",
    choices: [200, 201],
    range: { minimum: 200, maximum: 203, unit: "status" },
    samples: [202],
    note: "The body is the same. A login answers 200 in any case.",
  },
  "login-organization": {
    part: "4.1",
    question: "For which organization does a login issue its tokens?",
    choices: ["personal", "first-joined"],
    note: "`first-joined` takes the earliest membership other than the personal organization, if there is one.",
  },
  "refresh-organization": {
    part: "4.1",
    question: "For which organization does a refresh issue its tokens, after one was switched to?",
    choices: ["switched-to", "as-login"],
    note: "`switched-to`: that of the token that is refreshed. `as-login`: the one that a login issues tokens for.",
  },
  "email-case": {
    part: "4.1",
    question: "Are e-mail addresses that differ in capital letters the same one?",
    choices: ["ignored", "exact"],
    note:
      "For logins, invitations and members. `ignored` keeps and shows addresses in lower case, `exact` as they were " +
      "given.",
  },
  "refresh-token-reuse": {
    part: "5",
    question: "What becomes of a refresh token after it was used?",
    choices: ["rejected", "still-valid"],
  },
});
