import { defineGaps } from "./gap.js";

/** Questions about organizations and their members. */
export const organizationGaps = defineGaps({
  "duplicate-slug": {
    part: "2",
    question: "What happens to a slug that another organization has?",
    choices: ["reject", "suffix"],
    observable: "yes",
    note: "`reject` answers with `conflict-status`; a generated slug always gets a suffix where it needs one.",
  },
  "member-id": {
    part: "4.6",
    question: "What is `{memberId}`?",
    choices: ["user-id", "email"],
    observable: "yes",
    note: "A pending member, who has no user id yet, goes by the email address in both cases.",
  },
  "last-owner": {
    part: "4.6",
    question: "May the last owner be removed or get another role?",
    choices: ["reject", "allow"],
    observable: "yes",
    note: "`reject` answers with `conflict-status`.",
  },
  "email-format": {
    part: "4.6",
    question: "Are the addresses in `email` and `billingEmail` checked for their form?",
    choices: ["checked", "any"],
    observable: "yes",
    note: "`checked`: something, one @, something; no white space.",
  },
  "require-mfa": {
    part: "2",
    question: "What follows from `settings.requireMfa` and `settings.ssoEnabled`?",
    choices: ["stored-only", "switch-refused"],
    observable: "yes",
    note: "`switch-refused`: requireMfa makes switching to the organization forbidden; ssoEnabled is stored only.",
  },
});
