import type { PlanType } from "../../openapi/clauses/limits.js";
import type { Role } from "../../openapi/schemas/roles.js";
import type { MemberStatus } from "../../openapi/schemas/members.js";
import type { OrganizationStatus } from "../../openapi/schemas/organizations.js";
import type { SqlValue } from "sql.js";
import { marker } from "../sqlite/markers.js";
import type { Statements } from "../sqlite/statement.js";

/** An organization as stored; times in milliseconds. */
export interface OrganizationRow {
  readonly organizationId: string;
  readonly name: string;
  readonly slug: string;
  readonly ownerUserId: string;
  readonly isPersonal: boolean;
  readonly plan: PlanType;
  readonly status: OrganizationStatus;
  readonly billingEmail: string;
  readonly maxDatabases: number;
  readonly maxApiKeys: number;
  readonly maxMembers: number;
  readonly allowedRegions: readonly string[] | null;
  readonly requireMfa: boolean;
  readonly ssoEnabled: boolean;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** A member as stored; `userId` is null while the invitation is pending. */
export interface MemberRow {
  readonly organizationId: string;
  readonly userId: string | null;
  readonly email: string;
  readonly role: Role;
  readonly status: MemberStatus;
  readonly joinedAt: number | null;
  readonly invitedAt: number | null;
  readonly invitedBy: string | null;
}

const columns =
  "organization_id, name, slug, owner_user_id, is_personal, plan, status, billing_email, max_databases, max_api_keys, " +
  "max_members, allowed_regions, require_mfa, sso_enabled, created_at, updated_at";

function readOrganization(row: SqlValue[]): OrganizationRow {
  return {
    organizationId: row[0] as string,
    name: row[1] as string,
    slug: row[2] as string,
    ownerUserId: row[3] as string,
    isPersonal: row[4] === 1,
    plan: row[5] as PlanType,
    status: row[6] as OrganizationStatus,
    billingEmail: row[7] as string,
    maxDatabases: row[8] as number,
    maxApiKeys: row[9] as number,
    maxMembers: row[10] as number,
    allowedRegions: row[11] === null ? null : (JSON.parse(row[11] as string) as string[]),
    requireMfa: row[12] === 1,
    ssoEnabled: row[13] === 1,
    createdAt: row[14] as number,
    updatedAt: row[15] as number,
  };
}

function organizationValues(organization: OrganizationRow): (string | number | null)[] {
  return [
    organization.organizationId,
    organization.name,
    organization.slug,
    organization.ownerUserId,
    Number(organization.isPersonal),
    organization.plan,
    organization.status,
    organization.billingEmail,
    organization.maxDatabases,
    organization.maxApiKeys,
    organization.maxMembers,
    organization.allowedRegions === null ? null : JSON.stringify(organization.allowedRegions),
    Number(organization.requireMfa),
    Number(organization.ssoEnabled),
    organization.createdAt,
    organization.updatedAt,
  ];
}

/** An organization as one of its members sees it in the list of their own. */
interface JoinedOrganization {
  readonly organizationId: string;
  readonly organizationName: string;
  readonly role: Role;
  readonly joinedAt: number;
  readonly status: OrganizationRow["status"];
}

const memberColumns = "organization_id, user_id, email, role, status, joined_at, invited_at, invited_by";

function readMember(row: SqlValue[]): MemberRow {
  return {
    organizationId: row[0] as string,
    userId: row[1] as string | null,
    email: row[2] as string,
    role: row[3] as Role,
    status: row[4] as MemberStatus,
    joinedAt: row[5] as number | null,
    invitedAt: row[6] as number | null,
    invitedBy: row[7] as string | null,
  };
}

/** The active owners of an organization. */
export const ownersOfOrganization = `SELECT ${memberColumns} FROM members WHERE organization_id = ${marker} AND role = 'owner' AND status = 'active' ORDER BY sequence`;

/** Organizations and their members. */
export function organizationStatements(statements: Statements) {
  const byId = statements.query<[string], OrganizationRow>(
    `SELECT ${columns} FROM organizations WHERE organization_id = ?`,
    readOrganization,
  );
  const rememberedById = statements.remember(["organizations"], (organizationId) =>
    byId.first(organizationId),
  );
  const all = statements.query<[], OrganizationRow>(
    `SELECT ${columns} FROM organizations WHERE status <> 'deleted' ORDER BY sequence`,
    readOrganization,
  );
  const insert = statements.command<(string | number | null)[]>(
    `INSERT INTO organizations (${columns}) VALUES (${columns.replace(/\w+/g, "?")})`,
  );
  const update = statements.command<(string | number | null)[]>(
    `UPDATE organizations SET (${columns}) = (${columns.replace(/\w+/g, "?")}) WHERE organization_id = ?1`,
  );
  const remove = statements.command<[string]>("DELETE FROM organizations WHERE organization_id = ?");
  const ownedBy = statements.query<[string], string>(
    "SELECT organization_id FROM organizations WHERE owner_user_id = ? ORDER BY sequence",
    (row) => row[0] as string,
  );
  const hasSlug = statements.query<[string], number>(
    "SELECT 1 FROM organizations WHERE slug = ? AND status <> 'deleted'",
    (row) => row[0] as number,
  );

  const memberOfUser = statements.query<[string, string], MemberRow>(
    `SELECT ${memberColumns} FROM members WHERE user_id = ? AND organization_id = ?`,
    readMember,
  );
  // ids have no spaces
  const rememberedMember = statements.remember(["members"], (key) => {
    const [userId = "", organizationId = ""] = key.split(" ");
    return memberOfUser.first(userId, organizationId);
  });
  const membershipsOfUser = statements.query<[string], MemberRow>(
    `SELECT ${memberColumns} FROM members WHERE user_id = ? ORDER BY sequence`,
    readMember,
  );
  const joinedBy = statements.query<[string], JoinedOrganization>(
    "SELECT organization_id, organizations.name, members.role, members.joined_at, " +
      "organizations.status FROM members " +
      `JOIN organizations USING (organization_id) WHERE members.user_id = ${marker} ` +
      "AND members.joined_at IS NOT NULL " +
      "ORDER BY members.joined_at, members.sequence",
    (row) => ({
      organizationId: row[0] as string,
      organizationName: row[1] as string,
      role: row[2] as Role,
      joinedAt: row[3] as number,
      status: row[4] as OrganizationRow["status"],
    }),
  );
  const memberOfEmail = statements.query<[string, string], MemberRow>(
    `SELECT ${memberColumns} FROM members WHERE email = ? AND organization_id = ?`,
    readMember,
  );
  const membersOf = statements.query<[string], MemberRow>(
    `SELECT ${memberColumns} FROM members WHERE organization_id = ? ORDER BY sequence`,
    readMember,
  );
  const ownersOf = statements.query<[string], MemberRow>(ownersOfOrganization, readMember);
  const countMembers = statements.query<[string], number>(
    "SELECT COUNT(*) FROM members WHERE organization_id = ?",
    (row) => row[0] as number,
  );
  const setRole = statements.command<[string, string, string]>(
    "UPDATE members SET role = ? WHERE organization_id = ? AND email = ?",
  );
  const renewInvitation = statements.command<(string | number | null)[]>(
    "UPDATE members SET role = ?, invited_at = ?, invited_by = ? WHERE organization_id = ? AND email = ?",
  );
  const activate = statements.command<[string, number, string, string]>(
    "UPDATE members SET status = 'active', user_id = ?, joined_at = ? WHERE organization_id = ? AND email = ?",
  );
  const removeMember = statements.command<[string, string]>(
    "DELETE FROM members WHERE organization_id = ? AND email = ?",
  );
  const insertMember = statements.command<(string | number | null)[]>(
    `INSERT INTO members (${memberColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const removeMembersOf = statements.command<[string]>("DELETE FROM members WHERE organization_id = ?");
  const removeMembershipsOf = statements.command<[string]>("DELETE FROM members WHERE user_id = ?");
  return {
    byId: rememberedById,
    /** Nothing for an organization that never was; `deleted` for one that was. */
    statusOf: (organizationId: string) => rememberedById(organizationId)?.status,
    /** Those that are not deleted. */
    all: () => all.all(),
    ownedBy: (userId: string) => ownedBy.all(userId),
    insert: (organization: OrganizationRow) => insert.run(...organizationValues(organization)),
    update: (organization: OrganizationRow) => update.run(...organizationValues(organization)),
    /** Whether an organization that is not deleted has the slug. */
    hasSlug: (slug: string) => hasSlug.first(slug) !== undefined,
    /** Removes the organization and its members, leaving no trace; its databases and keys are removed apart. */
    remove: (organizationId: string) => {
      removeMembersOf.run(organizationId);
      remove.run(organizationId);
    },
    memberOfUser: (organizationId: string, userId: string) => rememberedMember(`${userId} ${organizationId}`),
    /** Organizations that a user has joined, deleted ones included, in the order of joining. */
    joinedBy: (userId: string) => joinedBy.all(userId),
    membershipsOf: (userId: string) => membershipsOfUser.all(userId),
    insertMember: (member: MemberRow) =>
      insertMember.run(
        member.organizationId,
        member.userId,
        member.email,
        member.role,
        member.status,
        member.joinedAt,
        member.invitedAt,
        member.invitedBy,
      ),
    /** The member with this address, in the form in which it is stored; each address is there once. */
    memberOfEmail: (organizationId: string, email: string) => memberOfEmail.first(email, organizationId),
    /** Active and pending members in the order of invitation. */
    membersOf: (organizationId: string) => membersOf.all(organizationId),
    /** Active owners in the order of invitation. */
    ownersOf: (organizationId: string) => ownersOf.all(organizationId),
    /** How many members there are, pending ones included. */
    countMembers: (organizationId: string) => countMembers.first(organizationId) ?? 0,
    setRole: ({ organizationId, email }: MemberRow, role: Role) => setRole.run(role, organizationId, email),
    /** Gives a pending member what another invitation says. */
    renewInvitation: ({ organizationId, email, role, invitedAt, invitedBy }: MemberRow) =>
      renewInvitation.run(role, invitedAt, invitedBy, organizationId, email),
    /** Makes a pending member an active one. */
    activate: ({ organizationId, email }: MemberRow, userId: string, now: number) =>
      activate.run(userId, now, organizationId, email),
    removeMember: ({ organizationId, email }: MemberRow) => removeMember.run(organizationId, email),
    removeMembersOf: (organizationId: string) => removeMembersOf.run(organizationId),
    removeMembershipsOf: (userId: string) => removeMembershipsOf.run(userId),
  };
}
