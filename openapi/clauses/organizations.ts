import { defineClauses } from "./clause.js";

/** Parts 2, 3, 4.6 and 8: organizations and their members. */
export const organizationClauses = defineClauses({
  "4.6": {
    "ORG-01":
      "POST a name answers 201 with organizationId, name, slug, ownerUserId, plan, status, billingEmail, createdAt and settings.",
    "ORG-05": "The ownerUserId of a new organization is the user id of a member with the role owner.",
    "ORG-07": "A create request without name is refused.",
    "ORG-09":
      "List answers organizationId, organizationName, role and joinedAt of each organization the user is in, and no others.",
    "ORG-14":
      "PUT sets name, billingEmail and settings.requireMfa where they are given and leaves the others as they are.",
    "ORG-15": "Owner and admin may update the organization; member and readonly are refused.",
    "ORG-16":
      "DELETE by an owner answers 204 with an empty body; the organization is gone, or shows the status deleted.",
    "ORG-17": "DELETE by admin, member or readonly is refused.",
    "ORG-18": "Who is not a member of an organization may neither read nor change it or its members.",
    "ORG-19":
      "List members answers userId, email, name, role, status, joinedAt, invitedAt and invitedBy of every member.",
    "ORG-20": "Members of every role may list the members.",
    "ORG-24": "Without `role` an invitation is for the role member.",
    "ORG-25": "An invitation without email, or with an unknown role, is refused.",
    "ORG-26": "Owner and admin may invite, change roles and remove members; member and readonly may not.",
    "ORG-27": "PUT role answers 200 with the member, whose role is the given one from then on.",
    "ORG-28": "A role change without role, or to an unknown one, is refused.",
    "ORG-29": "DELETE of a member answers 204 with an empty body; the member is gone from the list.",
    "ORG-30": "A member of any role may remove themselves.",
    "ORG-31": "An owner may assign any role.",
    "ORG-32": "An admin may create and delete databases.",
    "ORG-33": "A member may create and delete databases.",
  },
  "2": {
    "ORG-02": "The answer that creates an organization has no updatedAt.",
    "ORG-04": "The plan of a new organization is a plan type: free, pro or enterprise.",
    "ORG-06": "A name has 2 to 100 characters; shorter and longer ones are refused, at creation and update.",
    "ORG-08":
      "A slug given at creation is kept; without one it is generated from the name, fit for use in a URL.",
    "ORG-10": "The personal organization is among a user's own organizations.",
    "ORG-11":
      "Get answers the fields of the create response and updatedAt; members of every role may read them.",
    "ORG-12":
      "settings has maxDatabases, maxApiKeys, maxMembers, allowedRegions (or null), requireMfa and ssoEnabled.",
    "ORG-13": "The status of an organization is one of active, suspended and deleted.",
    "ORG-21":
      "The role of a member is one of owner, admin, member and readonly; its status is active or pending.",
    "ORG-35": "An active member has a userId and a name: they are null while a member is pending.",
  },
  "3": {
    "ORG-03": "A new organization has status active.",
    "ORG-22":
      "Inviting answers 201 with a member of status pending, whose userId, name and joinedAt are null.",
    "ORG-23": "An invitation has invitedAt set, and invitedBy is the caller's user id.",
  },
  "8": {
    "ORG-34":
      "An organization can hold as many active members as its plan and its settings both allow, and no more.",
  },
});
