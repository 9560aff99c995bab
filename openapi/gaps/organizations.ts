import { defineGaps } from "./gap.js";

/** Gaps about organizations and their members. */
export const organizationGaps = defineGaps({
  "new-organization-plan": {
    part: "2",
    question: "Which plan does a new organization have?",
    choices: ["free", "pro", "enterprise"],
    note:
      "The specification mentions the free plan as an example. If the plan is not free, its subscription is active immediately. The personal " +
      "organization created at signup always has the free plan.",
  },
  "duplicate-slug": {
    part: "2",
    question: "What happens if another organization already uses the given slug?",
    choices: ["reject", "suffix"],
    note: "`reject`: the request is rejected with `conflict-status`. Whatever the answer, a generated slug that is already taken gets a suffix.",
  },
  "deleted-organization": {
    part: "3",
    question: "What can the members of a deleted organization still see?",
    choices: ["gone", "shown"],
    note:
      "`gone`: nothing, as if it had never existed. `shown`: the organization with the status deleted, its members, and its " +
      "entry in the list of organizations. Changes are rejected with `conflict-status`, and the contents are deleted.",
  },
  "member-id": {
    part: "4.6",
    question: "What is the `{memberId}` of a member?",
    choices: ["user-id", "email", "own-id"],
    note:
      "`user-id`: the user id of an active member or the email address of a pending member, who has no user id. `email`: the email address of any member. " +
      "`own-id`: an id that the deployment generates; responses contain it in the additional field `memberId`.",
  },
  "repeated-invitation": {
    part: "4.6",
    question: "What happens if an already invited address is invited again?",
    choices: ["reject", "renew"],
    note:
      "`reject`: the request is rejected with `conflict-status`, just like an invitation to an active member. `renew`: the " +
      "pending member gets the new role, `invitedAt` and `invitedBy`.",
  },
  "admin-over-owners": {
    part: "4.6",
    question: "May an admin assign the owner role, change an owner's role, and remove owners?",
    choices: ["refused", "allowed"],
    note: "`refused`: the request is rejected with `forbidden-status`.",
  },
});
