import { defineClauses } from "./clause.js";

/** Parts 2, 3, 4.6 and 8: organizations and their members. */
export const organizationClauses = defineClauses({
  "4.6": {
    "ORG-01":
      "A create request with a name returns 201 with organizationId, name, slug, ownerUserId, plan, status, billingEmail, createdAt and settings.",
    "ORG-05": "The ownerUserId of a new organization is the user id of a member with the role owner.",
    "ORG-07": "A create request without `name` is rejected.",
    "ORG-09":
      "List returns organizationId, organizationName, role and joinedAt for each organization that the user is a member of, and for no others.",
    "ORG-14":
      "An update sets name, billingEmail and settings.requireMfa if they are given, and changes no other fields.",
    "ORG-15": "Owners and admins can update the organization; users with the role member or readonly cannot.",
    "ORG-16":
      "If an owner deletes an organization, the response is 204 with an empty body; the organization no longer exists, or has the status deleted.",
    "ORG-17": "Users with the role admin, member or readonly cannot delete the organization.",
    "ORG-18":
      "A user who is not a member of an organization can neither read nor change the organization or its members.",
    "ORG-19":
      "List members returns userId, email, name, role, status, joinedAt, invitedAt and invitedBy of every member.",
    "ORG-20": "Members with any role can list the members.",
    "ORG-24": "If an invitation has no `role`, the invited user gets the role member.",
    "ORG-25": "An invitation without `email` or with an unknown role is rejected.",
    "ORG-26":
      "Owners and admins can invite members, change roles and remove members; users with the role member or readonly cannot.",
    "ORG-27": "A role change returns 200 with the member, who then has the new role.",
    "ORG-28": "A request to change a role is rejected if `role` is missing or is not a known role.",
    "ORG-29": "DELETE of a member returns 204 with an empty body; the member is no longer in the list.",
    "ORG-30": "A member with any role can leave the organization.",
    "ORG-31": "An owner can assign any role.",
    "ORG-32": "An admin can create and delete databases.",
    "ORG-33": "A user with the role member can create and delete databases.",
  },
  "2": {
    "ORG-02": "When an organization is created, the response has no updatedAt.",
    "ORG-04": "The plan of a newly created organization is free, pro or enterprise.",
    "ORG-06":
      "An organization name has 2 to 100 characters; shorter and longer names are rejected, both at creation and in updates.",
    "ORG-08":
      "A slug given at creation is kept; otherwise, a slug that is suitable for URLs is generated from the name.",
    "ORG-10": "The list of a user's organizations includes the user's personal organization.",
    "ORG-11":
      "For members with any role, Get returns the fields of the create response as well as updatedAt.",
    "ORG-12":
      "settings has maxDatabases, maxApiKeys, maxMembers, allowedRegions (or null), requireMfa and ssoEnabled.",
    "ORG-13": "An organization's status is one of active, suspended and deleted.",
    "ORG-21":
      "A member's role is one of owner, admin, member and readonly; a member's status is active or pending.",
    "ORG-35": "Every active member has a userId and a name; for pending members, both are null.",
  },
  "3": {
    "ORG-03": "A new organization has the status active.",
    "ORG-22":
      "An invitation returns 201 with a member whose status is pending and whose userId, name and joinedAt are null.",
    "ORG-23":
      "An invited member has invitedAt and invitedBy; invitedBy is the user id of the user who sent the invitation.",
  },
  "8": {
    "ORG-34":
      "An organization can have as many active members as both its plan and its settings allow, but no more.",
  },
});
