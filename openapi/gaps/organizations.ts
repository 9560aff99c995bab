import { defineGaps } from "./gap.js";

/** Questions about organizations and their members. */
export const organizationGaps = defineGaps({
  "new-organization-plan": {
    part: "2",
    question: "Which plan has a new organization?",
    choices: ["free", "pro", "enterprise"],
    note:
      "The specification names the free plan as an example. The subscription of another plan is active at once. The personal " +
      "organization that signup creates has the free plan.",
  },
  "duplicate-slug": {
    part: "2",
    question: "What happens to a slug that another organization has?",
    choices: ["reject", "suffix"],
    note: "`reject` answers with `conflict-status`; a generated slug always gets a suffix where it needs one.",
  },
  "slug-form": {
    part: "2",
    question: "Which slugs may be given at creation?",
    choices: ["kebab-case", "unreserved", "any"],
    note:
      "`kebab-case`: a-z and 0-9, with single hyphens between them. `unreserved`: A-Z, `.`, `_` and `~` as well, in any " +
      "order. `any`: a text that is no kebab-case is made so. What may not be given is not valid.",
  },
  "deleted-organization": {
    part: "3",
    question: "What do the members of a deleted organization see of it?",
    choices: ["gone", "shown"],
    note:
      "`gone`: nothing, as of an organization that never was. `shown`: organization, members and the entry among their " +
      "own organizations can still be read, with the status deleted; changing it answers with `conflict-status`, and " +
      "what it held is gone.",
  },
  "organization-with-databases": {
    part: "4.6",
    question: "May an organization be deleted that still has databases?",
    choices: ["with-them", "refused"],
    note:
      "`with-them`: they are deleted with it. `refused` answers with `conflict-status`; databases that are Deleting do not " +
      "keep it.",
  },
  "member-id": {
    part: "4.6",
    question: "What is `{memberId}` of an active member?",
    choices: ["user-id", "email", "own-id"],
    note: "`own-id`: an id that the deployment gives, shown as the additional member `memberId`.",
  },
  "pending-member-id": {
    part: "4.6",
    question: "What is `{memberId}` of a pending member, who has no user id?",
    choices: ["email", "none", "own-id"],
    note: "`none`: an invitation can neither be changed nor taken back. `own-id`: as for `member-id`.",
  },
  "repeated-invitation": {
    part: "4.6",
    question: "What becomes of an invitation to an address that is invited already?",
    choices: ["reject", "renew"],
    note:
      "`reject` answers with `conflict-status`, as for the address of an active member. `renew`: the pending member has the " +
      "new role, `invitedAt` and `invitedBy`.",
  },
  "pending-members-count": {
    part: "8",
    question: "Do pending members count against the ceiling?",
    choices: ["counted", "not-counted"],
    note: "With `not-counted` the ceiling is looked at when somebody is invited, and when they accept.",
  },
  "admin-over-owners": {
    part: "4.6",
    question: "May an admin make owners, and change or remove them?",
    choices: ["refused", "allowed"],
    note: "`refused` answers with `forbidden-status`.",
  },
  "last-owner": {
    part: "4.6",
    question: "May the last owner be removed or get another role?",
    choices: ["reject", "allow"],
    note: "`reject` answers with `conflict-status`.",
  },
  "require-mfa": {
    part: "2",
    question: "What follows from `settings.requireMfa` and `settings.ssoEnabled`?",
    choices: ["stored-only", "switch-refused"],
    note: "`switch-refused`: requireMfa makes switching to the organization forbidden; ssoEnabled is stored only.",
  },
});
