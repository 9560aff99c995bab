import { defineClauses } from "./clause.js";

/** Parts 2, 3, 4.6 and 8: organizations and their members. */
export const organizationClauses = defineClauses({
  "ORG-01": {
    part: "4.6",
    statement:
      "POST a name answers 201 with organizationId, name, slug, ownerUserId, plan, status, billingEmail, createdAt and settings.",
  },
  "ORG-02": { part: "2", statement: "The answer that creates an organization has no updatedAt." },
  "ORG-03": { part: "3", statement: "A new organization has status active." },
  "ORG-04": {
    part: "2",
    statement: "The plan of a new organization is a plan type: free, pro or enterprise.",
  },
  "ORG-05": {
    part: "4.6",
    statement: "The ownerUserId of a new organization is the user id of a member with the role owner.",
  },
  "ORG-06": {
    part: "2",
    statement: "A name has 2 to 100 characters; shorter and longer ones are refused, at creation and update.",
  },
  "ORG-07": { part: "4.6", statement: "A create request without name is refused." },
  "ORG-08": {
    part: "2",
    statement:
      "A slug given at creation is kept; without one it is generated from the name, fit for use in a URL.",
  },
  "ORG-09": {
    part: "4.6",
    statement:
      "List answers organizationId, organizationName, role and joinedAt of each organization the user is in, and no others.",
  },
  "ORG-10": { part: "2", statement: "The personal organization is among a user's own organizations." },
  "ORG-11": {
    part: "2",
    statement:
      "Get answers the fields of the create response and updatedAt; members of every role may read them.",
  },
  "ORG-12": {
    part: "2",
    statement:
      "settings has maxDatabases, maxApiKeys, maxMembers, allowedRegions (or null), requireMfa and ssoEnabled.",
  },
  "ORG-13": {
    part: "2",
    statement: "The status of an organization is one of active, suspended and deleted.",
  },
  "ORG-14": {
    part: "4.6",
    statement:
      "PUT sets name, billingEmail and settings.requireMfa where they are given and leaves the others as they are.",
  },
  "ORG-15": {
    part: "4.6",
    statement: "Owner and admin may update the organization; member and readonly are refused.",
  },
  "ORG-16": {
    part: "4.6",
    statement:
      "DELETE by an owner answers 204 with an empty body; the organization is gone, or shows the status deleted.",
  },
  "ORG-17": { part: "4.6", statement: "DELETE by admin, member or readonly is refused." },
  "ORG-18": {
    part: "4.6",
    statement: "Who is not a member of an organization may neither read nor change it or its members.",
  },
  "ORG-19": {
    part: "4.6",
    statement:
      "List members answers userId, email, name, role, status, joinedAt, invitedAt and invitedBy of every member.",
  },
  "ORG-20": { part: "4.6", statement: "Members of every role may list the members." },
  "ORG-21": {
    part: "2",
    statement:
      "The role of a member is one of owner, admin, member and readonly; its status is active or pending.",
  },
  "ORG-22": {
    part: "3",
    statement:
      "Inviting answers 201 with a member of status pending, whose userId, name and joinedAt are null.",
  },
  "ORG-23": {
    part: "3",
    statement: "An invitation has invitedAt set, and invitedBy is the caller's user id.",
  },
  "ORG-24": { part: "4.6", statement: "Without `role` an invitation is for the role member." },
  "ORG-25": { part: "4.6", statement: "An invitation without email, or with an unknown role, is refused." },
  "ORG-26": {
    part: "4.6",
    statement: "Owner and admin may invite, change roles and remove members; member and readonly may not.",
  },
  "ORG-27": {
    part: "4.6",
    statement: "PUT role answers 200 with the member, whose role is the given one from then on.",
  },
  "ORG-28": { part: "4.6", statement: "A role change without role, or to an unknown one, is refused." },
  "ORG-29": {
    part: "4.6",
    statement: "DELETE of a member answers 204 with an empty body; the member is gone from the list.",
  },
  "ORG-30": { part: "4.6", statement: "A member of any role may remove themselves." },
  "ORG-31": { part: "4.6", statement: "An owner may assign any role." },
  "ORG-32": { part: "4.6", statement: "An admin may create and delete databases." },
  "ORG-33": { part: "4.6", statement: "A member may create and delete databases." },
  "ORG-34": {
    part: "8",
    statement:
      "An organization can hold as many active members as its plan and its settings both allow, and no more.",
  },
  "ORG-35": {
    part: "2",
    statement: "An active member has a userId and a name: they are null while a member is pending.",
  },
});
