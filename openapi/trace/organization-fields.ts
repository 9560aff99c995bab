import type { Statement } from "./statement.js";

/** Part 2: organizations, members, sessions and API keys. */
export const organizationFieldStatements: readonly Statement[] = [
  { part: "2", says: "Organization: organizationId, a string", clauses: ["ORG-11"] },
  { part: "2", says: "Organization: name, 2 to 100 characters", clauses: ["ORG-06", "ORG-11"] },
  {
    part: "2",
    says: "Not said: what a character of the name of an organization is",
    reason: "a code point in the emulator; the suite's names are as long in units of UTF-16",
  },
  {
    part: "2",
    says: "Organization: slug, fit for URLs, generated where none is given",
    clauses: ["ORG-08"],
    gaps: ["slug-form"],
  },
  {
    part: "2",
    says: "Not said: how a slug is generated from a name",
    clauses: ["ORG-08"],
    reason: "any part of the name passes, and what comes back with the name alone, such as a digest",
  },
  { part: "2", says: "Not said: whether two organizations may share a slug", gaps: ["duplicate-slug"] },
  { part: "2", says: "Organization: ownerUserId, a string", clauses: ["ORG-11"] },
  { part: "2", says: "Organization: plan, a plan type", clauses: ["ORG-04", "ORG-11"] },
  {
    part: "2",
    says: "Not said: which plan a new organization has; the free one is an example",
    gaps: ["new-organization-plan"],
  },
  { part: "2", says: "Organization: status active, suspended or deleted", clauses: ["ORG-13"] },
  { part: "2", says: "Organization: billingEmail, a string", clauses: ["ORG-11"] },
  {
    part: "2",
    says: "Not said: billingEmail where none is given",
    clauses: ["ORG-01"],
    reason: "a string in any case; the emulator takes the address of who creates the organization",
  },
  { part: "2", says: "Organization: createdAt", clauses: ["ORG-11"] },
  { part: "2", says: "Organization: updatedAt, not when created", clauses: ["ORG-02", "ORG-11"] },
  { part: "2", says: "Settings: maxDatabases, maxApiKeys, maxMembers, integers", clauses: ["ORG-12"] },
  {
    part: "2",
    says: "Settings: allowedRegions, region codes or null",
    clauses: ["ORG-12"],
  },
  { part: "2", says: "Not said: what follows from allowedRegions", open: true },
  { part: "2", says: "Settings: requireMfa and ssoEnabled, booleans", clauses: ["ORG-12"] },
  { part: "2", says: "Not said: what requireMfa and ssoEnabled change", gaps: ["require-mfa"] },
  { part: "2", says: "Signup gives a user a personal organization", clauses: ["AUTH-27", "ORG-10"] },

  {
    part: "2",
    says: "Member: userId and name, null while pending",
    clauses: ["ORG-19", "ORG-21", "ORG-22", "ORG-35"],
  },
  { part: "2", says: "Member: email, a string", clauses: ["ORG-19", "ORG-21"] },
  { part: "2", says: "Member: role owner, admin, member or readonly", clauses: ["ORG-21"] },
  { part: "2", says: "Member: status active or pending", clauses: ["ORG-21"] },
  { part: "2", says: "Member: joinedAt and invitedAt, each may be null", clauses: ["ORG-19"] },
  {
    part: "2",
    says: "Not said: joinedAt and invitedAt of who creates an organization",
    clauses: ["ORG-19"],
    reason: "an instant or null; in the emulator the time of creation, and null",
  },
  { part: "2", says: "Not said: ownerUserId when its owner gets another role", open: true },
  { part: "2", says: "Member: invitedBy, the inviter's user id or null", clauses: ["ORG-19", "ORG-23"] },
  {
    part: "2",
    says: "Membership summary: organizationId, organizationName, role, joinedAt",
    clauses: ["ORG-09"],
  },

  { part: "2", says: "Auth response: accessToken, a JWT", clauses: ["AUTH-06", "AUTH-17", "AUTH-28"] },
  { part: "2", says: "Auth response: refreshToken, a string", clauses: ["AUTH-06"] },
  { part: "2", says: "Auth response: expiresIn, in seconds", clauses: ["AUTH-06", "AUTH-07"] },
  { part: "2", says: "Auth response: userId, email and name, strings", clauses: ["AUTH-06"] },
  { part: "2", says: "Auth response: avatarUrl, a string or null", clauses: ["AUTH-06"] },
  { part: "2", says: "Auth response: personalOrgId, a string", clauses: ["AUTH-06", "AUTH-27"] },
  {
    part: "2",
    says: "Auth response: permissions and roles, arrays of strings",
    clauses: ["AUTH-06", "AUTH-25"],
  },
  {
    part: "2",
    says: "Not said: which words permissions and roles hold",
    clauses: ["AUTH-25"],
    reason: "any strings pass; the emulator names scopes of data, and the role in the organization",
  },

  {
    part: "2",
    says: "API keys are generated from the dashboard",
    reason: "the dashboard is no part of the interface: a deployment is handed its keys",
  },
  { part: "2", says: "API keys carry scopes", clauses: ["AUTH-19", "REPO-40"] },
  {
    part: "2",
    says: "The SDK makes a key with a name, scopes and an optional expiry",
    reason: "no endpoint makes keys",
  },
  { part: "2", says: "Not shown: the rest of an API key's record", reason: "no endpoint answers with one" },
];
