import type { Role, Scope } from "../../../openapi/schemas/roles.js";

/** The callers with access to an operation. This is written by hand from the specification, to check the document. */
export interface ExpectedAccess {
  /** The status that a caller with access gets. */
  readonly success: number;
  /** Roles whose JWT is accepted; `public` for operations that need no credential. */
  readonly roles: readonly Role[] | "public";
  /** Scopes of API keys that are accepted. */
  readonly scopes: readonly Scope[];
  /** Whether the operation only reads, so that it works in a suspended organization. */
  readonly isRead?: true;
  /** Whether a caller without access gets status 400 and an SQL error code (part 7). */
  readonly sql?: true;
  readonly path: string;
  readonly body?: unknown;
}

export const everyone: readonly Role[] = ["owner", "admin", "member", "readonly"];
export const writers: readonly Role[] = ["owner", "admin", "member"];
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
  // Members with any role.
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
  // Admins and owners, or a member who leaves: here, the member with the role member.
  removeMember: { success: 204, roles: writers, scopes: [], path: `${pro}/members/user_demo_member` },
} as const satisfies Readonly<Record<string, ExpectedAccess>>;

/**
 * Parts 4.7 and 5: payment info requires a JWT; with the default answer to the gap `payment-credential`, so do the
 * other operations. Part 4.6: the owner manages billing, admin cannot change it, and every member can view it.
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

const management = "/api/v1/management/databases/db_demo/repositories";
const products = `${management}/repo_demo_products`;
const events = "/api/v1/repositories/repo_demo_events";
const entityReaders: readonly Scope[] = ["repository:read", "repository:*", "*"];
const entityWriters: readonly Scope[] = ["repository:write", "repository:*", "*"];

/** Part 4.4 and 5: repository management requires a JWT; 4.6: readonly has view-only access. */
export const expectedRepositoryAccess = {
  createRepository: {
    success: 201,
    roles: writers,
    scopes: [],
    path: management,
    body: { name: "access", entityName: "Access" },
  },
  listRepositories: { success: 200, roles: everyone, scopes: [], isRead: true, path: management },
  getRepository: { success: 200, roles: everyone, scopes: [], isRead: true, path: products },
  deleteRepository: { success: 204, roles: writers, scopes: [], path: products },
} as const satisfies Readonly<Record<string, ExpectedAccess>>;

/**
 * Part 5: repository:read reads entities, repository:write writes and deletes them; part 4.6: readonly can only view.
 */
export const expectedEntityAccess = {
  createEntity: { success: 201, roles: writers, scopes: entityWriters, path: events, body: { data: {} } },
  listEntities: { success: 200, roles: everyone, scopes: entityReaders, isRead: true, path: events },
  getEntity: {
    success: 200,
    roles: everyone,
    scopes: entityReaders,
    isRead: true,
    path: `${events}/ent_demo_note`,
  },
  updateEntity: {
    success: 200,
    roles: writers,
    scopes: entityWriters,
    path: `${events}/ent_demo_note`,
    body: { data: {} },
  },
  deleteEntity: { success: 204, roles: writers, scopes: entityWriters, path: `${events}/ent_demo_note` },
  queryEntities: {
    success: 200,
    roles: everyone,
    scopes: entityReaders,
    isRead: true,
    path: `${events}/query`,
    body: {},
  },
} as const satisfies Readonly<Record<string, ExpectedAccess>>;
