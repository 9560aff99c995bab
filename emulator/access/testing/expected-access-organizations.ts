import type { Role } from "../../../openapi/schemas/roles.js";
import { type ExpectedAccess, everyone, writers } from "./expected-access.js";

const managers: readonly Role[] = ["owner", "admin"];
const organizations = "/api/v1/organizations";
const pro = `${organizations}/org_demo_pro`;
const payment = "/api/v1/payment";

/** Part 4.6, column "Who": JWT alone (part 5: organizations require a JWT). */
export const expectedOrganizationAccess = {
  // Authenticated users.
  createOrganization: {
    success: 201,
    roles: everyone,
    scopes: [],
    path: organizations,
    body: { name: "Access" },
  },
  listOrganizations: { success: 200, roles: everyone, scopes: [], isRead: true, path: organizations },
  // Members.
  getOrganization: { success: 200, roles: everyone, scopes: [], isRead: true, path: pro },
  // Admins and owners.
  updateOrganization: { success: 200, roles: managers, scopes: [], path: pro, body: { name: "Access" } },
  // Owners; "admin … cannot delete the organization"
  deleteOrganization: { success: 204, roles: ["owner"], scopes: [], path: pro },
  // Members, without further restrictions.
  listMembers: { success: 200, roles: everyone, scopes: [], isRead: true, path: `${pro}/members` },
  // Admins and owners.
  inviteMember: {
    success: 201,
    roles: managers,
    scopes: [],
    path: `${pro}/members`,
    body: { email: "access@demo.test" },
  },
  updateMember: {
    success: 200,
    roles: managers,
    scopes: [],
    path: `${pro}/members/user_demo_member`,
    body: { role: "readonly" },
  },
  // Admins and owners, or the member themselves: here, the one with the role member.
  removeMember: { success: 204, roles: writers, scopes: [], path: `${pro}/members/user_demo_member` },
} as const satisfies Readonly<Record<string, ExpectedAccess>>;

/**
 * Parts 4.7 and 5: payment info requires a JWT; the other operations do by the default answer to gap
 * `payment-credential`. Part 4.6: the owner manages billing, admin cannot change it; looking is any member's.
 */
export const expectedBillingAccess = {
  getPaymentInfo: { success: 200, roles: everyone, scopes: [], isRead: true, path: payment },
  createCheckout: {
    success: 200,
    roles: ["owner"],
    scopes: [],
    path: `${payment}/checkout`,
    body: { planType: "enterprise" },
  },
  getPaymentPortal: { success: 200, roles: ["owner"], scopes: [], isRead: true, path: `${payment}/portal` },
  getPaymentStatus: { success: 200, roles: everyone, scopes: [], isRead: true, path: `${payment}/status` },
  getUsage: { success: 200, roles: everyone, scopes: [], isRead: true, path: `${payment}/usage` },
  // 5: the plan catalog is public
  listPlans: { success: 200, roles: "public", scopes: [], path: "/api/v1/plans" },
  getPlan: { success: 200, roles: "public", scopes: [], path: "/api/v1/plans/plan_pro" },
} as const satisfies Readonly<Record<string, ExpectedAccess>>;
